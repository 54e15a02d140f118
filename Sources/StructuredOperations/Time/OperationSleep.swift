/// A stretch of time for which a task of the library sleeps, and the only way in which it does.
///
/// Executors of tests hear of each: what is left to run there depends on whose clock a sleep is for.
package struct OperationSleep: Sendable {
  package let purpose: SleepPurpose
  /// Only this one is asked what time it is.
  package let clock: any Clock<Duration>

  /// When a time is over that begins now, whoever sleeps until then.
  static func end(of duration: Duration, on clock: any Clock<Duration>, purpose: SleepPurpose) -> Deadline {
    deadline(after: duration, on: clock, purpose)
  }

  /// A hundred years, since the runtime's clocks count nanoseconds in 64 bits; what takes longer is slept in parts, except on
  /// an ``UnboundedClock``.
  static let longest = Duration.seconds(3_155_760_000)

  private static func deadline(
    after duration: Duration,
    on clock: some Clock<Duration>,
    _ purpose: SleepPurpose
  ) -> Deadline {
    Deadline(after: duration, since: clock.now, on: clock, purpose: purpose)
  }

  /// The moment at which a sleep ends.
  struct Deadline: Sendable {
    private let sleepUntil: @concurrent @Sendable () async throws -> Void
    private let isOver: @Sendable () -> Bool
    private let details: OperationSleep

    init<C: Clock<Duration>>(at instant: C.Instant, on clock: C, purpose: SleepPurpose) {
      self.init(after: .zero, since: instant, on: clock, purpose: purpose)
    }

    /// - Parameter start: The deadline comes that long after it.
    init<C: Clock<Duration>>(
      after duration: Duration,
      since start: C.Instant,
      on clock: C,
      purpose: SleepPurpose
    ) {
      sleepUntil = {
        var passed = clock is any UnboundedClock ? duration : min(duration, longest)
        try await clock.sleep(until: start.advanced(by: passed), tolerance: nil)
        while passed < duration {
          // A test may have moved its clock over many parts at once.
          passed = max(passed, start.duration(to: clock.now))
          passed += min(longest, duration - passed)
          try await clock.sleep(until: start.advanced(by: passed), tolerance: nil)
        }
      }
      isOver = { start.duration(to: clock.now) >= duration }
      details = OperationSleep(purpose: purpose, clock: clock)
    }

    /// Whether the clock has come to it; a sleeper may not have noticed yet.
    var hasPassed: Bool { isOver() }

    /// Suspends the calling task until then.
    ///
    /// - Throws: What the clock throws: `CancellationError` where the task is cancelled.
    nonisolated(nonsending) func sleep() async throws {
      let executor = ReproducibleExecutors.current
      let id = executor?.sleepBegan(details)
      defer { if let id { executor?.sleepEnded(id) } }
      try await sleepUntil()
    }
  }
}
