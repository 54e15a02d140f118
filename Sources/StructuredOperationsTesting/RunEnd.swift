import StructuredOperations

/// Where a task leaves what it came to.
final class RunEnd<Output: Sendable>: Sendable {
  private let stored = Guarded<Result<Output, any Error>?>(nil)

  /// Nil until the task has ended.
  var result: Result<Output, any Error>? {
    get { stored.withLock { $0 } }
    set { stored.withLock { $0 = newValue } }
  }
}
