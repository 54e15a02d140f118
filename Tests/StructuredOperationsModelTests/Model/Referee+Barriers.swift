import StructuredOperations

extension Referee {
  func queueOfBarrier(_ id: Int) -> Int? {
    queues.firstIndex { $0.barriers.contains { $0.id == id } }
  }

  private func barrier(_ id: Int) -> QueueModel.Barrier? {
    queueOfBarrier(id).flatMap { queue in queues[queue].barriers.first { $0.id == id } }
  }

  private mutating func updateBarrier(_ id: Int, _ change: (inout QueueModel.Barrier, Int) -> Void) {
    guard let queue = queueOfBarrier(id), let index = queues[queue].barriers.firstIndex(where: { $0.id == id }) else {
      return
    }
    change(&queues[queue].barriers[index], now)
  }

  // MARK: Adding

  mutating func barrierCalled(_ id: Int, _ queue: Int, _ kind: Event.BarrierKind, _ limits: [Int]) {
    // Under a seed, a call adds its barrier before anything else can happen.
    let isAdded = kind != .added && isExact
    var barrier = QueueModel.Barrier(
      id: id, kind: kind, limits: limits, added: .init(called: now, returned: isAdded ? now : nil),
      mayBeCancelled: queues[queue].isCancelled || queues[queue].mayHaveFailed || queues[queue].cancelAllCount > 0)
    // One whose body would wait for ever is cancelled.
    if case .calledByBody = kind { barrier.mayBeCancelled = true }
    // The calling task may have been cancelled before it ran.
    if cancelledBarriers.contains(id) {
      barrier.mayBeCancelled = true
      barrier.isCancelled = isAdded
    }
    queues[queue].barriers.append(barrier)
  }

  mutating func barrierReturned(_ id: Int, _ isRefused: Bool) {
    if isRefused { return refused(id) }
    updateBarrier(id) { $0.added.returned = $1 }
    checkIsOpen(for: id)
  }

  private mutating func refused(_ id: Int) {
    guard let queue = queueOfBarrier(id), let barrier = barrier(id) else { return }
    if !mayBeClosed(queue) { fault("barrier \(id) was refused by queue \(queue), which is open") }
    if barrier.began != nil { fault("barrier \(id) was refused and ran") }
    queues[queue].barriers.removeAll { $0.id == id }
    refusedBarriers.insert(id)
  }

  private mutating func checkIsOpen(for id: Int) {
    guard let queue = queueOfBarrier(id), let barrier = barrier(id) else { return }
    if let closed = queues[queue].closing?.returned, closed < barrier.added.called {
      fault("queue \(queue) took barrier \(id) after its end")
    }
  }

  // MARK: Running

  mutating func barrierBegan(_ id: Int, _ finished: Set<Int>) {
    guard let queue = queueOfBarrier(id), let index = queues[queue].barriers.firstIndex(where: { $0.id == id }) else {
      return fault("barrier \(id) ran though nobody had added it")
    }
    let barrier = queues[queue].barriers[index]
    if barrier.began != nil { fault("barrier \(id) ran twice") }
    if isExact, barrier.isCancelled { fault("barrier \(id) ran though it had been cancelled before") }
    if isExact, queue == 0, let failure = firstFailure {
      fault("barrier \(id) ran though its scope had been cancelled for \(failure)")
    }
    checkIsAlone(barrier, queue, finished, "barrier \(id)")
    for (other, model) in operations where model.queue == queue && model.began != nil {
      if let returned = barrier.added.returned, let added = model.added, added.called > returned,
        !passed.contains(other)
      {
        fault("\(other) ran before barrier \(id), which it is behind")
      }
    }
    if queues[queue].running > 0 { fault("barrier \(id) began beside \(queues[queue].running) others") }
    if queues[queue].begin() { fault("barrier \(id) began in queue \(queue), which lets nothing run") }
    beginUnderRate(queue, "barrier \(id)")
    take(costs(barrier.limits), "barrier \(id)")
    checkLine(ofCall: costs(barrier.limits), "barrier \(id)", called: barrier.added.called)
    queues[queue].barriers[index].began = now
    if barrier.added.returned == nil, barrier.kind != .added { queues[queue].barriers[index].added.returned = now }
  }

  mutating func barrierEnded(_ id: Int, _ isThrowing: Bool) {
    updateBarrier(id) { barrier, now in
      barrier.ended = now
      barrier.isThrowing = isThrowing
    }
    guard let queue = queueOfBarrier(id) else { return }
    give(costs(barrier(id)?.limits ?? []))
    queues[queue].end()
    if isThrowing { mayFail(1000 + id, in: queue) }
  }

  mutating func barrierCancelled(_ id: Int) {
    let isExact = isExact
    cancelledBarriers.insert(id)
    updateBarrier(id) { barrier, _ in
      barrier.mayBeCancelled = true
      if isExact, barrier.added.returned != nil, barrier.began == nil { barrier.isCancelled = true }
    }
  }

  // MARK: Results

  mutating func barrierSettled(_ id: Int, _ outcome: RunRecord.Outcome, _ finished: Set<Int>) {
    if refusedBarriers.contains(id) {
      if outcome != .operationError(.queueClosed) { fault("barrier \(id) was refused and came to \(outcome)") }
      return
    }
    guard let queue = queueOfBarrier(id), let barrier = barrier(id) else { return fault("barrier \(id) is unknown") }
    let isRight =
      switch outcome {
      case .success: barrier.ended != nil && !barrier.isThrowing
      case .failure: barrier.ended != nil && barrier.isThrowing
      case .cancelled: barrier.began == nil && barrier.mayBeCancelled
      default: false
      }
    if !isRight { fault("barrier \(id) came to \(outcome)") }
    checkIsAlone(barrier, queue, finished, "barrier \(id)")
    updateBarrier(id) { barrier, now in barrier.settled = now }
    if outcome.isFailure { failed(1000 + id, in: queue) }
  }

  mutating func barrierCallReturned(_ id: Int, _ result: Event.CallResult) {
    if result == .refused(.queueClosed) { return refused(id) }
    guard let queue = queueOfBarrier(id), let barrier = barrier(id) else { return fault("barrier \(id) is unknown") }
    checkIsOpen(for: id)
    let isRight =
      switch result {
      case .returned: barrier.ended != nil && !barrier.isThrowing
      case .thrown: barrier.ended != nil && barrier.isThrowing
      case .cancelled: barrier.began == nil && mayBeCancelled(barrier, queue)
      case .refused(.waitWouldDeadlock): barrier.began == nil && waitsForOtherCall(barrier)
      case .refused, .other: false
      }
    if !isRight { fault("the call of barrier \(id) came to \(result)") }
    updateBarrier(id) { barrier, now in
      barrier.settled = now
      if barrier.added.returned == nil { barrier.added.returned = now }
    }
    if result == .thrown { failed(1000 + id, in: queue) }
  }

  private func mayBeCancelled(_ barrier: QueueModel.Barrier, _ queue: Int) -> Bool {
    guard case .calledByBody(let id) = barrier.kind else { return barrier.mayBeCancelled }
    return model(id).mayBeCancelled || hasBeenCancelled(queue) || queues[queue].mayHaveFailed
  }

  /// Whether a body that calls a barrier may have to wait for itself, since another body's call overlapped with this one.
  private func waitsForOtherCall(_ barrier: QueueModel.Barrier) -> Bool {
    guard case .calledByBody(let id) = barrier.kind else { return false }
    return queues.joinedBarriers.contains { other in
      if case .calledByBody(let caller) = other.kind, caller != id {
        other.settled.map { $0 > barrier.added.called } ?? true
      } else {
        false
      }
    }
  }

  // MARK: Rest

  /// Checks that, with everything idle, those who wait for a barrier that is over have been told.
  mutating func checkRest(of barrier: QueueModel.Barrier, _ queue: Int) {
    if barrier.settled != nil { return }
    switch barrier.kind {
    case .added:
      if barrier.ended != nil { fault("barrier \(barrier.id) has ended, and who waits for it is not told") }
      // Calls ahead of it, and what has passed it, may still hold it up.
      guard barrier.isCancelled, !program.features.passesBarriers, !hasOpenCalls(queue), isOver(barrier, queue) else {
        return
      }
      fault("barrier \(barrier.id) was cancelled, and does not leave queue \(queue)")
    case .called, .calledByBody:
      // A body needs its slot and its limits to go on.
      if case .calledByBody(let id) = barrier.kind, isFull(model(id)) || lackingLimits.contains(.operation(id)) {
        return
      }
      if barrier.isCancelled { fault("the caller of barrier \(barrier.id), which was cancelled, waits still") }
    }
  }
}

extension [QueueModel] {
  fileprivate var joinedBarriers: [QueueModel.Barrier] { flatMap(\.barriers) }
}
