extension AsyncOperationQueue {
  /// All that the queue knows of its operations, in one synchronous stretch on its actor.
  ///
  /// Nothing changes by it. Meanwhile no dependency is added, and no wait of a body's own task begins: the conditions are
  /// read under the graph's lock. O(n log n + dependencies).
  func facts() -> QueueFacts {
    // Before the lock: the clock is the user's.
    let hold = state.time.flatMap { $0.machine.startsAreHeld(at: $0.clock.elapsed) }
    var scheduler = state.scheduler
    scheduler.preview(shared.pendingNews, entry: { $0.entryAndReadiness(in: self)?.entry }) { wait in
      guard let id = wait.operation.storage.entry(in: self), state.releasedSlots[id] === wait else { return nil }
      return id
    }
    let listed = scheduler.listed { _ in true }
    let found = DependencyGraph.withLock { _, _ in
      listed.map { id, storage in (id: id, operation: storage.enqueuedOperation, condition: storage.condition) }
    }
    for (id, _, condition) in found {
      if case .waiting(let readiness) = condition.phase { scheduler.preview(id, readiness) }
    }
    // Taken out once: each look at a part of the scheduler, or of the state, would copy the whole.
    let (entries, limits) = (scheduler.entries, state.limits)
    func holdsSlot(_ id: Int) -> Bool { entries[id]?.phase == .executing }
    var freed = 0
    var operations: [Int: any OperationProtocol] = [:]
    operations.reserveCapacity(found.count)
    var ahead: [Int: [any OperationProtocol]] = [:]
    for (id, operation, condition) in found {
      guard let operation, condition.phase != .finished else {
        if holdsSlot(id) { freed += 1 }
        continue
      }
      operations[id] = operation
      if let entry = entries[id], !entry.isBarrier { ahead[entry.segment, default: []].append(operation) }
    }
    let standings = scheduler.standings(freed: freed, isRateExhausted: hold != nil)
    let members = found.compactMap { id, _, condition -> QueueFacts.Member? in
      guard let operation = operations[id], let standing = standings[id], let entry = entries[id] else { return nil }
      return QueueFacts.Member(
        operation: operation, condition: condition, standing: standing,
        demand: limits[id]?.demand ?? operation.storage.demandInLine,
        mayLackLimits: standing.place == .due || entry.phase == .inLine || entry.phase == .resuming,
        ahead: entry.isBarrier ? ahead[entry.segment] ?? [] : [], barrier: standing.barrier.flatMap { operations[$0] })
    }
    return QueueFacts(
      queue: self, header: description, isSuspended: scheduler.isSuspended, isLimitZero: scheduler.width == 0,
      rateHold: hold, members: members,
      slotHolders: found.compactMap { holdsSlot($0.id) ? operations[$0.id] : nil })
  }
}

extension OperationStorage {
  /// What stands in line for the operation until its queue admits it; nil where nothing does.
  fileprivate var demandInLine: LimitTable.DemandID? { mayHaveLimits ? read { $0.limits?.demandInLine } : nil }
}
