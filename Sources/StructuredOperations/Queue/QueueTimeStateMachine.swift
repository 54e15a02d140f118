/// Decides what a queue does by time: whether it may start something, when it resumes by itself, and for what time its only
/// timer is set.
///
/// It is told the time, as what has passed on the queue's clock. A queue with neither a start rate nor a timed suspension
/// needs none. The machine is made when a queue is given one of them for the first time.
struct QueueTimeStateMachine: Sendable {
  /// What the timer is set for.
  struct Alarm: Equatable, Sendable {
    enum Reason: Equatable, Sendable { case startRate, suspension }

    /// Tells a timer that was replaced from the one that replaced it.
    let number: Int
    let time: Duration
    let reason: Reason
  }

  /// What the caller does with the timer.
  enum TimerAction: Equatable, Sendable {
    case keep
    /// Cancels the one that there is.
    case cancel
    /// Cancels the one that there may be, and sets another one.
    case set(Alarm)
  }

  private(set) var now: Duration
  private var window = StartRateWindow()
  /// When the queue resumes by itself.
  private var resumption: Duration?
  /// What the timer is set for; nil if there is none.
  private var alarm: Alarm?
  private var alarmCount = 0

  init(now: Duration) { self.now = now }

  // MARK: Queries

  var hasStartRate: Bool { window.rate != nil }

  /// Whether the machine has to be told the time in the next turn.
  var needsTime: Bool { hasStartRate || resumption != nil }

  /// Whether nothing may start now because of the rate.
  var holdsStarts: Bool { window.nextStart.map { $0 > now } ?? false }

  /// How many of a number of operations may begin from now on, whenever they do.
  func possibleStarts(upTo count: Int) -> Int { window.possibleStarts(at: now, upTo: count) }

  /// How long nothing may start because of the rate; nil where something may.
  ///
  /// - Parameter time: The present time.
  func startsAreHeld(at time: Duration) -> Duration? {
    window.nextStart.flatMap { $0 > time ? $0 - time : nil }
  }

  /// How long the queue stays suspended, where it resumes by itself.
  ///
  /// - Parameter time: The present time.
  func remainingSuspension(at time: Duration) -> Duration? { resumption.map { max(.zero, $0 - time) } }

  // MARK: Inputs

  /// The clock says so; never goes back.
  mutating func timePassed(to time: Duration) { now = max(now, time) }

  mutating func setStartRate(_ rate: OperationStartRate?) { window.setRate(rate, at: now) }

  /// An operation begins now.
  ///
  /// - Returns: When the rate counts it as begun; nil where there is none.
  mutating func started() -> Duration? {
    guard hasStartRate else { return nil }
    window.started(at: now)
    return now
  }

  /// Operations that were chosen ahead have begun since then; no more of them than ``possibleStarts(upTo:)`` has told.
  ///
  /// - Parameter times: In their order, none before the time of then.
  mutating func started(at times: [Duration]) {
    for time in times {
      timePassed(to: time)
      window.started(at: time)
    }
  }

  /// One that was counted at that time has not run, and does not begin.
  mutating func leftUnrun(_ time: Duration) { window.withdrawStart(at: time) }

  /// The queue is suspended, and resumes after that time; the last call counts.
  mutating func suspend(for duration: Duration) { resumption = now + duration.addable }

  /// The queue was resumed, or suspended for good.
  mutating func cancelResumption() { resumption = nil }

  /// - Returns: Whether the queue resumes now.
  mutating func resumeIfDue() -> Bool {
    guard let time = resumption, time <= now else { return false }
    resumption = nil
    return true
  }

  /// A timer has gone off, or one that was replaced meanwhile.
  mutating func timerEnded(_ number: Int) {
    if alarm?.number == number { alarm = nil }
  }

  // MARK: Decisions

  /// What to do with the timer, at the end of a turn.
  ///
  /// - Parameter isStartHeld: Whether something would start if the rate did not hold it.
  mutating func timerAction(isStartHeld: Bool) -> TimerAction {
    let need: (time: Duration, reason: Alarm.Reason)? =
      if let resumption {
        // A suspended queue starts nothing, so the rate does not matter.
        (resumption, .suspension)
      } else if isStartHeld, let start = window.nextStart {
        (start, .startRate)
      } else {
        nil
      }
    guard let need else {
      guard alarm != nil else { return .keep }
      alarm = nil
      return .cancel
    }
    if let alarm, alarm.time == need.time, alarm.reason == need.reason { return .keep }
    alarmCount += 1
    let next = Alarm(number: alarmCount, time: need.time, reason: need.reason)
    alarm = next
    return .set(next)
  }
}
