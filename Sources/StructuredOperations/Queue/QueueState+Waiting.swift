// What waits inside of bodies do to a queue: slots are lent and given back, and a queue that is at rest looks for what
// would bring it on.
extension QueueState {
  // MARK: Inputs

  /// The own task of an executing body waits.
  mutating func lend(for wait: BodyWait, _ turn: inout QueueTurn) {
    guard let id = wait.operation.core.entry(in: turn.queue) else {
      preconditionFailure("a body waited that the queue does not run")
    }
    if wait.isOver {
      turn.goingOn.append(wait)
    } else {
      scheduler.lend(id)
      lendings[id] = wait
      if mayComeToRest { review.operationsChanged() }
    }
  }

  /// A wait is over: its body takes its slot back.
  ///
  /// Where it has not lent its slot yet, it learns that when it is about to.
  mutating func returned(_ wait: BodyWait, _ turn: borrowing QueueTurn) {
    guard let id = wait.operation.core.entry(in: turn.queue), lendings[id] === wait, scheduler.isLending(id) else {
      return
    }
    scheduler.returned(id)
  }

  /// A body waits for everything in the queue.
  mutating func beginWaitForAll(_ wait: BodyWait) {
    if case .scope = wait.subject { scopeWait = wait } else { waitsForAll.append(wait) }
    review.graphChanged()
  }

  // MARK: Decisions

  /// A body has its slot again.
  mutating func goOn(_ id: EntryID, _ turn: inout QueueTurn) {
    guard let wait = lendings.removeValue(forKey: id) else { preconditionFailure("a body returned from no wait") }
    turn.goingOn.append(wait)
  }

  /// Whether anything can keep the queue from being brought on by its own operations.
  var mayComeToRest: Bool { scheduler.hasBarrier || !waitsForAll.isEmpty || scopeWait != nil }

  /// Whether the queue, in which nothing more can begin, has to look for what brings it on.
  var isReviewDue: Bool {
    if review.isRestDue, scheduler.isAtRest { return true }
    return review.isPassingDue && scheduler.hasBarrier && scheduler.isFrontPending && scheduler.hasFreeSlot
  }

  /// Looks for what brings the queue on.
  ///
  /// - Returns: Whether there is something new to choose from.
  mutating func bringOn(_ turn: inout QueueTurn) -> Bool {
    let isAtRest = scheduler.isAtRest
    guard mayComeToRest else {
      review.looked(atRest: isAtRest, needed: [], isOpenEnded: false)
      return false
    }
    // Those that another queue has ended.
    waitsForAll.removeAll(where: \.isOver)
    let finding = DependencyGraph.review(standstill(in: turn.queue, isAtRest: isAtRest))
    review.looked(atRest: isAtRest, needed: finding.needed, isOpenEnded: finding.isOpenEnded)
    switch finding.answer {
    case .nothing: return false
    case .pass(let cores):
      let queue = turn.queue
      scheduler.pass(cores.compactMap { $0.entry(in: queue) })
    case .onlyWaitersLeft: endWaitsForAll(&turn)
    case .deadlock(let wait, let loop): end(wait, .deadlock(loop), &turn)
    }
    review.graphChanged()
    return true
  }

  private func standstill(in queue: AsyncOperationQueue, isAtRest: Bool) -> DependencyGraph.Standstill {
    let scheduler = scheduler
    // What leaves waits for no barrier, whether or not the queue has heard of it; a barrier keeps its place.
    let isHeld: @Sendable (OperationCore) -> Bool = { core in
      guard let id = core.entry(in: queue), scheduler.isHeld(id) else { return false }
      return scheduler.isBarrier(id) || core.openStanding != .leaving
    }
    return DependencyGraph.Standstill(
      host: queue, front: scheduler.front.map(scheduler.work(of:)),
      held: { scheduler.held.map(scheduler.work(of:)).filter(isHeld) }, isHeld: isHeld,
      mayPass: scheduler.hasFreeSlot, isAtRest: isAtRest, waitsForAll: waitsForAll,
      scopeWait: isScopeDeadlocked || scheduler.isEmpty ? nil : scopeWait)
  }

  /// The scope's end waits for what waits for it: everything leaves.
  mutating func giveUpScope(_ turn: inout QueueTurn) {
    isScopeDeadlocked = true
    cancelAll(&turn)
  }

  /// Only operations are left that wait for those waits to end.
  private mutating func endWaitsForAll(_ turn: inout QueueTurn) {
    if waitsForAll.isEmpty { giveUpScope(&turn) }
    for wait in waitsForAll.removeEach() { end(wait, .done, &turn) }
  }

  private mutating func end(_ wait: BodyWait, _ how: BodyWait.Progress.End, _ turn: inout QueueTurn) {
    if case .scope(let host) = wait.subject {
      // It ends by itself, when everything in the scope has been cancelled.
      if wait.giveUp() { turn.scopesToGiveUp.append(host) }
      return
    }
    guard wait.end(how) else { return }
    wait.forget()
    if case .operations(let operations) = wait.subject {
      // The caller of `run` waits to be chosen and will be in vain.
      for operation in operations where operation.core.isOfCaller { turn.callsToCancel.append(operation) }
    }
    if wait.host === turn.queue { returned(wait, turn) } else { turn.endedElsewhere.append(wait) }
  }
}
