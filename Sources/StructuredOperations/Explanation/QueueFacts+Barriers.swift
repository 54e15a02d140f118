extension QueueFacts.Source {
  /// Has operations pass barriers, and fall behind them, as the queue will once it has nothing else to choose.
  ///
  /// Example: "early" is ahead of a barrier, and depends on "late", which is behind it; another operation has the only slot. "late" will
  /// pass the barrier when the slot is free: it waits for the slot, and is in no loop.
  mutating func moveAtBarriers() {
    guard scheduler.isBlockedAheadOfBarrier || scheduler.dueBarrier != nil, scheduler.hasBarrier else { return }
    var ids: [OperationStorage: Int] = [:]
    for member in members { if let id = member.id, let operation = member.operation { ids[operation.storage] = id } }
    // Each move follows all that is ahead, under the graph's lock, so that there are no more than these.
    var count = 0
    while count < Self.mostMoves, DependencyGraph.withLock({ _, releases in moveOnce(ids, &releases) }) { count += 1 }
  }

  private static var mostMoves: Int { 32 }

  /// - Returns: Whether something has moved.
  private mutating func moveOnce(_ ids: [OperationStorage: Int], _ releases: inout DeferredReleases) -> Bool {
    let moves = moves(ids, &releases)
    // A barrier that is due falls first, as in the queue.
    let fall = scheduler.dueBarrier == nil ? nil : moves.finding(mayPass: false)
    switch fall ?? moves.finding(mayPass: true) {
    case .pass(let storages):
      scheduler.pass(storages.compactMap { ids[$0] })
      return true
    case .fallBehind(let barrier, let storages):
      guard let id = ids[barrier] else { return false }
      let falling = storages.compactMap { ids[$0] }
      for id in falling where scheduler.isInLine(id) { scheduler.leaveLine(id) }
      return scheduler.fallBehind(id, falling)
    case .deadlock, .nothing, .onlyWaitersLeft, .scopeNeverEnds, nil: return false
    }
  }

  private func moves(
    _ ids: [OperationStorage: Int],
    _ releases: inout DeferredReleases
  ) -> StallAnalysis.Moves {
    let scheduler = scheduler
    let ahead = scheduler.hasBarrier ? scheduler.aheadOfBarrier.map(scheduler.work(of:)) : []
    return StallAnalysis.Moves(
      ahead: ahead, mayPass: true,
      isBehind: { storage in
        guard let id = ids[storage], scheduler.isHeldByBarrier(id) else { return false }
        return scheduler.isBarrier(id) || storage.unclaimedReadiness != .skipped
      },
      isBarrier: { ids[$0].map(scheduler.isBarrier) == true },
      needed: StallAnalysis.Walk(from: ahead) { releases.keep($0.awaited(through: .dependencies)) },
      dependents: { StallAnalysis.Walk(from: $0) { $0.blockedDependents(&releases) } })
  }
}
