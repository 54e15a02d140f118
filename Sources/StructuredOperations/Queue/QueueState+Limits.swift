// Concurrency limits. An operation takes its slot and its limits in one step: the slot is the queue's to give, in a turn,
// and the limits are taken while the operation is claimed, all or none. One that lacks a limit gives its slot back and
// stands in line. When there is room the queue is told, and tries again in its next turn.
extension QueueState {
  /// Takes all limits of an operation that the queue has a slot for, or has it stand in line; under the operation's lock.
  ///
  /// - Returns: Whether it has them.
  mutating func takeLimits(
    _ needs: [LimitNeed],
    as rank: LimitTable.Rank,
    _ id: EntryID,
    _ turn: inout QueueTurn
  ) -> Bool {
    let queue = turn.queue
    let (isTaken, notices): (Bool, LimitTable.Notices)
    if let entry = limits[id], let demand = entry.demandInLine, entry.needs == needs, entry.rank == rank {
      (isTaken, notices) = LimitTable.take(demand, of: queue)
      if isTaken { limits.taken(id) }
    } else {
      giveBackLimits(id, &turn)
      let demand: LimitTable.DemandID
      (demand, isTaken, notices) = LimitTable.takeOrStand(
        needs, as: rank, of: queue, opening: rank.isReturning ? .returns : .all)
      limits.add(id, OperationStateMachine.InLine(demand: demand, needs: needs, rank: rank), isTaken: isTaken)
    }
    turn.limitNotices.append(notices)
    return isTaken
  }

  /// Takes the limits of a body that returns from a wait and has its slot.
  ///
  /// - Returns: Whether it has them, or needs none; otherwise it stands in line.
  mutating func takeLimitsAgain(_ id: EntryID, _ turn: inout QueueTurn) -> Bool {
    guard let entry = limits[id] else { return true }
    let rank =
      entry.demandInLine == nil
      ? LimitTable.Rank(isReturning: true, priority: 0, order: LimitTable.nextOrder()) : entry.rank
    return takeLimits(entry.needs, as: rank, id, &turn)
  }

  /// An operation is admitted that stands in line since it was added.
  ///
  /// - Returns: Whether it stays there: not where it waits for something else by now, or would stand elsewhere.
  mutating func staysInLine(
    _ id: EntryID,
    _ storage: OperationStorage,
    _ inLine: OperationStateMachine.InLine,
    _ readiness: OperationReadiness,
    _ turn: inout QueueTurn
  ) -> Bool {
    if readiness == .ready, !scheduler.hasBarrier, storage.read({ $0.stands(for: inLine.needs, as: inLine.rank) }) {
      limits.add(id, inLine, isTaken: false)
      return true
    }
    turn.limitNotices.append(LimitTable.remove(inLine.demand, by: turn.queue))
    return false
  }

  /// Whether an operation in line would stand there as before, after a change of it.
  func standsAsBefore(_ id: EntryID, _ storage: OperationStorage) -> Bool {
    guard let entry = limits[id] else { return true }
    return storage.read { $0.stands(for: entry.needs, as: entry.rank) }
  }

  /// An operation that is in line for its limits goes back among the ready ones.
  mutating func leaveLine(_ id: EntryID, _ turn: inout QueueTurn) {
    guard scheduler.isInLine(id) else { return }
    giveBackLimits(id, &turn)
    scheduler.leaveLine(id)
  }

  /// A body waits, and lends its limits with its slot.
  mutating func lendLimits(_ id: EntryID, _ turn: inout QueueTurn) {
    if let demand = limits.lend(id) { turn.limitNotices.append(LimitTable.remove(demand, by: turn.queue)) }
  }

  /// An operation has finished, or stands in line anew.
  mutating func giveBackLimits(_ id: EntryID, _ turn: inout QueueTurn) {
    guard let entry = limits.remove(id), let demand = entry.demand else { return }
    // The limits have to be there until then.
    withExtendedLifetime(entry) { turn.limitNotices.append(LimitTable.remove(demand, by: turn.queue)) }
  }

  /// The first operation in line that can have its limits now, where the queue has a slot for it.
  func nextLimited(in queue: AsyncOperationQueue) -> EntryID? {
    guard limits.isAnyInLine, scheduler.opening != .nothing,
      let demand = LimitTable.nextDemand(of: queue, opening: scheduler.opening)
    else { return nil }
    return limits.entry(of: demand)
  }

  /// Tells at the end of a turn what the queue can begin: where that is nothing, others go ahead of its operations in line.
  func tellOpening(_ turn: inout QueueTurn) {
    guard limits.isAnyInLine else { return }
    turn.limitNotices.append(LimitTable.setOpening(scheduler.opening, of: turn.queue))
  }
}

extension QueueScheduler {
  /// What could be chosen now, if there were room in the limits.
  var opening: LimitTable.Opening { hasFreeSlot && !startsAreHeld ? .all : canResume ? .returns : .nothing }
}
