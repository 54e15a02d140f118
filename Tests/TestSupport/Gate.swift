import Foundation

/// A gate that is opened once, and that tasks and threads wait for.
///
/// The gate of `StructuredOperationsTesting` can be waited for by tasks alone; this one also blocks threads.
///
/// Unchecked, because the compiler does not know that `NSCondition` guards the variables. The proof: they are only
/// accessed while it is locked.
package final class Gate: @unchecked Sendable {
  private let condition = NSCondition()
  private var isOpened = false
  /// Empty once the gate is open.
  private var waiters: [CheckedContinuation<Void, Never>] = []

  package init() {}

  package var isOpen: Bool { condition.withLock { isOpened } }

  /// Lets all present and future waiters continue.
  package func open() {
    let waiters = condition.withLock {
      isOpened = true
      condition.broadcast()
      defer { self.waiters = [] }
      return self.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Suspends until the gate is open; cancellation does not end the wait early.
  package func wait() async {
    while !isOpen {
      await withCheckedContinuation { waiter in
        let isOpened = condition.withLock {
          if !self.isOpened { waiters.append(waiter) }
          return self.isOpened
        }
        if isOpened { waiter.resume() }
      }
    }
  }

  /// Blocks the calling thread until the gate is open.
  package func waitBlocking() {
    condition.withLock {
      while !isOpened { condition.wait() }
    }
  }
}
