import StructuredOperations
import StructuredOperationsTesting

// What bodies do on the clock.
extension ProgramRun {
  /// The attempts of a body.
  func makeAttempts(_ plan: Program.OperationPlan) async {
    guard let clock, let time = plan.time else { return }
    let id = plan.id
    var isPausing = false
    do {
      try await withOperationRetry(time.policy, clock: clock) { number in
        if isPausing { log.append(.waitEnded(id)) }
        isPausing = false
        log.append(.attemptBegan(id, number))
        do {
          try await attempt(number, id, time, clock)
          log.append(.attemptEnded(id, number, .returned))
        } catch {
          log.append(.attemptEnded(id, number, attemptResult(error, id, time.timeout)))
          isPausing = time.pause > 0 && number < time.attempts && !(error is CancellationError) && !Task.isCancelled
          // The slot is lent in the pause.
          if isPausing { log.append(.waitBegan(id, .certain)) }
          throw error
        }
      }
      log.append(.retryEnded(id, .returned))
    } catch {
      if isPausing { log.append(.waitEnded(id)) }
      log.append(.retryEnded(id, attemptResult(error, id, time.timeout)))
    }
  }

  private func attempt(_ number: Int, _ id: Int, _ time: Program.TimePlan, _ clock: VirtualClock) async throws {
    guard let timeout = time.timeout else { return try await sleep(number, id, time, clock) }
    try await withOperationTimeout(.milliseconds(timeout), clock: clock) { try await sleep(number, id, time, clock) }
  }

  private func sleep(_ number: Int, _ id: Int, _ time: Program.TimePlan, _ clock: VirtualClock) async throws {
    let duration = Duration.milliseconds(time.sleep)
    if time.isDeaf {
      await Task(executorPreference: executor) { try? await clock.sleep(for: duration) }.value
    } else {
      try await clock.sleep(for: duration)
    }
    if number <= time.failures { throw Failure(id: id) }
  }

  /// Waits in the time-out of the body, if it has one.
  func withinTimeout(_ plan: Program.OperationPlan, _ wait: () async -> Void) async {
    guard let clock, let timeout = plan.time?.waitTimeout else { return await wait() }
    log.append(.timedWaitBegan(plan.id))
    do {
      try await withOperationTimeout(.milliseconds(timeout), clock: clock) { await wait() }
      log.append(.timedWaitEnded(plan.id, .returned))
    } catch {
      log.append(.timedWaitEnded(plan.id, attemptResult(error, plan.id, timeout)))
    }
  }

  private func attemptResult(_ error: any Error, _ id: Int, _ timeout: Int?) -> Event.AttemptResult {
    switch error {
    case is CancellationError: .cancelled
    case OperationError.timedOut(let duration): timeout.map(Duration.milliseconds) == duration ? .timedOut : .other
    case let error as Failure: error.id == id ? .failed : .other
    default: .other
    }
  }
}
