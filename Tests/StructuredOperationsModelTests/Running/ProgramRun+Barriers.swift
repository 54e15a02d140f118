import StructuredOperations

// Barriers, calls that run alone, and queues that are closed.
extension ProgramRun {
  func addBarrier(_ id: Int, _ number: Int, _ yields: Int, _ isThrowing: Bool, _ limits: [Int]) async {
    let queue = queue(number)
    log.append(.barrierCalled(id, queue: number, .added, limits: limits))
    let operation = await queue.addBarrier(limits: limits.map { self.limits[$0] }) { [self] in
      try await barrier(id, yields, isThrowing)
    }
    let refusal = RunRecord.Outcome.operationError(.queueClosed)
    log.append(
      .barrierReturned(id, isRefused: operation.isFinished && Self.outcome(operation.outcome, 1000 + id) == refusal))
    keep(operation, id)
    spawn { [self] in
      let outcome = await Self.value(of: operation, 1000 + id)
      log.append(.barrierSettled(id, outcome, finished: finished))
    }
  }

  /// The body of a barrier.
  private func barrier(_ id: Int, _ yields: Int, _ isThrowing: Bool) async throws -> Int {
    log.append(.barrierBegan(id, finished: finished))
    for _ in 0..<yields { await Task.yield() }
    log.append(.barrierEnded(id, isThrowing: isThrowing))
    if isThrowing { throw Failure(id: 1000 + id) }
    return 1000 + id
  }

  func callBarrier(_ id: Int, _ number: Int, _ yields: Int, _ isThrowing: Bool, _ limits: [Int]) {
    let queue = queue(number)
    spawnBarrierCall(id) { [self] in
      log.append(.barrierCalled(id, queue: number, .called, limits: limits))
      let result: Event.CallResult
      do {
        let output = try await queue.runBarrier(limits: limits.map { self.limits[$0] }) {
          try await barrier(id, yields, isThrowing)
        }
        result = output == 1000 + id ? .returned : .other
      } catch {
        result = Self.callResult(error, 1000 + id)
      }
      log.append(.barrierCallReturned(id, result))
    }
  }

  /// Calls `runBarrier` in a body.
  func callBarrier(_ call: Program.BarrierCall, in id: Int) async {
    // Started by hand, the body has no queue.
    guard let own = AsyncOperationQueue.current else { return }
    guard case .of(let number) = call, queue(number) !== own else {
      var result = Event.CallResult.returned
      do { try await own.runBarrier {} } catch { result = Self.callResult(error, id) }
      return log.append(.ownBarrierReturned(id, result))
    }
    let barrier = 100 + id
    log.append(.barrierCalled(barrier, queue: number, .calledByBody(id), limits: []))
    log.append(.waitBegan(id, .possible))
    var result = Event.CallResult.returned
    do {
      _ = try await queue(number).runBarrier { try await self.barrier(barrier, 1, false) }
    } catch {
      result = Self.callResult(error, 1000 + barrier)
    }
    log.append(.waitEnded(id))
    log.append(.barrierCallReturned(barrier, result))
  }

  func call(_ id: Int, _ number: Int, _ yields: Int, _ isThrowing: Bool, _ limits: [Int]) {
    let queue = queue(number)
    log.append(.callCalled(id, queue: number, limits: limits))
    spawnCall(id) { [self] in
      let result: Event.CallResult
      do {
        try await queue.run(limits: limits.map { self.limits[$0] }) {
          log.append(.callBegan(id))
          for _ in 0..<yields { await Task.yield() }
          log.append(.callEnded(id, isThrowing: isThrowing))
          if isThrowing { throw Failure(id: 2000 + id) }
        }
        result = .returned
      } catch {
        result = Self.callResult(error, 2000 + id)
      }
      log.append(.callReturned(id, result))
    }
  }

  /// Reads the snapshots of a queue to their end.
  func readStates(of queue: AsyncOperationQueue, _ number: Int) {
    let states = queue.states
    spawn { [self] in
      var last: QueueSnapshot?
      for await snapshot in states { last = snapshot }
      log.append(.statesEnded(queue: number, last: last))
    }
  }
}
