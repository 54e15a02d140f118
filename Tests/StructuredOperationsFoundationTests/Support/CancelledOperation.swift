import Foundation
import TestSupport

/// A Foundation operation that finishes in `cancel()`, as asynchronous ones often do, and counts how often it is called.
///
/// Unchecked, as its superclass is. The proof: all variables are behind a lock, or never change.
final class FinishingOnCancel: Operation, @unchecked Sendable {
  private let flags = Locked((isExecuting: false, isFinished: false, cancels: 0))
  private let added: @Sendable (FinishingOnCancel) -> Void
  /// Opened when the operation is started.
  let begun = Gate()

  /// - Parameter added: Called when Foundation asks whether it is ready, as when it is added to a queue.
  init(added: @escaping @Sendable (FinishingOnCancel) -> Void = { _ in }) {
    self.added = added
  }

  override var isAsynchronous: Bool { true }
  override var isExecuting: Bool { flags.current.isExecuting }
  override var isFinished: Bool { flags.current.isFinished }
  override var isReady: Bool {
    added(self)
    return super.isReady
  }
  var cancelCount: Int { flags.current.cancels }

  override func start() {
    if isCancelled || isFinished { return finish() }
    willChangeValue(forKey: "isExecuting")
    flags.withLock { $0.isExecuting = true }
    didChangeValue(forKey: "isExecuting")
    begun.open()
  }

  override func cancel() {
    flags.withLock { $0.cancels += 1 }
    super.cancel()
    finish()
  }

  private func finish() {
    willChangeValue(forKey: "isExecuting")
    willChangeValue(forKey: "isFinished")
    flags.withLock { flags in
      flags.isExecuting = false
      flags.isFinished = true
    }
    didChangeValue(forKey: "isExecuting")
    didChangeValue(forKey: "isFinished")
  }
}
