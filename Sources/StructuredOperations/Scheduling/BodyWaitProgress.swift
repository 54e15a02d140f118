/// Decides when a wait of a body is over and when the body goes on, which may be later: it needs its slot back.
///
/// The wait is for several things, or for one. Whoever ends it, be it the last of those or the finding that it could
/// never end, learns that it was the one, and sees to the slot.
struct BodyWaitProgress<Loop: Sendable, Sleeper: Sendable>: Sendable {
  /// How a wait ends.
  enum End: Sendable {
    case done
    /// What is waited for waits for the body in its turn.
    case deadlock(Loop)
  }

  private enum Phase: Sendable {
    /// Can transition to over, goesOn.
    case waiting
    /// Nothing is waited for any more but the slot. Can transition to goesOn.
    case over(End)
    /// Terminal.
    case goesOn(End)
  }

  private var phase = Phase.waiting
  /// What has not finished yet.
  private var remaining: Int
  private var sleeper: Sleeper?
  /// Whether the end has been found out of reach, and somebody sees to it that it comes all the same.
  private(set) var isGivenUp = false

  init(for count: Int) {
    remaining = count
  }

  var isOver: Bool {
    switch phase {
    case .waiting: false
    case .over, .goesOn: true
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

  /// The wait ends now.
  ///
  /// - Returns: Whether it had not ended before.
  mutating func end(_ end: End) -> Bool {
    guard case .waiting = phase else { return false }
    phase = .over(end)
    return true
  }

  /// The end is out of reach.
  ///
  /// - Returns: Whether nobody has found that before.
  mutating func giveUp() -> Bool {
    defer { isGivenUp = true }
    return !isGivenUp
  }

  /// The wait is over, and the body has its slot.
  ///
  /// - Returns: Whom to wake.
  mutating func goOn() -> Sleeper? {
    guard case .over(let end) = phase else { preconditionFailure("a body went on in phase \(phase)") }
    phase = .goesOn(end)
    return sleeper.take()
  }

  /// How the wait ended, once the body may go on; nil until then, where the sleeper is kept to be woken.
  mutating func sleep(_ sleeper: Sleeper) -> End? {
    if let end = endToGoOnWith { return end }
    self.sleeper = sleeper
    return nil
  }

  /// How the wait ended; nil as long as the body may not go on.
  var endToGoOnWith: End? {
    if case .goesOn(let end) = phase { end } else { nil }
  }
}
