/// The executor of ``AsyncOperationQueue/main``: runs jobs on the main actor's executor.
final class MainActorExecutor: TaskExecutor {
  static let shared = MainActorExecutor()

  private init() {}

  func enqueue(_ job: consuming ExecutorJob) {
    MainActor.shared.enqueue(UnownedJob(job))
  }

  /// Whether the calling task runs here, and so would its child tasks.
  static var isInherited: Bool {
    withUnsafeCurrentTask { $0?.unownedTaskExecutor == shared.asUnownedTaskExecutor() }
  }
}
