/// The clock of a queue, which tells the time that has passed since this was made.
///
/// Clocks of all kinds have instants of their own; what has passed is a `Duration` on each. So a machine that is told the
/// time needs to know nothing of clocks.
final class QueueClock: Sendable {
  private let read: @Sendable () -> Duration
  private let deadline: @Sendable (Duration, SleepPurpose) -> OperationSleep.Deadline

  convenience init(_ clock: any Clock<Duration>) { self.init(of: clock) }

  private init<C: Clock<Duration>>(of clock: C) {
    let start = clock.now
    read = { start.duration(to: clock.now) }
    deadline = { OperationSleep.Deadline(after: $0, since: start, on: clock, purpose: $1) }
  }

  var elapsed: Duration { read() }

  /// Suspends until that much time has passed.
  ///
  /// - Throws: `CancellationError` where the calling task is cancelled.
  nonisolated(nonsending) func sleep(until time: Duration, purpose: SleepPurpose) async throws {
    try await deadline(time, purpose).sleep()
  }
}
