import Testing

@testable import StructuredOperations

@Suite("EventDeliveryStateMachine")
struct EventDeliveryStateMachineTests {
  typealias Machine = EventDeliveryStateMachine<Int, String>

  private static func next(_ machine: inout Machine) -> (event: Int?, waiters: [String]) {
    switch machine.next() {
    case .deliver(let event): (event, [])
    case .end(let waiters, _): (nil, waiters)
    }
  }

  @Test("One thread delivers what it has told itself, and then what has come up meanwhile, in order")
  func order() {
    var machine = Machine()
    #expect(machine.claim() == true)
    machine.happened(2)
    #expect(machine.claim() == false)
    machine.happened(3)
    #expect(Self.next(&machine).event == 2)
    #expect(Self.next(&machine).event == 3)
    #expect(Self.next(&machine).event == nil)
    #expect(machine.claim() == true)
  }

  @Test("Those who wait go on when everything has been delivered; where nobody delivers there is no wait")
  func waiting() {
    var machine = Machine()
    #expect(machine.wait("early") == false)
    #expect(machine.claim() == true)
    #expect(machine.wait("a") == true)
    machine.happened(1)
    #expect(Self.next(&machine).event == 1)
    #expect(machine.wait("b") == true)

    #expect(Self.next(&machine).waiters == ["a", "b"])
    #expect(machine.wait("late") == false)
  }

  @Test("What is held back is delivered by the holder alone, where nobody was delivering")
  func holding() {
    var machine = Machine()
    machine.hold()
    #expect(machine.claim() == false)
    machine.happened(1)
    #expect(machine.wait("a") == true)
    #expect(machine.release() == true)
    #expect(Self.next(&machine).event == 1)
    machine.hold()
    #expect(machine.release() == false)
    #expect(Self.next(&machine).waiters == ["a"])
  }

  @Test("What is held back while a thread delivers is left to the holder, and with it those who wait")
  func holdingMeanwhile() {
    var machine = Machine()
    #expect(machine.claim() == true)
    machine.hold()
    machine.happened(1)
    #expect(machine.wait("a") == true)
    let end = Self.next(&machine)
    #expect(end.event == nil && end.waiters.isEmpty)
    #expect(machine.release() == true)
    #expect(Self.next(&machine).event == 1)
    #expect(Self.next(&machine).waiters == ["a"])
  }

  @Test("Nothing held back: those who have waited go on all the same")
  func emptyHold() {
    var machine = Machine()
    machine.hold()
    #expect(machine.wait("a") == true)
    #expect(machine.release() == true)
    #expect(Self.next(&machine).waiters == ["a"])
  }

  @Test("Events can be taken out before they are delivered")
  func removing() {
    var machine = Machine()
    for event in 1...4 { machine.happened(event) }
    #expect(machine.removeAll { $0.isMultiple(of: 2) } == [2, 4])
    #expect(machine.claim() == true)
    #expect(Self.next(&machine).event == 1)
    #expect(Self.next(&machine).event == 3)
    #expect(Self.next(&machine).event == nil)
  }
}
