/// The clock of a queue, which tells the time that has passed since this value was made.
///
/// Clocks of all kinds have instants of their own; what has passed is a `Duration` on each. So a machine that is told the
/// time needs to know nothing of clocks.
struct QueueClock: Sendable {
  private let clock: any Clock<Duration>
  private let read: @Sendable () -> Duration

  init(_ clock: any Clock<Duration>) {
    self.clock = clock
    read = Self.reader(of: clock)
  }

  var elapsed: Duration { read() }

  /// Suspends until that much time has passed, or for a hundred years: the caller looks at the clock again.
  ///
  /// Clocks cannot be asked for any time whatever: the runtime's count nanoseconds in 64 bits.
  ///
  /// - Throws: `CancellationError` where the calling task is cancelled.
  nonisolated(nonsending) func sleep(until time: Duration, purpose: SleepPurpose) async throws {
    let remaining = time - elapsed
    if remaining <= .zero { return }
    try await StructuredOperations.sleep(for: min(remaining, .seconds(3_155_760_000)), on: clock, purpose: purpose)
  }

  private static func reader(of clock: some Clock<Duration>) -> @Sendable () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }
}
