extension QueueFacts {
  /// What a queue had at one moment, as it was found.
  struct Source: Sendable {
    struct Member: Sendable {
      let id: Int
      /// Nil where it has left the queue.
      let operation: (any OperationProtocol)?
      let condition: OperationCondition
      /// What the operation itself has, or had stand in line.
      let demand: LimitTable.DemandID?
    }

    /// As the next turn would find it, but for what the conditions say.
    let scheduler: QueueScheduler<OperationStorage>
    let inLine: EntriesInLine
    let header: String
    let rateHold: Duration?
    /// In no particular order.
    let members: [Member]
  }

  init(_ source: consuming Source, of queue: AsyncOperationQueue) {
    var scheduler = source.scheduler
    for member in source.members {
      if case .waiting(let readiness) = member.condition.phase { scheduler.preview(member.id, readiness) }
    }
    let entries = scheduler.entries
    func holdsSlot(_ id: Int) -> Bool { entries[id]?.phase == .executing }
    var freed = 0
    var operations: [(any OperationProtocol)?] = Array(repeating: nil, count: entries.count)
    var ahead: [Int: [any OperationProtocol]] = [:]
    let found = source.members
    // Indices are sorted, which are smaller than what they stand for.
    let order = found.indices.map { (index: $0, number: entries[found[$0].id]?.number ?? 0) }
      .sorted { $0.number < $1.number }
    for (index, _) in order {
      let member = found[index]
      guard let operation = member.operation, member.condition.phase != .finished else {
        if holdsSlot(member.id) { freed += 1 }
        continue
      }
      operations[member.id] = operation
      if scheduler.hasBarrier, let entry = entries[member.id], !entry.isBarrier {
        ahead[entry.segment, default: []].append(operation)
      }
    }
    let standings = scheduler.standings(freed: freed, isRateExhausted: source.rateHold != nil)
    let inLine = source.inLine
    members = order.compactMap { index, _ in
      let (id, found) = (found[index].id, found[index])
      guard let operation = operations[id], let standing = standings[id], let entry = entries[id] else { return nil }
      return Member(
        operation: operation, condition: found.condition, standing: standing,
        demand: inLine[id]?.demand ?? found.demand,
        mayLackLimits: standing.place == .due || entry.phase == .inLine || entry.phase == .resuming,
        ahead: entry.isBarrier ? ahead[entry.segment] ?? [] : [], barrier: standing.barrier.flatMap { operations[$0] })
    }
    slotHolders = order.compactMap { index, _ in holdsSlot(found[index].id) ? operations[found[index].id] : nil }
    self.queue = queue
    header = source.header
    isSuspended = scheduler.isSuspended
    isLimitZero = scheduler.width == 0
    rateHold = source.rateHold
  }
}
