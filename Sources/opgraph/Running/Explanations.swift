import StructuredOperations
import Synchronization

/// Tells on demand what keeps the operations of a run waiting.
final class Explanations: Sendable {
  /// The signal to call ``requested()`` for.
  static let signal = SIGUSR1

  /// Writes the explanation, which may block while its reader is slow, so that it must not be the loop's thread.
  private let executor: any TaskExecutor
  /// Nil until the run begins, and after it.
  private let queue = Mutex<AsyncOperationQueue?>(nil)

  init(executor: any TaskExecutor) {
    self.executor = executor
  }

  func runBegan(_ queue: AsyncOperationQueue) {
    self.queue.withLock { $0 = queue }
  }

  func runEnded() {
    queue.withLock { $0 = nil }
  }

  /// Writes to standard error why operations wait; does not wait for that, and is not to be called by a signal handler.
  func requested() {
    guard let queue = queue.withLock(\.self) else { return Descriptor.complainAtOnce("no operation is running") }
    Task(executorPreference: executor) {
      Descriptor.complain(ExplanationText(await queue.explanation).description)
    }
  }
}
