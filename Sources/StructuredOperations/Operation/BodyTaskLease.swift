/// Decides who may use the handle of the task that runs a body, which is valid only as long as that task lives.
///
/// Between ``lease()`` and ``released()`` somebody uses the handle, outside of any lock, because cancelling a task or
/// raising its priority runs code of the user's. For that time the operation may not finish: its task might end, or run
/// the body of another operation.
enum BodyTaskLease<Handle: Sendable, Waiter: Sendable>: Sendable {
  /// No body runs any more, or it runs in its caller's task. Terminal.
  case none
  /// Can transition to leased, none.
  case running(Handle)
  /// Somebody uses the handle. Can transition to running, awaited.
  case leased(Handle, users: UInt32)
  /// Somebody uses the handle, and the body has ended meanwhile. Can transition to none.
  case awaited(Waiter, users: UInt32)

  /// - Returns: The handle, after whose use ``released()`` has to follow; nil if the body has ended.
  mutating func lease() -> Handle? {
    switch self {
    case .none, .awaited: return nil
    case .running(let handle):
      self = .leased(handle, users: 1)
      return handle
    case .leased(let handle, let users):
      self = .leased(handle, users: users + 1)
      return handle
    }
  }

  /// - Returns: Whom to wake, where somebody waits to finish.
  mutating func released() -> Waiter? {
    switch self {
    case .leased(let handle, 1): self = .running(handle)
    case .leased(let handle, let users): self = .leased(handle, users: users - 1)
    case .awaited(let waiter, 1):
      self = .none
      return waiter
    case .awaited(let waiter, let users): self = .awaited(waiter, users: users - 1)
    case .none, .running: preconditionFailure("a body's task was given back that nobody had leased")
    }
    return nil
  }

  /// The body has ended; may be told again as long as nobody has waited for the handle.
  ///
  /// - Returns: Whether the handle is free. Where not, ``park(_:)`` until it is.
  mutating func end() -> Bool {
    switch self {
    case .none: return true
    case .running:
      self = .none
      return true
    case .leased: return false
    case .awaited: preconditionFailure("a body ended and was waited for already")
    }
  }

  /// - Returns: Whether the waiter has to wait; false if the handle has been freed since ``end()``.
  mutating func park(_ waiter: Waiter) -> Bool {
    switch self {
    case .leased(_, let users):
      self = .awaited(waiter, users: users)
      return true
    case .running:
      self = .none
      return false
    case .none, .awaited: preconditionFailure("waited for a lease that nobody holds")
    }
  }
}
