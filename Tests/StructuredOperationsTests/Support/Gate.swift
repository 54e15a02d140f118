import Foundation

/// A door that is opened once, and that tasks and threads wait at.
///
/// Unchecked, because `NSCondition` guards the variables without the compiler's knowing. The proof: they are touched
/// under it alone.
final class Gate: @unchecked Sendable {
  private let condition = NSCondition()
  private var isOpened = false
  private var waiters: [CheckedContinuation<Void, Never>] = []

  var isOpen: Bool {
    condition.lock()
    defer { condition.unlock() }
    return isOpened
  }

  /// Lets everybody through, now and later.
  func open() {
    for waiter in opened() { waiter.resume() }
  }

  private func opened() -> [CheckedContinuation<Void, Never>] {
    condition.lock()
    defer { condition.unlock() }
    defer { waiters = [] }
    isOpened = true
    condition.broadcast()
    return waiters
  }

  /// Suspends until the gate is open; cancellation does not cut the wait short.
  func wait() async {
    while !isOpen {
      await withCheckedContinuation { waiter in
        if !park(waiter) { waiter.resume() }
      }
    }
  }

  private func park(_ waiter: CheckedContinuation<Void, Never>) -> Bool {
    condition.lock()
    defer { condition.unlock() }
    if !isOpened { waiters.append(waiter) }
    return !isOpened
  }

  /// Blocks the calling thread until the gate is open.
  func waitBlocking() {
    condition.lock()
    defer { condition.unlock() }
    while !isOpened { condition.wait() }
  }
}
