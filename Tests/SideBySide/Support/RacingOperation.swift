import Foundation

/// An operation whose dependency finishes just after its queue has read that it is not ready, and before the queue has
/// written that down: each time what two threads do once in some thousands of times.
///
/// Unchecked as its superclass is. The proof: what changes is behind a lock.
final class RacingOperation: Operation, @unchecked Sendable {
  private let lock = NSLock()
  private let dependency = BlockOperation {}
  private var isArmed = false
  private let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
    super.init()
    addDependency(dependency)
    isArmed = true
  }

  override func main() { body() }

  override var isReady: Bool {
    let isReady = super.isReady
    let isDue = lock.withLock {
      defer { isArmed = false }
      return isArmed
    }
    if isDue { dependency.start() }
    return isReady
  }
}
