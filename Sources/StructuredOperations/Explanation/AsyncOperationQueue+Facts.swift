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
    let entries = scheduler.listed { _ in true }
    let found = DependencyGraph.withLock { _, _ in
      entries.map { id, storage in (id: id, operation: storage.enqueuedOperation, condition: storage.condition) }
    }
    var freed = 0
    for (id, operation, condition) in found {
      if case .waiting(let readiness) = condition.phase { scheduler.preview(id, readiness) }
      if operation == nil || condition.phase == .finished, scheduler.holdsSlot(id) { freed += 1 }
    }
    let standings = scheduler.standings(freed: freed, isRateExhausted: hold != nil)
    var operations: [Int: any OperationProtocol] = [:]
    var ahead: [Int: [any OperationProtocol]] = [:]
    for (id, operation, condition) in found where condition.phase != .finished {
      guard let operation else { continue }
      operations[id] = operation
      if !scheduler.isBarrier(id), let segment = scheduler.entries[id]?.segment {
        ahead[segment, default: []].append(operation)
      }
    }
    let members = found.compactMap { id, operation, condition -> QueueFacts.Member? in
      guard let operation = operations[id], let standing = standings[id], let entry = scheduler.entries[id] else {
        return nil
      }
      return QueueFacts.Member(
        operation: operation, condition: condition, standing: standing,
        demand: state.demand(of: id, operation.storage),
        mayLackLimits: standing.place == .due || entry.phase == .inLine || entry.phase == .resuming,
        ahead: entry.isBarrier ? ahead[entry.segment] ?? [] : [], barrier: standing.barrier.flatMap { operations[$0] })
    }
    return QueueFacts(
      queue: self, header: description, isSuspended: scheduler.isSuspended, isLimitZero: scheduler.width == 0,
      rateHold: hold, members: members,
      slotHolders: found.compactMap { scheduler.holdsSlot($0.id) ? operations[$0.id] : nil })
  }
}

extension QueueState {
  /// What an entry has of limits, or stands in line with; nil where it does neither.
  fileprivate func demand(of id: EntryID, _ storage: OperationStorage) -> LimitTable.DemandID? {
    limits[id]?.demand ?? storage.read { $0.limits?.demandInLine }
  }
}

extension QueueScheduler {
  fileprivate func holdsSlot(_ id: EntryID) -> Bool { entries[id]?.phase == .executing }
}
