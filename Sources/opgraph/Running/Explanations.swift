import StructuredOperations
import Synchronization

/// Tells on demand what keeps the operations of a run waiting.
final class Explanations: Sendable {
  /// The signal to call ``requested()`` for.
  static let signal = SIGUSR1

  /// Writes the explanation, which may block while its reader is slow, so that it must not be the loop's thread.
  private let executor: any TaskExecutor
  private struct Run {
    let queue: AsyncOperationQueue
    let isPausing: @Sendable (_ id: String) -> Bool
  }

  /// Nil until the run begins, and after it.
  private let run = Mutex<Run?>(nil)

  init(executor: any TaskExecutor) {
    self.executor = executor
  }

  /// - Parameter isPausing: Whether an operation is in a pause between two attempts.
  func runBegan(_ queue: AsyncOperationQueue, isPausing: @escaping @Sendable (_ id: String) -> Bool) {
    run.withLock { $0 = Run(queue: queue, isPausing: isPausing) }
  }

  func runEnded() {
    run.withLock { $0 = nil }
  }

  /// Writes to standard error why operations wait; does not wait for that, and is not to be called by a signal handler.
  func requested() {
    guard let run = run.withLock(\.self) else { return Descriptor.complainAtOnce("no operation is running") }
    Task(executorPreference: executor) {
      Descriptor.complain(lines: ExplanationText(await run.queue.explanation, isPausing: run.isPausing).description)
    }
  }
}
