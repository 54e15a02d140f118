package import Foundation

/// An operation whose dependency finishes just after Foundation's queue has read `isReady` as false, and before the
/// queue has recorded that.
///
/// With two threads this happens once in some thousand runs; here it happens in every run.
///
/// Unchecked, as its superclass is. The proof: the only variable is behind a lock.
package final class RacingOperation: Operation, @unchecked Sendable {
  private let dependency = BlockOperation {}
  /// Whether the next read of `isReady` finishes the dependency.
  private let isArmed = Locked(false)
  private let body: @Sendable () -> Void
  /// Called each time `isReady` is read as true.
  private let noticed: @Sendable (Operation) -> Void

  package init(
    noticed: @escaping @Sendable (Operation) -> Void = { _ in },
    body: @escaping @Sendable () -> Void = {}
  ) {
    self.body = body
    self.noticed = noticed
    super.init()
    addDependency(dependency)
    isArmed.withLock { $0 = true }
  }

  override package func main() { body() }

  override package var isReady: Bool {
    let isReady = super.isReady
    if isReady { noticed(self) }
    let isDue = isArmed.withLock { isArmed in
      defer { isArmed = false }
      return isArmed
    }
    if isDue { dependency.start() }
    return isReady
  }
}
