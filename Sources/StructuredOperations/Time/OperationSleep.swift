/// Suspends for a time: every sleep of the library.
///
/// - Throws: `CancellationError` where the calling task is cancelled.
nonisolated(nonsending) func sleep(
  for duration: Duration,
  on clock: any Clock<Duration>,
  purpose: SleepPurpose
) async throws {
  try await clock.sleep(for: duration)
}
