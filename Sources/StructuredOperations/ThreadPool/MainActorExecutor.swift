/// The executor of ``AsyncOperationQueue/main``: runs jobs on the main actor's executor.
final class MainActorExecutor: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    MainActor.shared.enqueue(UnownedJob(job))
  }
}
