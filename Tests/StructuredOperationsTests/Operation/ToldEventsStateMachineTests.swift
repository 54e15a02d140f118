import Testing

@testable import StructuredOperations

@Suite("ToldEventsStateMachine")
struct ToldEventsStateMachineTests {
  typealias Stage = ToldEventsStateMachine.Stage
  typealias Kind = OperationEvent.Kind

  @Test(
    "Each change is told once, and in one order",
    arguments: [
      (
        [Stage(isAdded: true, readiness: .ready), Stage(isAdded: true, isStarted: true), Stage(isFinished: true)],
        [.added, .ready, .started, .finished]
      ),
      ([Stage(isAdded: true, readiness: .blocked), Stage(isAdded: true, readiness: .blocked)], [.added, .blocked]),
      (
        [Stage(isAdded: true, readiness: .blocked), Stage(isAdded: true, readiness: .ready)],
        [.added, .blocked, .ready]
      ),
      // Chosen, and put back, as a dependency was added.
      (
        [Stage(isAdded: true, readiness: .ready), Stage(isAdded: true), Stage(isAdded: true, readiness: .ready)],
        [.added, .ready]
      ),
      (
        [Stage(isAdded: true, readiness: .ready), Stage(isAdded: true, readiness: .blocked)],
        [.added, .ready, .blocked]
      ),
      ([Stage(isAdded: true, readiness: .skipped), Stage(isFinished: true)], [.added, .finished]),
      ([Stage(readiness: .ready), Stage(isStarted: true), Stage(isFinished: true)], [.started, .finished]),
      (
        [Stage(isAdded: true, readiness: .blocked), Stage(isAdded: true, readiness: .skipped, isCancelled: true)],
        [.added, .blocked, .cancelled]
      ),
      (
        [
          Stage(isCancelled: true), Stage(isAdded: true, readiness: .skipped, isCancelled: true),
          Stage(isCancelled: true, isFinished: true),
        ],
        [.cancelled, .added, .finished]
      ),
      ([Stage(isFinished: true), Stage(isCancelled: true, isFinished: true)], [.finished]),
    ] as [([Stage], [Kind])])
  func changes(stages: [Stage], kinds: [Kind]) {
    var machine = ToldEventsStateMachine()
    var told: [Kind] = []
    for stage in stages { told += machine.changed(to: stage) }
    #expect(told == kinds)
  }

  @Test("A cancellation that nobody has observed is not told later")
  func cancelledBefore() {
    var machine = ToldEventsStateMachine(isCancelled: true)
    let kinds = machine.changed(to: Stage(isAdded: true, readiness: .skipped, isCancelled: true))
    #expect(Array(kinds) == [.added])
  }

  @Test("What a queue has not taken after all is told again by the next one")
  func withdrawn() {
    var machine = ToldEventsStateMachine()
    for _ in 0..<2 {
      let kinds = machine.changed(to: Stage(isAdded: true, readiness: .ready))
      #expect(Array(kinds) == [.added, .ready])
      machine.withdrawn()
    }
  }
}
