import StructuredOperations

// Attempts, time-outs and pauses of bodies.
extension Referee {
  /// What the referee knows about the attempts of a body.
  struct Attempts {
    /// The number of the last attempt; 0 before the first.
    var number = 0
    /// Whether the last attempt is under way.
    var isOpen = false
    /// When the last attempt began, and ended.
    var began = Duration.zero
    var ended = Duration.zero
    var result: Event.AttemptResult?
    /// The result of all attempts together.
    var end: Event.AttemptResult?
    /// When the body began to wait in a time-out.
    var waitBegan: Duration?
  }

  private func plan(_ id: Int) -> Program.TimePlan {
    guard let plan = model(id).plan.time else { preconditionFailure("\(id) does nothing on the clock") }
    return plan
  }

  // MARK: Attempts

  mutating func attemptBegan(_ id: Int, _ number: Int) {
    let (plan, time, last) = (plan(id), time, attempts[id] ?? Attempts())
    if number != last.number + 1 { fault("attempt \(number) of \(id) follows attempt \(last.number)") }
    if number > plan.attempts { fault("\(id) makes attempt \(number) of \(plan.attempts)") }
    if number > 1 {
      if last.result == .returned { fault("\(id) tries again after attempt \(last.number), which succeeded") }
      if last.result == .cancelled { fault("\(id) tries again after a cancellation") }
      let pause = plan.pause(after: last.number)
      if time - last.ended < pause.lowerBound { fault("\(id) pauses for \(time - last.ended), not for \(pause)") }
      // Cancelled before the attempt, it would not have been made.
      let cancel = model(id).cancel
      if isExact, let returned = cancel?.returned, returned < now, (model(id).began ?? now) < returned {
        fault("\(id) tries again though it has been cancelled")
      }
    }
    attempts[id] = Attempts(number: number, isOpen: true, began: time)
  }

  mutating func attemptEnded(_ id: Int, _ number: Int, _ result: Event.AttemptResult) {
    let (plan, time) = (plan(id), time)
    guard var attempt = attempts[id], attempt.isOpen, attempt.number == number else {
      return fault("attempt \(number) of \(id) ended without having begun")
    }
    attempt.isOpen = false
    attempt.ended = time
    attempt.result = result
    attempts[id] = attempt
    checkAttempt(id, attempt, plan, result, took: time - attempt.began)
  }

  private mutating func checkAttempt(
    _ id: Int,
    _ attempt: Attempts,
    _ plan: Program.TimePlan,
    _ result: Event.AttemptResult,
    took: Duration
  ) {
    let (sleep, timeout) = (Duration.milliseconds(plan.sleep), plan.timeout.map(Duration.milliseconds))
    let own: Event.AttemptResult = attempt.number <= plan.failures ? .failed : .returned
    let mayBeCancelled = model(id).mayBeCancelled
    let isRight: Bool =
      switch result {
      case .timedOut:
        timeout.map { took >= $0 && sleep >= $0 && ($0 == .zero || took == (plan.isDeaf ? sleep : $0)) } ?? false
          || timeout == .zero
      case .cancelled: mayBeCancelled && !plan.isDeaf
      case .returned, .failed:
        result == own && took == sleep && timeout != .zero
          && (timeout.map { sleep < $0 } ?? true || mayBeCancelled)
      case .other: false
      }
    let isLate = took > (plan.isDeaf ? sleep : min(sleep, timeout ?? sleep))
    if !isRight || isLate { fault("attempt \(attempt.number) of \(id) took \(took) and came to \(result)") }
  }

  mutating func retryEnded(_ id: Int, _ result: Event.AttemptResult) {
    let plan = plan(id)
    guard let attempt = attempts[id], !attempt.isOpen, let last = attempt.result else {
      return fault("\(id) has ended its attempts within one")
    }
    attempts[id]?.end = result
    let isRight: Bool
    if model(id).mayBeCancelled {
      isRight = result == last || result == .cancelled
    } else {
      isRight = result == last && (last == .returned || attempt.number == plan.attempts)
    }
    if !isRight { fault("\(id) ended with \(result) after attempt \(attempt.number), which came to \(last)") }
  }

  /// Whether the body sleeps, with everything idle.
  func isAsleep(_ model: OperationModel, isCancelled: Bool) -> Bool {
    guard let plan = model.plan.time, let attempt = attempts[model.plan.id], attempt.end == nil else { return false }
    if attempt.isOpen {
      let sleep = plan.isDeaf ? plan.sleep : min(plan.sleep, plan.timeout ?? plan.sleep)
      return time < attempt.began + .milliseconds(sleep) && (plan.isDeaf || !isCancelled)
    }
    return model.isWaiting && !isCancelled && time < attempt.ended + plan.pause(after: attempt.number).upperBound
  }

  // MARK: Waits in time-outs

  mutating func timedWaitBegan(_ id: Int) { attempts[id, default: Attempts()].waitBegan = time }

  mutating func timedWaitEnded(_ id: Int, _ result: Event.AttemptResult) {
    let timeout = Duration.milliseconds(plan(id).waitTimeout ?? 0)
    guard let began = attempts[id]?.waitBegan else { return fault("\(id) has not begun to wait") }
    attempts[id]?.waitBegan = nil
    let took = time - began
    let isRight: Bool =
      switch result {
      case .returned: took < timeout || model(id).mayBeCancelled
      case .timedOut: took >= timeout
      case .failed, .cancelled, .other: false
      }
    if !isRight { fault("the wait of \(id) in a time-out of \(timeout) took \(took) and came to \(result)") }
  }

  /// Whether the time of the body's wait is up, with everything idle.
  func isTimedOut(_ model: OperationModel) -> Bool {
    guard let began = attempts[model.plan.id]?.waitBegan, let timeout = model.plan.time?.waitTimeout else {
      return false
    }
    return time >= began + .milliseconds(timeout)
  }
}
