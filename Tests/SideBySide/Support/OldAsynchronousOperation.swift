import Foundation

/// An asynchronous Foundation operation that finishes when `finish()` is called.
///
/// Unchecked, as its superclass is. The proof: all variables are behind a lock.
final class OldAsynchronousOperation: Operation, @unchecked Sendable {
  private let lock = NSLock()
  private var hasBegun = false
  private var hasFinished = false
  let begun = Signal()
  private let onStart: @Sendable (OldAsynchronousOperation) -> Void
  private let onCancel: @Sendable (OldAsynchronousOperation) -> Void

  init(
    onStart: @escaping @Sendable (OldAsynchronousOperation) -> Void = { _ in },
    onCancel: @escaping @Sendable (OldAsynchronousOperation) -> Void = { _ in }
  ) {
    self.onCancel = onCancel
    self.onStart = onStart
  }

  override var isAsynchronous: Bool { true }
  override var isExecuting: Bool { lock.withLock { hasBegun && !hasFinished } }
  override var isFinished: Bool { lock.withLock { hasFinished } }

  override func start() {
    guard !isCancelled else { return finish() }
    willChangeValue(forKey: "isExecuting")
    lock.withLock { hasBegun = true }
    didChangeValue(forKey: "isExecuting")
    onStart(self)
    begun.open()
  }

  override func cancel() {
    super.cancel()
    onCancel(self)
  }

  func finish() {
    willChangeValue(forKey: "isExecuting")
    willChangeValue(forKey: "isFinished")
    finishSilently()
    didChangeValue(forKey: "isExecuting")
    didChangeValue(forKey: "isFinished")
  }

  /// Finishes without a key-value notification, which is a common mistake.
  func finishSilently() {
    lock.withLock { hasFinished = true }
  }
}
