/// Runs tasks where the main actor runs, for the main queue.
final class MainActorExecutor: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    MainActor.shared.enqueue(UnownedJob(job))
  }
}
