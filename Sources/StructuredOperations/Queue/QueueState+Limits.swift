// Concurrency limits. An operation takes its slot and its limits in one step: the slot is the queue's to give, in a turn,
// and the limits are taken while the operation is claimed, all or none. The operation holds them; the queue knows who lacks
// them. One that lacks a limit gives its slot back and stands in line. When there is room the queue is told, and tries again
// in its next turn; or an operation that ends has it go on without a turn: see `QueueState+Prefetching.swift`, by which a ready
// one may stand in line ahead of its slot, too.
extension QueueState {
  /// Takes all limits of an operation that the queue has a slot for, or has it stand in line; under the operation's lock.
  ///
  /// - Parameter known: What stands in line for these needs so far, if anything does.
  mutating func takeLimits(
    _ needs: LimitNeeds,
    as rank: LimitTable.Rank,
    _ known: LimitTable.DemandID?,
    _ id: EntryID,
    _ turn: inout QueueTurn
  ) -> (demand: LimitTable.DemandID, isTaken: Bool) {
    let queue = turn.queue
    let (demand, isTaken, notices): (LimitTable.DemandID, Bool, LimitTable.Notices)
    if let inLine = inLine[id], inLine.demand == known, inLine.rank == rank {
      demand = inLine.demand
      (isTaken, notices) = LimitTable.take(demand, of: queue)
      if isTaken { self.inLine.remove(id) }
    } else {
      withdrawDemand(id, &turn)
      (demand, isTaken, notices) = LimitTable.takeOrStand(
        needs, as: rank, of: queue, opening: rank.isReturning ? .returns : .all)
      if !isTaken { noteInLine(id, OperationStateMachine.InLine(demand: demand, rank: rank)) }
    }
    turn.limitNotices.append(notices)
    return (demand, isTaken)
  }

  /// Takes the limits of a body that returns from a wait and has its slot.
  ///
  /// - Returns: Whether it has them, or needs none; otherwise it stands in line.
  mutating func takeLimitsAgain(_ id: EntryID, _ turn: inout QueueTurn) -> Bool {
    let storage = scheduler.work(of: id)
    guard storage.mayHaveLimits, let needs = storage.read({ $0.limits?.needs }) else { return true }
    let known = inLine[id]
    let rank = known?.rank ?? LimitTable.Rank(isReturning: true, priority: 0, order: LimitTable.nextOrder())
    let (demand, isTaken) = takeLimits(needs, as: rank, known?.demand, id, &turn)
    if isTaken { storage.modify { $0.hold(demand) } }
    return isTaken
  }

  /// An operation was chosen ahead, and stands in line since it was to begin.
  ///
  /// - Returns: Whether it stays there.
  mutating func adoptPlaceInLine(_ id: EntryID, _ storage: OperationStorage, _ turn: inout QueueTurn) -> Bool {
    guard storage.mayHaveLimits, let inLine = storage.modify({ $0.takeInLine() }) else { return false }
    return adopt(inLine, id, storage, if: storage.unclaimedReadiness == .ready, &turn)
  }

  /// A turn learns of an operation that stands in line.
  ///
  /// - Parameter mayStand: Whether it waits for nothing else by now.
  /// - Returns: Whether it stays there: not where it would stand elsewhere by now.
  mutating func adopt(
    _ inLine: OperationStateMachine.InLine,
    _ id: EntryID,
    _ storage: OperationStorage,
    if mayStand: Bool,
    _ turn: inout QueueTurn
  ) -> Bool {
    if mayStand, storage.read({ $0.stands(as: inLine) }) {
      noteInLine(id, inLine)
      return true
    }
    turn.limitNotices.append(LimitTable.remove(inLine.demand, by: turn.queue))
    return false
  }

  /// The queue takes note of what stands in line.
  private mutating func noteInLine(_ id: EntryID, _ inLine: OperationStateMachine.InLine) {
    LimitTable.setName(id, of: inLine.demand)
    self.inLine.insert(id, inLine)
  }

  /// Whether an operation in line would stand there as before, after a change of it.
  func standsAsBefore(_ id: EntryID, _ storage: OperationStorage) -> Bool {
    guard let inLine = inLine[id] else { return true }
    return storage.read { $0.stands(as: inLine) }
  }

  /// An operation that is in line for its limits goes back among the ready ones.
  mutating func leaveLine(_ id: EntryID, _ turn: inout QueueTurn) {
    guard scheduler.isInLine(id) else { return }
    withdrawDemand(id, &turn)
    scheduler.leaveLine(id)
  }

  /// A body waits, and lends its limits with its slot.
  mutating func lendLimits(_ storage: OperationStorage, _ turn: inout QueueTurn) {
    guard storage.mayHaveLimits, let held = storage.modify({ $0.takeHeldLimits() }) else { return }
    giveBack(held, &turn)
  }

  /// An operation has finished, or lends what it had.
  mutating func giveBack(_ held: LimitTable.DemandID, _ turn: inout QueueTurn) {
    turn.limitNotices.append(LimitTable.remove(held, by: turn.queue))
  }

  /// An operation stands in line no more, or anew.
  mutating func withdrawDemand(_ id: EntryID, _ turn: inout QueueTurn) {
    guard let inLine = inLine.remove(id) else { return }
    turn.limitNotices.append(LimitTable.remove(inLine.demand, by: turn.queue))
  }

  /// The first operation in line that can have its limits now, where the queue has a slot for it.
  func firstInLine(in queue: AsyncOperationQueue) -> EntryID? {
    guard !inLine.isEmpty, scheduler.opening != .nothing,
      let (demand, id) = LimitTable.nextDemand(of: queue, opening: scheduler.opening)
    else { return nil }
    // No turn has heard yet of one without an identifier.
    return id.flatMap { inLine.stands(demand, for: $0) ? $0 : nil }
  }

  /// Tells at the end of a turn what the queue can begin: where that is nothing, others go ahead of its operations in line.
  func tellOpening(_ turn: inout QueueTurn) {
    if inLine.isEmpty { return }
    turn.limitNotices.append(LimitTable.setOpening(scheduler.opening, of: turn.queue))
  }
}

extension QueueScheduler {
  /// What could be chosen now, if there were room in the limits.
  var opening: LimitTable.Opening { hasFreeSlot && !startsAreHeld ? .all : canResume ? .returns : .nothing }
}
