import StructuredOperations

extension Referee {
  // MARK: Barriers

  /// Checks that an operation that begins is not behind a barrier that has yet to run.
  mutating func checkBarriers(of operation: OperationModel, _ queue: Int, _ finished: Set<Int>) {
    guard let added = operation.added else { return }
    for barrier in queues[queue].barriers where !withdrawnBarriers.contains(barrier.id) {
      guard let returned = barrier.added.returned, returned < added.called else { continue }
      if mayPass(operation, barrier, queue) {
        passed.insert(operation.plan.id)
        continue
      }
      if !barrier.mayBeCancelled, barrier.ended == nil {
        fault("\(operation.plan.id) passed barrier \(barrier.id) of queue \(queue)")
      }
      checkIsAlone(barrier, queue, finished, "\(operation.plan.id), behind barrier \(barrier.id),")
    }
  }

  /// Checks that everything that was in the queue before the barrier has finished.
  mutating func checkIsAlone(
    _ barrier: QueueModel.Barrier,
    _ queue: Int,
    _ finished: Set<Int>,
    _ name: String
  ) {
    for (id, model) in operations where model.queue == queue && !finished.contains(id) {
      guard let returned = model.added?.returned, returned < barrier.added.called else { continue }
      fault("\(name) ran before \(id), which is ahead of barrier \(barrier.id), had finished")
    }
  }

  /// Whether an operation ahead of the barrier may depend on this one, directly or indirectly.
  private func mayPass(_ operation: OperationModel, _ barrier: QueueModel.Barrier, _ queue: Int) -> Bool {
    guard program.features.passesBarriers else { return false }
    var open = operations.filter { mayBeAhead($0.value, of: barrier, queue) }.map(\.key)
    var seen = Set(open)
    while let id = open.popLast() {
      let needed = model(id).attempts.union(model(id).plan.waitsFor.map { [$0] } ?? [])
      if needed.contains(operation.plan.id) { return true }
      open += needed.subtracting(seen)
      seen.formUnion(needed)
    }
    return false
  }

  // MARK: Order

  /// Checks that no operation of higher rank should have been chosen instead.
  ///
  /// An operation that begins was chosen after ``QueueModel/lastFull``. Every operation that certainly ranked ahead of
  /// it at that time must have been chosen before it. Those of them that have not begun were chosen but do not run yet,
  /// so there cannot be more of them than the queue may have chosen in addition to those that run.
  mutating func checkOrder(of id: Int, _ queue: Int) {
    let chosen = model(id)
    if program.features.passesBarriers { return }
    guard queues[queue].cancelAllCount == 0, let added = chosen.added, !chosen.hasUnknownRank else { return }
    var earliest = max(queues[queue].lastFull, added.called)
    earliest = max(earliest, lastEnd(ofDependenciesOf: chosen))
    guard chosen.changingPriority == nil, chosen.lastPriorityChange <= earliest else { return }
    let better = operations.filter { other, model in
      other != id && model.queue == queue && hasWaited(model, queue, since: earliest) && isAhead(model, of: chosen)
        && lacksNoLimit(other, since: earliest)
    }
    let slack = queues[queue].bound - queues[queue].running
    if better.count > slack {
      fault("\(id) was chosen in queue \(queue) ahead of \(better.keys.sorted()), and \(slack) can have been chosen")
    }
  }

  /// When the last body ended of those that an operation certainly depended on, which was chosen after that; -1 if there is none.
  ///
  /// A dependency that came too late, or is gone again, says nothing: the operation may have been chosen before its end.
  func lastEnd(ofDependenciesOf model: OperationModel) -> Int {
    model.edges.filter { $0.value.holds(at: now) }.compactMap { operations[$0.key]?.ended }.max() ?? -1
  }

  /// Whether an operation could have been chosen at any time since, but has not begun.
  ///
  /// One that has lost what it takes the output of fails when it begins, and no event shows that it has.
  func hasWaited(_ model: OperationModel, _ queue: Int, since earliest: Int) -> Bool {
    guard let returned = model.added?.returned, returned <= earliest, model.began == nil, model.settled == nil,
      !model.mayBeCancelled, !model.hasUnknownRank, model.changingPriority == nil, model.lost.isEmpty,
      model.lastPriorityChange <= earliest
    else { return false }
    for other in model.attempts {
      guard let dependency = operations[other], let settled = dependency.settled, settled <= earliest else {
        return false
      }
      if model.edges[other]?.requirement != .completion, !dependency.hasSucceeded { return false }
    }
    return queues[queue].barriers.allSatisfy { barrier in
      barrier.added.called > returned || (barrier.ended.map { $0 <= earliest } ?? false)
    }
  }

  func isAhead(_ one: OperationModel, of other: OperationModel) -> Bool {
    if one.priority != other.priority { return one.priority > other.priority }
    guard let mine = one.ranked, let others = other.ranked else { return false }
    if mine.called == others.called { return one.placeInBatch < other.placeInBatch }
    return mine.returned.map { $0 < others.called } ?? false
  }
}
