import StructuredOperations

extension Program {
  /// What a body does on the clock: attempts, each of which sleeps in a time-out.
  ///
  /// All times are in milliseconds.
  struct TimePlan: Equatable, Sendable {
    /// How long each attempt sleeps.
    var sleep: Int
    /// Whether the sleep goes on where its task is cancelled.
    var isDeaf = false
    /// The time-out of each attempt; nil if there is none.
    var timeout: Int?
    /// How many attempts the policy allows.
    var attempts = 1
    /// How many attempts fail, apart from those whose time is up.
    var failures = 0
    /// The first pause between attempts.
    var pause = 0
    var growth = Growth.constant
    /// The time-out of the body's wait for another operation; nil if it has none.
    var waitTimeout: Int?
  }

  enum Growth: CaseIterable, Sendable {
    case constant
    /// The pauses double, up to three times the first one.
    case doubling
    /// They double, and up to half of each is left out.
    case jitter
  }
}

extension Program.TimePlan {
  var policy: OperationRetryPolicy {
    let (first, longest) = (Duration.milliseconds(pause), Duration.milliseconds(3 * pause))
    return switch growth {
    case .constant: .constant(first, attempts: attempts)
    case .doubling: .exponential(from: first, upTo: longest, attempts: attempts)
    case .jitter: .exponential(from: first, upTo: longest, attempts: attempts, jitter: 0.5)
    }
  }

  /// How long the pause after an attempt is: from, and up to.
  func pause(after attempt: Int) -> ClosedRange<Duration> {
    let whole = Duration.milliseconds(growth == .constant ? pause : [pause, 2 * pause, 3 * pause][min(attempt, 3) - 1])
    return (growth == .jitter ? whole / 2 : whole)...whole
  }
}
