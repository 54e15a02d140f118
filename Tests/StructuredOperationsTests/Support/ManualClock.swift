import StructuredOperationsTesting
import TestSupport

/// A virtual clock that counts how often it is asked for the time, and what sleeps.
final class ManualClock: Clock, Sendable {
  typealias Instant = VirtualClock.Instant

  private struct State: Sendable {
    var readCount = 0
    var sleepCount = 0
    var deadlines: [Instant] = []
    var onSleep: (@Sendable () -> Void)?
  }

  private let clock = VirtualClock()
  private let start: Instant
  private let state = Locked(State())

  init() { start = clock.now }

  var now: Instant {
    state.withLock { $0.readCount += 1 }
    return clock.now
  }

  var minimumResolution: Duration { .zero }

  /// The time that has passed; does not count as asking.
  var elapsed: Duration { start.duration(to: clock.now) }

  /// How often the clock was asked for the time.
  var readCount: Int { state.current.readCount }

  /// How many sleeps have begun, those that were over at once not included.
  var sleepCount: Int { state.current.sleepCount }

  /// How many sleep now.
  var sleeperCount: Int { clock.sleeperCount }

  /// When the only sleeper wakes; nil where there is none, or more than one.
  var nextDeadline: Duration? {
    let deadlines = state.current.deadlines
    return deadlines.count == 1 ? start.duration(to: deadlines[0]) : nil
  }

  /// Has something called by each task that is about to sleep.
  func onSleep(_ call: @escaping @Sendable () -> Void) { state.withLock { $0.onSleep = call } }

  func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    state.current.onSleep?()
    state.withLock { state in
      state.deadlines.append(deadline)
      if deadline > clock.now { state.sleepCount += 1 }
    }
    defer {
      state.withLock { state in _ = state.deadlines.firstIndex(of: deadline).map { state.deadlines.remove(at: $0) } }
    }
    try await clock.sleep(until: deadline, tolerance: tolerance)
  }

  func advance(by duration: Duration) { clock.advance(by: duration) }

  /// Goes to the time at which the first sleeper wakes.
  func advanceToNext() { clock.advanceToNext() }
}
