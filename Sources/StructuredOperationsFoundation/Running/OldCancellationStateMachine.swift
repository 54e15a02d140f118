/// Decides who cancels a Foundation operation: one thread, once, and not while the operation is added to its queue.
///
/// Its `cancel()` may be overridden, and finish it. Example: thread A adds it to a queue, and has found that it has not finished;
/// thread B cancels it. If it finished before Foundation has added it, Foundation would stop the program.
struct OldCancellationStateMachine<Waiter: Sendable>: Sendable {
  private enum State: Sendable {
    /// Can transition to adding, cancelling.
    case idle
    /// Can transition to idle, cancelling.
    case adding(isCancelled: Bool)
    /// A thread calls `cancel()`. Can transition to cancelled.
    case cancelling(waiters: [Waiter])
    /// Terminal.
    case cancelled
  }

  private var state = State.idle

  /// The operation is to be cancelled.
  ///
  /// - Parameter isExecuting: Whether its queue has begun with it. Then it has been added, though whoever adds it may not know yet.
  /// - Returns: Whether the caller does so, and then calls ``cancelled()``; not where another one does, or has.
  mutating func cancel(isExecuting: Bool) -> Bool {
    switch state {
    case .idle:
      state = .cancelling(waiters: [])
      return true
    case .adding(let isCancelled):
      state = isExecuting && !isCancelled ? .cancelling(waiters: []) : .adding(isCancelled: true)
      return isExecuting && !isCancelled
    case .cancelling, .cancelled: return false
    }
  }

  /// The call of `cancel()` has returned.
  ///
  /// - Returns: Those who wait for that.
  mutating func cancelled() -> [Waiter] {
    guard case .cancelling(let waiters) = state else { preconditionFailure("cancelled without a call") }
    state = .cancelled
    return waiters
  }

  /// - Returns: Whether the waiter will go on when `cancel()` has returned; false if nobody calls it.
  mutating func wait(_ waiter: Waiter) -> Bool {
    guard case .cancelling(var waiters) = state else { return false }
    waiters.append(waiter)
    state = .cancelling(waiters: waiters)
    return true
  }

  /// The operation is about to be added.
  ///
  /// - Returns: False if a call of `cancel()` has to be waited for.
  mutating func beginAdding() -> Bool {
    switch state {
    case .idle:
      state = .adding(isCancelled: false)
      return true
    case .cancelled: return true
    case .cancelling: return false
    case .adding: preconditionFailure("added twice")
    }
  }

  /// The operation has been added.
  ///
  /// - Returns: Whether the caller cancels it, and then calls ``cancelled()``.
  mutating func added() -> Bool {
    guard case .adding(let isCancelled) = state else { return false }
    state = isCancelled ? .cancelling(waiters: []) : .idle
    return isCancelled
  }
}
