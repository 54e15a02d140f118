import Foundation

/// Blocks threads until a number of them have arrived.
///
/// Unchecked, because the compiler does not know that `NSCondition` guards the variables. The proof: they are only
/// accessed while it is locked.
final class Rendezvous: @unchecked Sendable {
  private let condition = NSCondition()
  private let expected: Int
  private var arrived = 0

  init(of expected: Int) {
    self.expected = expected
  }

  func arriveBlocking() {
    condition.lock()
    defer { condition.unlock() }
    arrived += 1
    if arrived >= expected { condition.broadcast() }
    while arrived < expected { condition.wait() }
  }
}
