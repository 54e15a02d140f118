import StructuredOperations

extension Referee {
  /// Checks that, with everything idle, nothing waits that could run and every operation is in the state that the model
  /// expects.
  mutating func checkRest(_ snapshots: [Int: OperationSnapshot]) {
    checkReaders()
    checkCallsAtRest()
    findLackingLimits()
    for (id, snapshot) in snapshots.sorted(by: { $0.key < $1.key }) {
      checkState(of: id, snapshot)
      checkProgress(of: id, isCancelled: snapshot.isCancelled)
      checkStart(of: id, isCancelled: snapshot.isCancelled)
    }
    for queue in queues.indices {
      for barrier in queues[queue].barriers {
        checkProgress(of: barrier, queue)
        checkRest(of: barrier, queue)
      }
      checkStates(of: queue)
      queues[queue].cameToRest()
    }
    for limit in limits.indices { limits[limit].cameToRest() }
    lastRest = now
  }

  // MARK: States

  private mutating func checkState(of id: Int, _ snapshot: OperationSnapshot) {
    let model = model(id)
    let isCancelled = model.cancel?.returned != nil || model.cancelAllReturned != nil
    if isCancelled, model.settled == nil, !snapshot.isCancelled { fault("\(id) was cancelled and is not") }
    let isInCancelledScope = model.queue == 0 && queues[0].isCancelled && model.added.map { $0.called < now } ?? false
    if isInCancelledScope, model.settled == nil, !snapshot.isCancelled {
      fault("\(id) is not, as its scope is, cancelled")
    }
    if snapshot.isCancelled, !model.mayBeCancelled { fault("\(id) is cancelled by nobody") }
    let expected: OperationState =
      if model.settled != nil {
        .finished
      } else if model.began != nil {
        .executing
      } else if snapshot.isCancelled || hasFailedDependency(model) || !hasUnfinishedDependency(model) {
        .ready
      } else {
        .pending
      }
    if snapshot.state != expected { fault("\(id) is \(snapshot.state) at rest, and should be \(expected)") }
  }

  private func hasUnfinishedDependency(_ model: OperationModel) -> Bool {
    // One that was started by hand may have been chosen, and wait for its limits, when a dependency was added.
    model.edges.contains { $0.value.isListed && operations[$0.key]?.settled == nil }
  }

  /// Whether a dependency that requires success has finished without it.
  func hasFailedDependency(_ model: OperationModel) -> Bool {
    model.edges.contains { other, edge in
      guard edge.requirement == .success, let dependency = operations[other] else { return false }
      return dependency.settled != nil && !dependency.hasSucceeded
    }
  }

  // MARK: Progress

  private mutating func checkProgress(of id: Int, isCancelled: Bool) {
    let model = model(id)
    if model.settled != nil { return }
    if model.began != nil {
      let isWaiting =
        isAsleep(model, isCancelled: isCancelled)
        || model.isWaiting
          && (mayWait(model, isCancelled: isCancelled) || isFull(model) || lackingLimits.contains(.operation(id)))
      if model.ended != nil {
        fault("\(id) has ended and does not finish")
      } else if !model.isHeld(isCancelled: isCancelled), !isWaiting {
        fault("\(id) does not go on")
      }
      return
    }
    guard let queue = model.queue, let added = model.added, added.called < now else { return }
    if queues[queue].isSuspended { return }
    if isCancelled || hasFailedDependency(model) {
      return fault("\(id) does not leave queue \(queue)")
    }
    if hasUnfinishedDependency(model) { return }
    let isHeldUp = queues[queue].barriers.contains { barrier in
      barrier.added.called < added.returned ?? now && !isOver(barrier, queue)
    }
    if isHeldUp || queues[queue].running >= queues[queue].leastLimit { return }
    if lackingLimits.contains(.operation(id)) || rates[queue].mayBeFull(at: time) { return }
    fault("\(id) is ready, queue \(queue) has a free slot, and nothing happens")
  }

  /// Whether what the body waits for has not come.
  private func mayWait(_ model: OperationModel, isCancelled: Bool) -> Bool {
    if let other = model.plan.waitsFor, operations[other]?.settled == nil {
      return !((isCancelled || isTimedOut(model)) && model.plan.wait.isValue)
    }
    if isCancelled { return false }
    return queues.contains { queue in
      queue.barriers.contains { $0.kind == .calledByBody(model.plan.id) && $0.began == nil }
    }
  }

  /// Whether there is no slot for a body whose wait has ended.
  ///
  /// A queue with the limit 0, or suspended, lets one such body continue at a time.
  func isFull(_ model: OperationModel) -> Bool {
    guard let queue = model.queue else { return false }
    return queues[queue].running >= max(1, queues[queue].leastLimit)
  }

  private mutating func checkProgress(of barrier: QueueModel.Barrier, _ queue: Int) {
    if barrier.began != nil {
      if barrier.ended == nil { fault("barrier \(barrier.id) does not go on") }
      return
    }
    if barrier.mayBeCancelled || queues[queue].isSuspended { return }
    if queues[queue].running >= queues[queue].leastLimit { return }
    if lackingLimits.contains(.barrier(barrier.id)) || rates[queue].mayBeFull(at: time) { return }
    let isHeldUp =
      operations.contains { _, model in
        model.settled == nil && (mayBeAhead(model, of: barrier, queue) || mayHavePassed(model, queue))
      }
      || hasLackingCalls(queue)
      || queues[queue].barriers.contains {
        $0.id != barrier.id && $0.added.called < barrier.added.called && !isOver($0, queue)
      }
    if !isHeldUp { fault("barrier \(barrier.id) of queue \(queue) could run, and nothing happens") }
  }

  /// Whether the barrier no longer holds up the operations behind it.
  func isOver(_ barrier: QueueModel.Barrier, _ queue: Int) -> Bool {
    if barrier.ended != nil { return true }
    // A cancelled barrier leaves when all operations ahead of it have finished; no event shows that.
    guard barrier.mayBeCancelled, barrier.began == nil, !queues[queue].isSuspended else { return false }
    // One that may be cancelled, and is not, has run unless it lacks a slot, a start or a limit.
    if !barrier.isCancelled,
      queues[queue].running >= queues[queue].leastLimit || rates[queue].mayBeFull(at: time)
        || lackingLimits.contains(.barrier(barrier.id))
    {
      return false
    }
    return !hasLackingCalls(queue)
      && !operations.contains { _, model in
        model.settled == nil && (mayBeAhead(model, of: barrier, queue) || mayHavePassed(model, queue))
      }
      && queues[queue].barriers.allSatisfy {
        $0.id == barrier.id || $0.added.called > barrier.added.called || isOver($0, queue)
      }
  }

  /// Whether another operation depends on this one or did so once, so that this one may have passed barriers.
  private func mayHavePassed(_ operation: OperationModel, _ queue: Int) -> Bool {
    guard program.features.passesBarriers, operation.queue == queue else { return false }
    return operations.contains { _, other in
      other.edges[operation.plan.id] != nil || other.plan.dependencies.contains { $0.on == operation.plan.id }
    }
  }

  func mayBeAhead(_ model: OperationModel, of barrier: QueueModel.Barrier, _ queue: Int) -> Bool {
    guard model.queue == queue, let added = model.added else { return false }
    return added.called < barrier.added.returned ?? now
  }
}
