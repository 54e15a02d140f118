import Foundation

/// An operation whose dependency finishes just after its queue has read that it is not ready, and before the queue has
/// written that down: each time what two threads do once in some thousands of times.
///
/// Unchecked as its superclass is. The proof: what changes is behind a lock.
final class RacingOperation: Operation, @unchecked Sendable {
  private let dependency = OldOperation()
  private let isArmed = Locked(false)
  /// Told each time that the operation is read to be ready.
  private let noticed: @Sendable (Operation) -> Void

  init(noticed: @escaping @Sendable (Operation) -> Void = { _ in }) {
    self.noticed = noticed
    super.init()
    addDependency(dependency)
    isArmed.withLock { $0 = true }
  }

  override var isReady: Bool {
    let isReady = super.isReady
    if isReady { noticed(self) }
    let isDue = isArmed.withLock { isArmed in
      defer { isArmed = false }
      return isArmed
    }
    if isDue { dependency.end(nil) }
    return isReady
  }
}
