import StructuredOperations

/// The events of a run, in order.
final class EventLog: Sendable {
  private struct State: Sendable {
    var events: [Event] = []
    var lastNumber = 0
  }

  private let state = Guarded(State())

  var events: [Event] { state.withLock { $0.events } }

  func append(_ event: Event) { state.withLock { $0.events.append(event) } }

  /// A number that has not been used in this run.
  func number() -> Int {
    state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
  }
}
