import StructuredOperations

/// A gate that is opened once, and that any number of tasks can wait at.
///
/// A body that waits at a gate executes for as long as a test needs it to:
///
/// ```swift
/// let gate = Gate()
/// defer { gate.open() }
/// let upload = await queue.add { await gate.wait() }
/// // …
/// gate.open()
/// ```
///
/// The `defer` is for a test that ends before, by an error or a failing `#require`: a scope would wait for the body for ever, and
/// the test run with it, since neither cancellation nor a time limit opens a gate.
public final class Gate: Sendable {
  private struct State: Sendable {
    var isOpen = false
    /// Empty once the gate is open.
    var waiters: [UnsafeContinuation<Void, Never>] = []
  }

  private let state = Guarded(State())

  /// Makes a closed gate.
  public init() {}

  /// Whether the gate has been opened.
  public var isOpen: Bool { state.withLock { $0.isOpen } }

  /// The number of tasks that wait at the gate.
  public var waiterCount: Int { state.withLock { $0.waiters.count } }

  /// Resumes all waiting tasks; later waits return at once.
  ///
  /// May be called on any thread.
  public func open() {
    let waiters = state.withLock { state in
      state.isOpen = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Suspends until the gate is open.
  ///
  /// Cancelling the waiting task does not end the wait, so it can stand for a body that ignores cancellation.
  public func wait() async {
    while !isOpen {
      await suspendTask { waiter in
        state.withLock { state in
          if !state.isOpen { state.waiters.append(waiter) }
          return !state.isOpen
        }
      }
    }
  }
}
