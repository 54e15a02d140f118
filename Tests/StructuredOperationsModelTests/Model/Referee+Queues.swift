import StructuredOperations

// Calls of `run`, counts, and the ends of queues.
extension Referee {
  mutating func callReturned(_ id: Int, _ result: Event.CallResult) {
    guard let queue = calls[id] else { return fault("call \(id) is unknown") }
    switch result {
    case .returned: callEvents[id]?.append("returned")
    case .thrown:
      callEvents[id]?.append("thrown")
      failed(2000 + id, in: queue)
    case .cancelled: callEvents[id]?.append("skipped")
    case .refused(.queueClosed):
      callEvents[id]?.append("refused")
      queues[queue].callCount -= 1
    case .refused, .other: fault("call \(id) came to \(result)")
    }
  }

  /// Whether a call of `run` has begun and not returned.
  func hasOpenCalls(_ queue: Int) -> Bool {
    callEvents.contains { id, events in calls[id] == queue && !hasReturned(events) }
  }

  /// Whether a call of `run` waits for limits, perhaps.
  func hasLackingCalls(_ queue: Int) -> Bool {
    calls.contains { id, number in number == queue && lackingLimits.contains(.call(id)) }
  }

  private func hasReturned(_ events: [String]) -> Bool {
    !Set(events).isDisjoint(with: ["returned", "thrown", "skipped", "refused"])
  }

  mutating func checkCallsAtRest() {
    for (id, events) in callEvents.sorted(by: { $0.key < $1.key }) {
      if events.contains("cancelled"), !events.contains("began"), !hasReturned(events) {
        fault("call \(id), which was cancelled, waits still")
      }
    }
  }

  mutating func checkCalls() {
    for (id, events) in callEvents.sorted(by: { $0.key < $1.key }) {
      let queue = calls[id] ?? 0
      let isRight =
        switch events.filter({ $0 != "cancelled" }) {
        case ["called", "began", "ended", "returned"], ["called", "began", "failed", "thrown"]: true
        case ["called", "skipped"]:
          events.contains("cancelled") || hasBeenCancelled(queue) || queues[queue].mayHaveFailed
        case ["called", "refused"]: queues[queue].closing != nil
        default: false
        }
      if !isRight { fault("call \(id) went \(events)") }
    }
  }

  func hasBeenCancelled(_ queue: Int) -> Bool {
    record.events.contains { event in
      switch event {
      case .cancelAllCalled(queue): true
      case .scopeCancelled, .scopeEnding(isThrowing: true): queue == 0
      default: false
      }
    }
  }

  // MARK: Counts

  mutating func checkQueues() {
    for (number, snapshot) in record.queues.enumerated() {
      let count = operations.values.count { $0.queue == number } + queues[number].callCount
      if snapshot.operationCount != 0 || snapshot.executingCount != 0 || snapshot.waitingCount != 0
        || snapshot.completedCount != count
      {
        fault("queue \(number) is left with \(snapshot), and \(count) were added")
      }
      checkOutcomes(number, snapshot)
      if queues[number].running != 0 { fault("\(queues[number].running) still run in queue \(number)") }
      for barrier in queues[number].barriers where barrier.ended == nil && !barrier.mayBeCancelled {
        fault("barrier \(barrier.id) of queue \(number) has not run")
      }
      for barrier in queues[number].barriers where barrier.settled == nil {
        fault("a wait for barrier \(barrier.id) has not come back")
      }
      if let late = record.lateStates[number], late != [snapshot] { fault("of queue \(number) one saw late \(late)") }
      if program.closes(queue: number), record.lateStates[number] == nil { fault("queue \(number) is not closed") }
    }
  }

  private mutating func checkOutcomes(_ number: Int, _ snapshot: QueueSnapshot) {
    // Of a batch that was taken in part, it is not always known what was taken.
    if hasAmbiguousAdds { return }
    let ended = operations.filter { $0.value.queue == number }.keys.compactMap { outcomes[$0] }
    let called = callEvents.filter { calls[$0.key] == number }.values
    let expected = [
      ended.count(where: \.isSuccess) + called.count { $0.contains("returned") },
      ended.count(where: \.isFailure) + called.count { $0.contains("thrown") },
      ended.count { $0 == .cancelled } + called.count { $0.contains("skipped") },
    ]
    let counts = [snapshot.succeededCount, snapshot.failedCount, snapshot.cancelledCount]
    if counts != expected {
      fault("queue \(number) counts \(counts) that succeeded, failed and were cancelled, instead of \(expected)")
    }
  }

  // MARK: Closed queues

  /// Whether the queue was closed, or its scope may have ended.
  func mayBeClosed(_ queue: Int) -> Bool {
    queues[queue].closing != nil || queue == 0 && program.scope != nil && isScopeEnding
  }

  mutating func statesEnded(_ queue: Int, _ last: QueueSnapshot?) {
    if !mayBeClosed(queue) { fault("the snapshots of queue \(queue), which is open, have ended") }
    if last?.operationCount != 0 { fault("the snapshots of queue \(queue) have ended too early") }
    // One whose call has not returned may be refused.
    for barrier in queues[queue].barriers
    where barrier.added.returned != nil && barrier.ended == nil && !barrier.mayBeCancelled {
      fault("the snapshots of queue \(queue) have ended before barrier \(barrier.id)")
    }
    if let end = record.queues.indices.contains(queue) ? record.queues[queue] : nil, end.outcomes != last?.outcomes {
      fault("the last snapshot of queue \(queue) is not its last")
    }
    queues[queue].haveStatesEnded = true
  }

  /// Checks that, with everything idle, the snapshots of a queue that is closed and empty have ended.
  mutating func checkStates(of queue: Int) {
    guard queues[queue].closing?.returned != nil, !queues[queue].haveStatesEnded, !hasOpenCalls(queue),
      queues[queue].barriers.allSatisfy({ $0.ended != nil || $0.settled != nil && $0.kind == .added }),
      !operations.values.contains(where: { $0.queue == queue && $0.settled == nil })
    else { return }
    fault("queue \(queue) is closed and empty, and its snapshots go on")
  }
}

extension QueueSnapshot {
  fileprivate var outcomes: [Int] { [succeededCount, failedCount, cancelledCount] }
}
