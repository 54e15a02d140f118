/// Decides when a wait of a body is over, and when the body resumes, which may be later: it needs its slot back.
///
/// The wait is for several things, or for one. Whoever ends it, by the last of those or by the finding that the wait
/// would deadlock, learns that it was the one, and sees to the slot.
struct BodyWaitProgress<Loop: Sendable, Waiter: Sendable>: Sendable {
  /// How a wait ends.
  enum End: Sendable {
    case done
    /// What the body waits for waits for the body.
    case deadlock(Loop)
    /// The body's task was cancelled.
    case cancelled
  }

  private enum State: Sendable {
    /// Can transition to over.
    case waiting
    /// Only the slot is waited for. Can transition to resumed.
    case over(End)
    /// Terminal.
    case resumed(End)
  }

  private var state = State.waiting
  /// How many have not finished yet.
  private var remaining: Int
  private var waiter: Waiter?
  /// Whether the end was found out of reach, so that the scope that is waited for is cancelled.
  private(set) var isAbandoned = false

  init(for count: Int) {
    remaining = count
  }

  var isOver: Bool {
    switch state {
    case .waiting: false
    case .over, .resumed: true
    }
  }

  /// One of what is waited for has finished.
  ///
  /// - Returns: Whether the wait is over with it.
  mutating func finishedOne() -> Bool {
    precondition(remaining > 0, "more finished than was waited for")
    remaining -= 1
    return remaining == 0 && end(.done)
  }

  /// - Returns: Whether the wait had not ended before.
  mutating func end(_ end: End) -> Bool {
    guard case .waiting = state else { return false }
    state = .over(end)
    return true
  }

  /// - Returns: Whether nobody has found that before.
  mutating func abandon() -> Bool {
    defer { isAbandoned = true }
    return !isAbandoned
  }

  /// The wait is over, and the body has its slot.
  ///
  /// - Returns: Whom to resume.
  mutating func resume() -> Waiter? {
    guard case .over(let end) = state else { preconditionFailure("a body resumed in state \(state)") }
    state = .resumed(end)
    return waiter.take()
  }

  /// - Returns: Whether the waiter is kept until the body may resume; false if it may already.
  mutating func park(_ waiter: Waiter) -> Bool {
    if endOnceResumed != nil { return false }
    self.waiter = waiter
    return true
  }

  /// How the wait ended; nil as long as the body may not resume.
  var endOnceResumed: End? {
    if case .resumed(let end) = state { end } else { nil }
  }
}
