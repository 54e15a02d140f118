import StructuredOperations
import StructuredOperationsTesting

/// The events of a run, in order, and their times where there is a clock.
final class EventLog: Sendable {
  private struct State: Sendable {
    var events: [Event] = []
    var times: [Duration] = []
    var lastNumber = 0
  }

  private let state = Guarded(State())
  private let clock: VirtualClock?
  private let origin: VirtualClock.Instant?

  init(clock: VirtualClock?) {
    self.clock = clock
    origin = clock?.now
  }

  var events: [Event] { state.withLock { $0.events } }

  /// What had passed on the clock at each event; empty where there is none.
  var times: [Duration] { state.withLock { $0.times } }

  func append(_ event: Event) {
    let time = clock.flatMap { clock in origin?.duration(to: clock.now) }
    state.withLock { state in
      state.events.append(event)
      if let time { state.times.append(time) }
    }
  }

  /// A number that has not been used in this run.
  func number() -> Int {
    state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
  }
}
