/// Decides what follows a failed attempt: nothing, or another one after a pause.
///
/// An attempt that fails is told by ``failed(_:)``; where that asks, ``retry(shortenedBy:)`` gives the pause.
struct RetryStateMachine: Sendable {
  private let policy: OperationRetryPolicy
  /// The number of the attempt that is under way, or that was the last; from 1 on.
  private(set) var attempt = 1
  /// The pause after the present attempt, without jitter; never above the longest.
  private var pause: Duration

  init(_ policy: OperationRetryPolicy) {
    self.policy = policy
    switch policy.pauses {
    case .none: pause = .zero
    case .constant(let duration): pause = duration
    case .exponential(let first, _, let longest, _): pause = min(first, longest)
    }
  }

  /// How an attempt failed.
  enum Failure: Equatable, Sendable {
    /// With a `CancellationError`, whoever was cancelled.
    case cancellation
    /// With any error, in a task that has been cancelled.
    case inCancelledTask
    case error
  }

  /// What the caller of ``failed(_:)`` does next.
  enum FailureAction: Equatable, Sendable {
    /// The error is thrown.
    case giveUp
    /// The user's condition decides about ``retry(shortenedBy:)``.
    case askCondition
  }

  func failed(_ failure: Failure) -> FailureAction {
    switch failure {
    case .cancellation, .inCancelledTask: .giveUp
    case .error: attempt < policy.attempts ? .askCondition : .giveUp
    }
  }

  /// Whether the next pause depends on chance.
  var hasJitter: Bool {
    if case .exponential(_, _, _, let jitter) = policy.pauses { jitter > 0 && pause > .zero } else { false }
  }

  /// Goes on to the next attempt.
  ///
  /// - Parameter part: How much of the jitter the pause is shortened by, from 0 to 1.
  /// - Returns: The pause before it.
  mutating func retry(shortenedBy part: Double = 0) -> Duration {
    precondition(attempt < policy.attempts, "attempt \(attempt) of \(policy.attempts) is the last")
    attempt += 1
    switch policy.pauses {
    case .none, .constant: return pause
    case .exponential(_, let factor, let longest, let jitter):
      defer { pause = Self.product(pause, factor, upTo: longest) }
      return max(.zero, pause - pause * (jitter * part))
    }
  }

  /// Without overflow, however large the factor.
  private static func product(_ pause: Duration, _ factor: Double, upTo longest: Duration) -> Duration {
    if pause == .zero { return .zero }
    if pause >= longest / factor { return longest }
    // Whole factors without rounding: three times 0.1 s is 0.3 s.
    if let whole = Int(exactly: factor) { return min(pause * whole, longest) }
    return min(pause * factor, longest)
  }
}
