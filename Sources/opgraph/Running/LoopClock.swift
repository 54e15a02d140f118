import Synchronization

/// The time as ``CommandLoop`` keeps it, for pauses between attempts.
///
/// The sleep of the system's clocks may need a thread, which the system can refuse while commands run.
struct LoopClock: Clock {
  typealias Instant = ContinuousClock.Instant

  let loop: CommandLoop

  var now: Instant { .now }
  /// That of `poll`.
  var minimumResolution: Duration { .milliseconds(1) }

  func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let sleeper = Sleeper()
    let timer = loop.schedule(at: deadline) { sleeper.end(.success(())) }
    defer { loop.cancel(timer) }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { sleeper.begin($0) }
    } onCancel: {
      sleeper.end(.failure(CancellationError()))
    }
  }

  /// One sleep, which ends once: when the time is up, or by a cancellation.
  ///
  /// Either can come before the task sleeps.
  private final class Sleeper: Sendable {
    private enum State {
      case awake
      case asleep(CheckedContinuation<Void, any Error>)
      case ended(Result<Void, any Error>)
    }

    private let state = Mutex(State.awake)

    func begin(_ continuation: CheckedContinuation<Void, any Error>) {
      let end: Result<Void, any Error>? = state.withLock { state in
        if case .ended(let end) = state { return end }
        state = .asleep(continuation)
        return nil
      }
      if let end { continuation.resume(with: end) }
    }

    /// Does nothing if it has ended.
    func end(_ end: Result<Void, any Error>) {
      let continuation: CheckedContinuation<Void, any Error>? = state.withLock { state in
        switch state {
        case .awake:
          state = .ended(end)
          return nil
        case .asleep(let continuation):
          state = .ended(end)
          return continuation
        case .ended:
          return nil
        }
      }
      continuation?.resume(with: end)
    }
  }
}
