// What waits inside of bodies do to a queue: slots are released and reacquired, and a queue that has nothing left to
// choose looks for what unblocks it.
extension QueueState {
  /// The own task of an executing body waits.
  mutating func releaseSlot(for wait: BodyWait, _ turn: inout QueueTurn) {
    guard let id = wait.operation.storage.entry(in: turn.queue) else {
      preconditionFailure("a body waited that the queue does not run")
    }
    if wait.isOver {
      turn.resumingBodies.append(wait)
    } else {
      scheduler.releaseSlot(id)
      lendLimits(wait.operation.storage, &turn)
      releasedSlots[id] = wait
      if mayStall { trigger.operationsChanged() }
    }
  }

  /// A wait is over: its body asks for its slot.
  ///
  /// Example: body A begins to wait for B, and B finishes before A's turn to release its slot. The request comes first
  /// and is ignored; then A finds that its wait is over, and keeps its slot.
  mutating func requestSlot(for wait: BodyWait, in queue: AsyncOperationQueue) {
    guard let id = wait.operation.storage.entry(in: queue), releasedSlots[id] === wait, scheduler.hasReleasedSlot(id)
    else { return }
    scheduler.requestSlot(id)
  }

  mutating func wholeQueueWaitBegan(_ wait: BodyWait, _ turn: inout QueueTurn) {
    // Example: body A begins such a wait, its queue is analysed, and B is added here, before this turn. Its addition has told nobody.
    turn.queuesToTell += DependencyGraph.wholeQueueWaitBegan(wait, for: turn.queue)
    if case .scope = wait.subject { scopeWait = wait } else { wholeQueueWaits.append(wait) }
    trigger.wholeQueueWaitBegan()
  }

  /// The body around the scope goes on; no turn has to follow.
  mutating func scopeWaitEnded(in queue: AsyncOperationQueue) {
    scopeWait = nil
    if trigger.isInUse { updateWatch(of: queue) }
  }

  /// The waits for all that is in the queue that the last analysis has found no reason to end.
  var lastingWaits: Set<ObjectIdentifier> {
    if trigger.isQuiescenceDue { return [] }
    return Set((wholeQueueWaits + (scopeWait.map { [$0] } ?? [])).map(ObjectIdentifier.init))
  }

  // MARK: Stalls

  /// Whether the queue can stall: it has a barrier, or a body waits for everything in it.
  var mayStall: Bool { scheduler.hasBarrier || !wholeQueueWaits.isEmpty || scopeWait != nil }

  /// Whether the queue, which has nothing left to choose, has to look for what unblocks it.
  var isStallAnalysisDue: Bool {
    if trigger.isQuiescenceDue, scheduler.isQuiescent { return true }
    return trigger.isPassingDue && scheduler.hasBarrier && scheduler.isBlockedAheadOfBarrier && scheduler.hasFreeSlot
  }

  /// An operation has been added, and the queue was analysed or is waited for; or a barrier.
  ///
  /// It may have been awaited before this turn. Example: A, ahead of a barrier, awaits B, which gets a dependency on barrier C as soon as
  /// that is added. An analysis before the turn that admits C finds no loop, since C is not known to be behind the first barrier.
  ///
  /// Not inlined, since most queues are neither.
  @inline(never)
  mutating func added(_ id: EntryID, _ readiness: OperationReadiness, _ turn: inout QueueTurn) {
    let storage = scheduler.work(of: id)
    trigger.added(storage, isAwaited: !wholeQueueWaits.isEmpty || storage.isAwaitedByOperations)
    tellGraph(ofAdded: id, readiness, &turn)
  }

  /// Tells queues elsewhere of an operation that has been added.
  ///
  /// Something elsewhere may wait for it, so it can close a loop through other queues.
  private func tellGraph(ofAdded id: EntryID, _ readiness: OperationReadiness, _ turn: inout QueueTurn) {
    let isHeld = scheduler.isHeldByBarrier(id)
    guard isHeld || readiness == .blocked else { return }
    let waits = wholeQueueWaits + (scopeWait.map { [$0] } ?? [])
    guard (trigger.mayHoldBeKnown && isHeld) || !waits.isEmpty else { return }
    turn.queuesToTell += DependencyGraph.added(
      scheduler.work(of: id), isBarrier: scheduler.isBarrier(id), to: turn.queue,
      awaitedBy: waits.map(\.operation.storage))
  }

  /// Removes from the graph what the last analysis has left there and what is not so any more.
  @inline(never)
  mutating func updateWatch(of queue: AsyncOperationQueue) {
    if !mayStall {
      stopWatching(queue)
    } else if trigger.isHoldOutdated {
      DependencyGraph.removeHold(of: queue)
      trigger.holdRemoved()
    }
  }

  /// The queue can stall no longer.
  ///
  /// Otherwise the memory of every operation that was awaited at the last analysis would be kept until the next one.
  private mutating func stopWatching(_ queue: AsyncOperationQueue) {
    if trigger.isInUse { DependencyGraph.unwatch(ObjectIdentifier(queue)) }
    trigger.stopped()
  }

  /// Looks for what unblocks the queue.
  ///
  /// - Returns: Whether there is something new to choose from.
  mutating func resolveStall(_ turn: inout QueueTurn) -> Bool {
    let isQuiescent = scheduler.isQuiescent
    wholeQueueWaits.removeAll(where: \.isOver)
    guard mayStall else {
      stopWatching(turn.queue)
      return false
    }
    // The analysis stays due. Example: the last operation of a scope has ended, and before the scope has, somebody adds one that
    // depends on the body which waits for its end.
    if scheduler.isEmpty, wholeQueueWaits.isEmpty { return false }
    let queue = turn.queue
    let result = DependencyGraph.analyse(stallAnalysisInput(of: queue, isQuiescent: isQuiescent))
    trigger.analysed(isQuiescent: isQuiescent, needs: result.needs, isHoldKnown: result.isHoldKnown)
    turn.queuesToTell += result.queuesToTell
    switch result.finding {
    case .nothing: return false
    case .pass(let storages):
      scheduler.pass(storages.compactMap { $0.entry(in: queue) })
      renewPositions(of: storages, in: queue)
    case .fallBehind(let barrier, let storages):
      guard let id = barrier.entry(in: queue) else { return false }
      let falling = storages.compactMap { $0.entry(in: queue) }
      for id in falling { leaveLine(id, &turn) }
      guard scheduler.fallBehind(id, falling) else { return false }
      tellGraph(ofFallen: storages, in: queue)
      renewPositions(of: storages, in: queue)
    case .onlyWaitersLeft, .scopeNeverEnds:
      // An observer of an end in this turn may have added something. Another turn admits it, and looks again.
      if turn.queue.shared.pendingEvents.contains(where: \.isAddition) {
        turn.queue.graphChanged()
        return false
      }
      if case .scopeNeverEnds = result.finding {
        cancelDeadlockedScope(&turn)
        break
      }
      for wait in wholeQueueWaits.removeEach() where wait.end(.done) { ended(wait, &turn) }
    case .deadlock(let wait, _): ended(wait, &turn)
    }
    trigger.graphChanged()
    return true
  }

  /// A barrier of ``AsyncOperationQueue/runBarrier(name:limits:file:line:_:)`` may wait for some of them no longer.
  private func tellGraph(ofFallen storages: [OperationStorage], in queue: AsyncOperationQueue) {
    DependencyGraph.fell(storages) { barrier, storage in
      // A barrier of another queue has its own matters.
      guard let barrierID = barrier.entry(in: queue), let id = storage.entry(in: queue) else { return true }
      return scheduler.isBehind(barrierID, id)
    }
  }

  private mutating func renewPositions(of storages: [OperationStorage], in queue: AsyncOperationQueue) {
    for storage in storages { if let id = storage.entry(in: queue) { renewPosition(of: id, storage) } }
  }

  private func stallAnalysisInput(of queue: AsyncOperationQueue, isQuiescent: Bool) -> StallAnalysis.Input {
    let scheduler = scheduler
    // What is skipped waits for no barrier, whether or not the queue has heard of it; a barrier keeps its place.
    let isBehind: @Sendable (OperationStorage) -> Bool = { storage in
      guard let id = storage.entry(in: queue), scheduler.isHeldByBarrier(id) else { return false }
      return scheduler.isBarrier(id) || storage.unclaimedReadiness != .skipped
    }
    let isBarrier: @Sendable (OperationStorage) -> Bool = { storage in
      storage.entry(in: queue).map(scheduler.isBarrier) == true
    }
    return StallAnalysis.Input(
      queue: queue, hasBarrier: scheduler.hasBarrier, ahead: scheduler.aheadOfBarrier.map(scheduler.work(of:)),
      behind: { scheduler.heldByBarrier.map(scheduler.work(of:)) }, isBehind: isBehind,
      barriers: { scheduler.barriers.map(scheduler.work(of:)) }, isBarrier: isBarrier,
      mayPass: scheduler.hasFreeSlot, isQuiescent: isQuiescent, wholeQueueWaits: wholeQueueWaits,
      scopeWait: scheduler.isEmpty ? nil : scopeWait, isScopeDeadlocked: isScopeDeadlocked)
  }

  /// The end of the scope waits for what waits for it: everything leaves, also what is added later.
  mutating func cancelDeadlockedScope(_ turn: inout QueueTurn) {
    isScopeDeadlocked = true
    cancelScope(&turn)
  }

  /// The queue has ended a wait, or abandoned that for the end of a scope.
  private mutating func ended(_ wait: BodyWait, _ turn: inout QueueTurn) {
    if case .scope(let queue) = wait.subject {
      turn.scopesToCancel.append(queue)
      return
    }
    wait.unregister()
    if let call = wait.callInVain { turn.callsToWithdraw.append(call) }
    if wait.slotOwner === turn.queue {
      requestSlot(for: wait, in: turn.queue)
    } else {
      turn.waitsEndedElsewhere.append(wait)
    }
  }
}
