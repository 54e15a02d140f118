import Testing

@testable import StructuredOperations

@Suite("QueueTimeStateMachine")
struct QueueTimeStateMachineTests {
  private typealias Alarm = QueueTimeStateMachine.Alarm

  private static func machine(_ count: Int = 1, per seconds: Int = 10) -> QueueTimeStateMachine {
    var machine = QueueTimeStateMachine(now: .zero)
    machine.setStartRate(OperationStartRate(count, per: .seconds(seconds)))
    return machine
  }

  @Test("It needs the time only with a start rate or a timed suspension")
  func needsTime() {
    var machine = QueueTimeStateMachine(now: .zero)
    #expect(!machine.needsTime)
    machine.setStartRate(OperationStartRate(1, per: .seconds(1)))
    #expect(machine.needsTime)
    machine.setStartRate(nil)
    #expect(!machine.needsTime)
    machine.suspend(for: .seconds(1))
    #expect(machine.needsTime)
    machine.cancelResumption()
    #expect(!machine.needsTime)
  }

  @Test("The rate holds starts until the very moment at which the next one may begin")
  func exact() {
    var machine = Self.machine()
    #expect(!machine.holdsStarts)
    #expect(machine.started() == .zero)
    #expect(machine.holdsStarts)
    machine.timePassed(to: .seconds(10) - .nanoseconds(1))
    #expect(machine.holdsStarts)
    machine.timePassed(to: .seconds(10))
    #expect(!machine.holdsStarts)
  }

  @Test("Without a rate nothing is held, and no start counts")
  func noRate() {
    var machine = QueueTimeStateMachine(now: .zero)
    #expect(machine.started() == nil)
    #expect(machine.possibleStarts(upTo: 64) == 64)
    machine.setStartRate(OperationStartRate(1, per: .seconds(10)))
    #expect(!machine.holdsStarts)
  }

  @Test("What leaves unrun has not begun, and what began at another time counts")
  func leftUnrun() {
    var machine = Self.machine(2)
    #expect(machine.started() == .zero)
    machine.timePassed(to: .seconds(1))
    #expect(machine.started() == .seconds(1))
    #expect(machine.holdsStarts)
    machine.leftUnrun(.seconds(1))
    #expect(!machine.holdsStarts)
    #expect(machine.started() == .seconds(1))
    #expect(machine.holdsStarts)
    machine.leftUnrun(.seconds(2))
    #expect(machine.holdsStarts)
  }

  @Test("What was chosen ahead counts from the time at which it began")
  func chosenAhead() {
    var machine = Self.machine(3)
    #expect(machine.started() == .zero)
    #expect(machine.possibleStarts(upTo: 64) == 2)
    machine.started(at: [.seconds(1), .seconds(4)])
    machine.timePassed(to: .seconds(5))
    #expect(machine.holdsStarts && machine.possibleStarts(upTo: 64) == 0)
    machine.timePassed(to: .seconds(11))
    #expect(!machine.holdsStarts && machine.possibleStarts(upTo: 64) == 2 && machine.possibleStarts(upTo: 1) == 1)
  }

  @Test("A clock that goes back does not take time back")
  func back() {
    var machine = Self.machine()
    machine.timePassed(to: .seconds(5))
    machine.timePassed(to: .seconds(3))
    #expect(machine.now == .seconds(5))
    machine.started(at: [.seconds(7)])
    machine.timePassed(to: .seconds(6))
    #expect(machine.now == .seconds(7))
  }

  @Test("The timer is set for what the rate holds, once, and cancelled when nothing waits for it")
  func alarmOfRate() {
    var machine = Self.machine()
    #expect(machine.timerAction(isStartHeld: false) == .keep)
    _ = machine.started()
    #expect(machine.timerAction(isStartHeld: false) == .keep)
    #expect(machine.timerAction(isStartHeld: true) == .set(Alarm(number: 1, time: .seconds(10), reason: .startRate)))
    #expect(machine.timerAction(isStartHeld: true) == .keep)
    #expect(machine.timerAction(isStartHeld: false) == .cancel)
    #expect(machine.timerAction(isStartHeld: false) == .keep)
    #expect(machine.timerAction(isStartHeld: true) == .set(Alarm(number: 2, time: .seconds(10), reason: .startRate)))
  }

  @Test("Another time sets it anew, and the one that it replaced changes nothing when it goes off")
  func replaced() {
    var machine = Self.machine()
    _ = machine.started()
    _ = machine.timerAction(isStartHeld: true)
    machine.setStartRate(OperationStartRate(1, per: .seconds(4)))
    let alarm = Alarm(number: 2, time: .seconds(4), reason: .startRate)
    #expect(machine.timerAction(isStartHeld: true) == .set(alarm))
    machine.timerEnded(1)
    #expect(machine.timerAction(isStartHeld: true) == .keep)
    machine.timerEnded(2)
    #expect(machine.timerAction(isStartHeld: false) == .keep)
  }

  @Test("One that goes off too early is set anew")
  func early() {
    var machine = Self.machine()
    _ = machine.started()
    _ = machine.timerAction(isStartHeld: true)
    machine.timePassed(to: .seconds(9))
    machine.timerEnded(1)
    #expect(machine.timerAction(isStartHeld: true) == .set(Alarm(number: 2, time: .seconds(10), reason: .startRate)))
  }

  @Test("A suspension is over at its time, once; the last one counts, from the time at which it is made")
  func suspension() {
    var machine = QueueTimeStateMachine(now: .zero)
    machine.suspend(for: .seconds(30))
    machine.timePassed(to: .seconds(10))
    machine.suspend(for: .seconds(5))
    #expect(machine.timerAction(isStartHeld: false) == .set(Alarm(number: 1, time: .seconds(15), reason: .suspension)))
    machine.suspend(for: .seconds(50))
    #expect(machine.timerAction(isStartHeld: false) == .set(Alarm(number: 2, time: .seconds(60), reason: .suspension)))
    #expect(machine.remainingSuspension(at: .seconds(59)) == .seconds(1))
    #expect(machine.remainingSuspension(at: .seconds(61)) == .zero)
    machine.timePassed(to: .seconds(59))
    #expect(machine.resumeIfDue() == false)
    machine.timePassed(to: .seconds(60))
    #expect(machine.resumeIfDue() == true)
    #expect(machine.resumeIfDue() == false)
    #expect(machine.timerAction(isStartHeld: false) == .cancel)
  }

  @Test("A suspension of any length holds")
  func longestSuspension() {
    var machine = QueueTimeStateMachine(now: .seconds(1))
    machine.suspend(for: Duration(attoseconds: .max))
    machine.timePassed(to: .seconds(Int64.max))
    #expect(machine.resumeIfDue() == false)
  }

  @Test("One that is cancelled never ends the suspension that follows")
  func cancelled() {
    var machine = QueueTimeStateMachine(now: .zero)
    machine.suspend(for: .seconds(30))
    _ = machine.timerAction(isStartHeld: false)
    machine.cancelResumption()
    #expect(machine.timerAction(isStartHeld: false) == .cancel)
    #expect(machine.remainingSuspension(at: .zero) == nil)
    machine.timePassed(to: .seconds(100))
    #expect(machine.resumeIfDue() == false)
  }

  @Test("During a suspension its end sets the timer, however early the rate would")
  func both() {
    var machine = Self.machine()
    _ = machine.started()
    machine.suspend(for: .seconds(30))
    #expect(machine.timerAction(isStartHeld: false) == .set(Alarm(number: 1, time: .seconds(30), reason: .suspension)))
    machine.cancelResumption()
    #expect(machine.timerAction(isStartHeld: true) == .set(Alarm(number: 2, time: .seconds(10), reason: .startRate)))
  }

  @Test("Where the rate and a suspension end at the same time, the timer tells which of them it is for")
  func sameTime() {
    var machine = Self.machine()
    _ = machine.started()
    #expect(machine.timerAction(isStartHeld: true) == .set(Alarm(number: 1, time: .seconds(10), reason: .startRate)))
    machine.suspend(for: .seconds(10))
    #expect(machine.timerAction(isStartHeld: true) == .set(Alarm(number: 2, time: .seconds(10), reason: .suspension)))
  }
}
