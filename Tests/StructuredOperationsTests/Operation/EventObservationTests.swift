import Testing

@testable import StructuredOperations

@Suite("EventObservation")
struct EventObservationTests {
  private struct Silent: OperationObserver {
    func observe(_ event: OperationEvent) {}
  }

  private static let observer = OperationObserverReference(Silent())

  /// Tells the observation how the operation stands, and whether the caller delivers that.
  private static func delivers(_ stage: ToldEventsStateMachine.Stage, _ observation: inout EventObservation) -> Bool {
    switch observation.changed(to: stage, root: nil) {
    case .deliver: true
    case .nothing: false
    case .leave: false
    }
  }

  /// The kinds of the events that are delivered, and whether that was the last one.
  private static func rest(_ observation: inout EventObservation) -> (kinds: [OperationEvent.Kind], isLast: Bool) {
    var kinds: [OperationEvent.Kind] = []
    while true {
      switch observation.next() {
      case .deliver(let event, _): kinds.append(event.kind)
      case .end(_, let isLast): return (kinds, isLast)
      }
    }
  }

  @Test("What is held is delivered by its holder, also where the operation finishes while another thread delivers")
  func finishedWhileHeld() throws {
    let operation = AsyncOperation<Void> {}
    let queue = FakeQueue()
    var observation = EventObservation()
    observation.made(operation, observer: Self.observer)

    // One thread delivers the cancellation, while another one adds the operation.
    guard case .deliver(let batch) = observation.changed(to: .init(isCancelled: true), root: nil) else {
      throw Unexpected("not delivered")
    }
    #expect(batch.kinds == [.cancelled])
    observation.assigned(.init(operation, in: queue), by: nil, isCancelled: true, isHeld: true)
    let added = ToldEventsStateMachine.Stage(isAdded: true, isCancelled: true)
    #expect(!Self.delivers(added, &observation))
    #expect(!Self.delivers(.init(isCancelled: true, isFinished: true), &observation))
    #expect(Self.rest(&observation) == ([], false))

    #expect(observation.release() == true)
    #expect(Self.rest(&observation) == ([.added, .finished], true))
  }

  @Test(
    "A cancellation that came before the addition is told to the operation's own observer alone, however late",
    arguments: [false, true])
  func withdrawnBetween(isSameQueue: Bool) {
    let operation = AsyncOperation<Void> {}
    let own = EventRecorder()
    let first = FakeQueue()
    let second = isSameQueue ? first : FakeQueue()
    var observation = EventObservation()
    observation.made(operation, observer: OperationObserverReference(own))
    observation.assigned(.init(operation, in: first), by: nil, isCancelled: false, isHeld: true)
    #expect(!Self.delivers(.init(isAdded: true, isCancelled: true), &observation))
    // The first queue refuses it, and the second one takes it before whoever added it to the first has delivered that.
    #expect(observation.withdrawn().delivers)
    observation.assigned(.init(operation, in: second), by: nil, isCancelled: true, isHeld: false)
    #expect(!Self.delivers(.init(isAdded: true, isCancelled: true), &observation))
    while case .deliver(let event, let audience) = observation.next() { audience.observe(event) }
    #expect(own.kinds(of: operation) == [.cancelled, .added])
    #expect(second.messages == [.observed(.added)])
    if !isSameQueue { #expect(first.messages == []) }
  }
}
