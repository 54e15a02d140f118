/// Decides whether a closure ends before its time is up, and who may cancel its task.
struct TimeoutStateMachine<Handle: Sendable, Waiter: Sendable>: Sendable {
  /// From the closure's beginning on.
  private var lease = BodyTaskLease<Handle, Waiter>.none
  private(set) var hasEnded = false
  /// Whether the time was up before the closure ended.
  private(set) var isTimeUp: Bool

  init(isTimeUp: Bool) { self.isTimeUp = isTimeUp }

  /// The closure begins, in the task with that handle.
  ///
  /// - Returns: Whether it begins cancelled.
  mutating func begin(_ handle: Handle) -> Bool {
    lease = .running(handle)
    return isTimeUp
  }

  /// The time is up.
  ///
  /// - Parameter isCallerCancelled: Whether the closure is cancelled anyway, for another reason: it then has no time any
  ///   more. Not asked once the closure has ended.
  /// - Returns: The task to cancel, after which ``cancelled()`` has to follow; nil where there is none.
  mutating func timeIsUp(isCallerCancelled: () -> Bool) -> Handle? {
    if hasEnded || isCallerCancelled() { return nil }
    isTimeUp = true
    return lease.lease()
  }

  /// - Returns: Whom to wake, where the closure has ended meanwhile.
  mutating func cancelled() -> Waiter? { lease.released() }

  /// The closure has ended.
  ///
  /// - Returns: Whether its task may end, too. Where not, ``park(_:)`` until it may.
  mutating func end() -> Bool {
    hasEnded = true
    return lease.end()
  }

  /// - Returns: Whether the waiter has to wait; false if the task may end by now.
  mutating func park(_ waiter: Waiter) -> Bool { lease.park(waiter) }
}
