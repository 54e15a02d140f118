import Testing

@testable import StructuredOperations

@Suite("TimeoutStateMachine")
struct TimeoutStateMachineTests {
  private typealias Machine = TimeoutStateMachine<String, String>

  @Test("A closure that ends before its time is in time, whatever comes then")
  func inTime() {
    var machine = Machine(isTimeUp: false)
    #expect(machine.begin("task") == false)
    #expect(!machine.hasEnded)
    #expect(machine.end() == true)
    #expect(machine.hasEnded)

    let late = machine.timeIsUp {
      Issue.record("the caller may be gone")
      return false
    }
    #expect(late == nil && !machine.isTimeUp)
  }

  @Test("A closure whose time comes first is cancelled, and its task ends once that is done", arguments: [false, true])
  func timeUp(isParked: Bool) {
    var machine = Machine(isTimeUp: false)
    _ = machine.begin("task")
    #expect(machine.timeIsUp { false } == "task")
    #expect(machine.isTimeUp)
    #expect(machine.end() == false)
    #expect(machine.hasEnded)
    if isParked {
      #expect(machine.park("waiter") == true)
      #expect(machine.cancelled() == "waiter")
    } else {
      #expect(machine.cancelled() == nil)
      #expect(machine.park("waiter") == false)
    }
    #expect(machine.isTimeUp)
  }

  @Test("A closure whose task is free again ends at once")
  func cancelledBefore() {
    var machine = Machine(isTimeUp: false)
    _ = machine.begin("task")
    _ = machine.timeIsUp { false }
    #expect(machine.cancelled() == nil)
    #expect(machine.end() == true)
    #expect(machine.isTimeUp)
  }

  @Test("A closure whose time is up before it begins, begins cancelled", arguments: [false, true])
  func beforeTheBeginning(hasNone: Bool) {
    var machine = Machine(isTimeUp: hasNone)
    if !hasNone { #expect(machine.timeIsUp { false } == nil) }
    #expect(machine.begin("task") == true)
    #expect(machine.end() == true)
    #expect(machine.isTimeUp)
  }

  @Test("Where the caller is cancelled there is no time any more", arguments: [false, true])
  func callerCancelled(hasBegun: Bool) {
    var machine = Machine(isTimeUp: false)
    if hasBegun { _ = machine.begin("task") }
    #expect(machine.timeIsUp { true } == nil)
    if !hasBegun { #expect(machine.begin("task") == false) }
    #expect(machine.end() == true)
    #expect(!machine.isTimeUp)
  }
}
