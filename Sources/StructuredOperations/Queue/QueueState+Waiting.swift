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
      if scheduler.hasBarrier || !waitsForAll.isEmpty || scopeWait != nil { review.isDue = true }
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
    review.isDue = true
  }

  mutating func resume() {
    scheduler.resume()
    review.isDue = true
  }

  mutating func setLimit(_ limit: Int) {
    scheduler.setLimit(scope.isEnding && limit == 0 ? 1 : limit)
    review.isDue = true
  }

  // MARK: Decisions

  /// A body has its slot again.
  mutating func goOn(_ id: EntryID, _ turn: inout QueueTurn) {
    guard let wait = lendings.removeValue(forKey: id) else { preconditionFailure("a body returned from no wait") }
    turn.goingOn.append(wait)
  }

  /// Nothing that has a slot can bring the queue on: looks for what can.
  ///
  /// - Returns: Whether there is something new to choose from.
  mutating func bringOn(_ turn: inout QueueTurn) -> Bool {
    guard scheduler.hasBarrier || !waitsForAll.isEmpty || scopeWait != nil else {
      review.looked([])
      return false
    }
    let scheduler = scheduler
    let queue = turn.queue
    let finding = DependencyGraph.review(
      queue, front: scheduler.front.map(scheduler.work(of:)), waitsForAll: waitsForAll,
      scopeWait: mayGiveScopeUp ? scopeWait : nil, mayPass: scheduler.hasFreeSlot
    ) { core in core.entry(in: queue).map(scheduler.isBehindBarrier) ?? false }
    review.looked(finding.needed)
    switch finding.answer {
    case .nothing: return false
    case .pass(let cores):
      self.scheduler.pass(cores.compactMap { $0.entry(in: queue) })
    case .onlyWaitersLeft: endWaitsForAll(&turn)
    case .deadlock(let wait, let loop):
      end(wait, .deadlock(loop), &turn)
    }
    review.isDue = true
    return true
  }

  /// Only operations are left that wait for those waits to end.
  private mutating func endWaitsForAll(_ turn: inout QueueTurn) {
    if waitsForAll.isEmpty {
      // The scope waits for what waits for it.
      isScopeDeadlocked = true
      cancelAll(&turn)
    }
    for wait in waitsForAll.removeEach() {
      DependencyGraph.forget(wait, of: turn.queue)
      end(wait, .done, &turn)
    }
  }

  /// Whether the end of the scope may prove out of reach.
  private var mayGiveScopeUp: Bool { !isScopeDeadlocked && !scheduler.isEmpty }

  private mutating func end(_ wait: BodyWait, _ how: BodyWait.Progress.End, _ turn: inout QueueTurn) {
    guard wait.end(how) else { return }
    if case .operations(let operations) = wait.subject {
      // The caller of `run` waits to be chosen and will be in vain.
      for operation in operations where operation.core.isOfCaller { turn.callsToCancel.append(operation) }
    }
    if wait.host === turn.queue { returned(wait, turn) } else { turn.endedElsewhere.append(wait) }
  }
}
