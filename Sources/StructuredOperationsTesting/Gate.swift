import StructuredOperations

/// A door that is opened once, and that tasks wait at: bodies that execute as long as a test wants them to.
///
/// ```swift
/// let gate = Gate()
/// let upload = await queue.add { await gate.wait() }
/// …
/// gate.open()
/// ```
public final class Gate: Sendable {
  private struct State: Sendable {
    var isOpen = false
    /// Empty once the gate is open.
    var waiters: [UnsafeContinuation<Void, Never>] = []
  }

  private let state = Guarded(State())

  /// Makes a gate that is closed.
  public init() {}

  /// Whether the gate has been opened.
  public var isOpen: Bool { state.withLock { $0.isOpen } }

  /// How many tasks wait at the gate.
  public var waiterCount: Int { state.withLock { $0.waiters.count } }

  /// Lets everybody through, now and later; may be called on any thread.
  public func open() {
    let waiters = state.withLock { state in
      state.isOpen = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Suspends until the gate is open, without holding a thread.
  ///
  /// Cancelling the waiting task does not cut the wait short: so a body can be tried that heeds no cancellation.
  public func wait() async {
    while !isOpen {
      await withUnsafeContinuation { waiter in
        let isOpen = state.withLock { state in
          if !state.isOpen { state.waiters.append(waiter) }
          return state.isOpen
        }
        if isOpen { waiter.resume() }
      }
    }
  }
}
