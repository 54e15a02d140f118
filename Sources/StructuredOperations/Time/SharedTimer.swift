/// Tells many clients when a time on the continuous clock has come, with one sleep for all of them.
///
/// A sleep for each would be a call of the kernel for each, and the runtime keeps the timer of a sleep, about 700 bytes, until
/// it is due: also where the sleep was cancelled long before.
final class SharedTimer: Sendable {
  /// Somebody who waits for a time.
  protocol Client: AnyObject, Sendable {
    /// The deadline has passed. The timer calls it once at most, in a task of its own, which may be late, even after
    /// ``SharedTimer/remove(_:)``.
    func timerFired()
  }

  typealias ID = TimerScheduler<any Client>.ID

  private static let continuous = SharedTimer()

  private let start = ContinuousClock.now
  /// Not private, so that tests can count what is left in it.
  let scheduler = Guarded(TimerScheduler<any Client>())

  /// The timer of the process, where it may be used instead of a sleep on a clock.
  ///
  /// Nil for other clocks, and where the calling task has a reproducible executor, which is told of each sleep.
  static func replacing(_ clock: any Clock<Duration>) -> SharedTimer? {
    type(of: clock) == ContinuousClock.self && ReproducibleExecutors.current == nil ? continuous : nil
  }

  /// The time that has passed since the timer was made.
  var elapsed: Duration { start.duration(to: .now) }

  /// - Parameter deadline: In terms of ``elapsed``.
  func add(_ client: any Client, deadline: Duration) -> ID {
    // The system's clock may be asked under the lock.
    let (id, newSleeper) = scheduler.withLock { $0.add(client, deadline: deadline, now: elapsed) }
    if let newSleeper { startSleeper(until: newSleeper) }
    return id
  }

  func remove(_ id: ID) {
    // Freed outside of the lock.
    _ = scheduler.withLock { $0.remove(id) }
  }

  /// Starts a task that sleeps.
  ///
  /// Detached: task-local values would live for as long as it sleeps. Of high priority, since it wakes tasks of all
  /// priorities.
  private func startSleeper(until time: Duration) {
    let deadline = OperationSleep.Deadline(at: start.advanced(by: time), on: ContinuousClock(), purpose: .timeout)
    Task.detached(name: "time-outs", priority: .high) {
      // Nobody cancels the task.
      try? await deadline.sleep()
      self.sleeperWoke(dueAt: time)
    }
  }

  private func sleeperWoke(dueAt time: Duration) {
    let now = elapsed
    let (due, newSleeper) = scheduler.withLock { $0.sleeperWoke(dueAt: time, now: now) }
    if let newSleeper { startSleeper(until: newSleeper) }
    // Tasks of their own, as clients run code of the user's: one may take long, or wait for another one.
    for client in due { Task.detached(name: "time-out", priority: .high) { client.timerFired() } }
  }
}
