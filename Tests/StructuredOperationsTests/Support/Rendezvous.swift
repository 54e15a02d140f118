import Foundation

/// Where threads block until a number of them are there at the same time.
///
/// Unchecked for the same reason as ``Gate``.
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
