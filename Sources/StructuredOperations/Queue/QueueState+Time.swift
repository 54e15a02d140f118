/// What a queue has that has, or has had, a start rate or a timed suspension.
struct QueueTime: Sendable {
  let clock: QueueClock
  var machine: QueueTimeStateMachine

  init(_ clock: QueueClock) {
    self.clock = clock
    machine = QueueTimeStateMachine(now: .zero)
  }

  mutating func readClock() { machine.timePassed(to: clock.elapsed) }
}

// What time does to a queue: starts are held by the rate, and a timed suspension ends.
extension QueueState {
  mutating func setStartRate(_ rate: OperationStartRate?, _ clock: QueueClock) {
    withTime(of: clock) { $0.setStartRate(rate) }
  }

  mutating func suspend(for duration: Duration, _ clock: QueueClock) {
    if scope.ignoresSuspension { return }
    scheduler.suspend()
    withTime(of: clock) { $0.suspend(for: duration) }
  }

  /// Gives the machine the time, and has it take an input.
  private mutating func withTime(of clock: QueueClock, _ input: (inout QueueTimeStateMachine) -> Void) {
    var time = self.time ?? QueueTime(clock)
    time.readClock()
    input(&time.machine)
    self.time = time
  }

  /// Reads the clock, once a turn and only where the time matters; ends a suspension whose time is up.
  mutating func readClock() {
    guard time?.machine.needsTime == true else { return }
    time?.readClock()
    if time?.machine.resumeIfDue() == true {
      scheduler.resume()
      trigger.graphChanged()
    }
  }

  /// What to do with the queue's timer, at the end of a turn.
  mutating func timerAction() -> QueueTimeStateMachine.TimerAction {
    time?.machine.timerAction(isStartHeld: scheduler.startsAreHeld) ?? .keep
  }
}
