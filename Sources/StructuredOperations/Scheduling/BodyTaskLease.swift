/// Decides who may use the handle of the task that runs a body, which is valid only as long as that task lives.
///
/// Between ``cancel()`` and ``cancelled()`` the canceller uses the handle, outside of any lock, because cancelling a
/// task runs code of the user's. For that time the operation may not finish: its task might end, or run the body of
/// another operation.
enum BodyTaskLease<Handle: Sendable, Waiter: Sendable>: Sendable {
  /// No body runs. Can transition to running.
  case none
  /// Can transition to cancelling, none.
  case running(Handle)
  /// The canceller uses the handle. Can transition to cancellingAwaited, cancelled.
  case cancelling
  /// So it does, and the body has ended meanwhile. Can transition to none.
  case cancellingAwaited(Waiter)
  /// The handle has been used and is used no more. Can transition to none.
  case cancelled

  mutating func begin(_ handle: Handle) {
    guard case .none = self else { preconditionFailure("a body began while another ran") }
    self = .running(handle)
  }

  /// - Returns: The handle to cancel, after which ``cancelled()`` has to follow; nil where the body has ended.
  mutating func cancel() -> Handle? {
    guard case .running(let handle) = self else { return nil }
    self = .cancelling
    return handle
  }

  /// - Returns: Whom to wake, where somebody waits to finish.
  mutating func cancelled() -> Waiter? {
    switch self {
    case .cancelling:
      self = .cancelled
      return nil
    case .cancellingAwaited(let waiter):
      self = .none
      return waiter
    case .none, .running, .cancelled:
      preconditionFailure("a body's task was cancelled that nobody had leased")
    }
  }

  /// The body has ended.
  ///
  /// - Returns: Whether the handle is free. Where not, ``park(_:)`` until it is.
  mutating func end() -> Bool {
    switch self {
    case .running, .cancelled:
      self = .none
      return true
    case .cancelling:
      return false
    case .none, .cancellingAwaited:
      preconditionFailure("a body ended twice")
    }
  }

  /// - Returns: Whether the waiter has to wait; false where the handle has been freed since ``end()``.
  mutating func park(_ waiter: Waiter) -> Bool {
    switch self {
    case .cancelling:
      self = .cancellingAwaited(waiter)
      return true
    case .cancelled:
      self = .none
      return false
    case .none, .running, .cancellingAwaited:
      preconditionFailure("waited for a lease that nobody holds")
    }
  }
}
