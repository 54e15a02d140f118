import StructuredOperations

/// A clock whose time goes on only when a test says so, and that counts how often it is asked.
package final class ManualClock: Clock, Sendable {
  package struct Instant: InstantProtocol, Hashable {
    package let offset: Duration

    package func advanced(by duration: Duration) -> Self { Self(offset: offset + duration) }
    package func duration(to other: Self) -> Duration { other.offset - offset }
    package static func < (one: Self, other: Self) -> Bool { one.offset < other.offset }
  }

  private struct State: Sendable {
    var now = Duration.zero
    var sleepers: [Int: (deadline: Duration, continuation: UnsafeContinuation<Void, any Error>)] = [:]
    var cancelled: Set<Int> = []
    var nextSleeper = 0
    var readCount = 0
    var sleepCount = 0
    var onSleep: (@Sendable () -> Void)?
  }

  private let state = Guarded(State())

  package init() {}

  package var now: Instant {
    state.withLock { state in
      state.readCount += 1
      return Instant(offset: state.now)
    }
  }

  package var minimumResolution: Duration { .zero }

  /// The time that has passed; does not count as asking.
  package var elapsed: Duration { state.withLock { $0.now } }

  /// How often the clock was asked for the time.
  package var readCount: Int { state.withLock { $0.readCount } }

  /// How many sleeps have begun, those that were over at once not included.
  package var sleepCount: Int { state.withLock { $0.sleepCount } }

  /// How many sleep now.
  package var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// When the first of them wakes.
  package var nextDeadline: Duration? { state.withLock { $0.sleepers.values.map(\.deadline).min() } }

  /// Has something called by each task that is about to sleep.
  package func onSleep(_ call: @escaping @Sendable () -> Void) { state.withLock { $0.onSleep = call } }

  package nonisolated(nonsending) func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    state.withLock { $0.onSleep }?()
    let sleeper = state.withLock { state in
      defer { state.nextSleeper += 1 }
      return state.nextSleeper
    }
    defer { state.withLock { _ = $0.cancelled.remove(sleeper) } }
    try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation { continuation in
        let result: Result<Void, any Error>? = state.withLock { state in
          if state.cancelled.contains(sleeper) { return .failure(CancellationError()) }
          if deadline.offset <= state.now { return .success(()) }
          state.sleepCount += 1
          state.sleepers[sleeper] = (deadline.offset, continuation)
          return nil
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      let continuation = state.withLock { state in
        state.cancelled.insert(sleeper)
        return state.sleepers.removeValue(forKey: sleeper)?.continuation
      }
      continuation?.resume(throwing: CancellationError())
    }
  }

  /// Lets time pass; wakes those whose time has come, and waits for nobody.
  package func advance(by duration: Duration) {
    let due = state.withLock { state in
      let now = state.now + duration
      state.now = now
      let due = state.sleepers.filter { $0.value.deadline <= now }.sorted { $0.key < $1.key }
      for sleeper in due { state.sleepers[sleeper.key] = nil }
      return due.map(\.value.continuation)
    }
    for continuation in due { continuation.resume() }
  }

  /// Goes to the time at which the first sleeper wakes.
  ///
  /// - Returns: Whether somebody slept.
  @discardableResult
  package func advanceToNext() -> Bool {
    guard let deadline = nextDeadline else { return false }
    advance(by: max(.zero, deadline - elapsed))
    return true
  }
}
