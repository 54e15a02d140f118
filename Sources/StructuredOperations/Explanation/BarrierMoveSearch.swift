/// Finds what passes the barriers of a queue, or falls behind them, and moves it in a copy of the queue's scheduler.
struct BarrierMoveSearch {
  typealias Scheduler = QueueScheduler<OperationStorage>

  private var ids: [OperationStorage: Int] = [:]
  /// Nothing leads from these behind a barrier that was looked at, so they are not followed again for a later one.
  private var seen: Set<OperationStorage> = []
  /// To find a move follows all that is ahead, under the graph's lock: so there are 32, and more as long as they follow little.
  private var moveCount = 0
  /// How many operations were followed for these moves.
  private var followedCount = 0

  init(_ members: [QueueFacts.Source.Member]) {
    for member in members { if let id = member.id, let operation = member.operation { ids[operation.storage] = id } }
  }

  /// - Returns: Whether something has moved.
  mutating func moveAtNextBarrier(in scheduler: inout Scheduler) -> Bool {
    switch finding(ahead: scheduler.aheadOfBarrier, at: nil, in: scheduler) {
    case .pass(let ids):
      scheduler.pass(ids)
      return true
    case .fallBehind(let barrier, let ids): return fall(ids, behind: barrier, in: &scheduler)
    case nil: return false
    }
  }

  /// - Parameters:
  ///   - segment: What is ahead of the barrier that ends it is not to wait for what is behind; not the first segment.
  ///   - operations: Those behind the next barrier, by segment.
  /// - Returns: Whether something has moved.
  mutating func move(at segment: Int, among operations: inout [Int: [Int]], in scheduler: inout Scheduler) -> Bool {
    let moved: Set<Int>
    let former: Set<Int>
    switch finding(ahead: operations[segment] ?? [], at: segment, in: scheduler) {
    case .pass(let ids):
      (moved, former) = (Set(ids), Set(ids.compactMap { scheduler.entries[$0]?.segment }))
      scheduler.pass(ids, to: segment)
    case .fallBehind(let barrier, let ids):
      (moved, former) = (Set(ids), [segment])
      guard fall(ids, behind: barrier, in: &scheduler) else { return false }
    case nil: return false
    }
    for segment in former { operations[segment]?.removeAll(where: moved.contains) }
    for id in moved.sorted() {
      if let entry = scheduler.entries[id] { operations[entry.segment, default: []].append(id) }
    }
    return true
  }

  private func fall(_ ids: [Int], behind barrier: Int, in scheduler: inout Scheduler) -> Bool {
    for id in ids where scheduler.isInLine(id) { scheduler.leaveLine(id) }
    return scheduler.fallBehind(barrier, ids)
  }

  private enum Finding {
    case pass([Int])
    case fallBehind(_ barrier: Int, [Int])
  }

  /// - Parameters:
  ///   - ahead: What is not to wait for what is behind a barrier; the barrier that is due may be the only one.
  ///   - segment: The one that the barrier ends; nil is the first one.
  private mutating func finding(ahead: [Int], at segment: Int?, in scheduler: Scheduler) -> Finding? {
    guard moveCount < 32 || followedCount < 32 * ids.count else { return nil }
    func isHeld(_ storage: OperationStorage) -> Bool {
      guard let id = ids[storage],
        segment.map({ scheduler.isAtOrBehindBarrier(id, after: $0) }) ?? scheduler.isHeldByBarrier(id)
      else { return false }
      return scheduler.isBarrier(id) || storage.unclaimedReadiness != .skipped
    }
    let ahead = ahead.map(scheduler.work(of:))
    var followedCount = 0
    func counted(_ walk: StallAnalysis.Walk) -> StallAnalysis.Walk {
      followedCount += walk.nodes.count
      return walk
    }
    let (found, visited) = DependencyGraph.withLock { _, releases in
      let needed = counted(
        StallAnalysis.Walk(from: ahead) { storage in
          releases.keep(storage.awaited(through: .dependencies)).filter { !seen.contains($0) }
        })
      let moves = StallAnalysis.Moves(
        ahead: ahead, mayPass: true, isBehind: isHeld, isBarrier: { ids[$0].map(scheduler.isBarrier) == true },
        needed: needed, dependents: { counted(StallAnalysis.Walk(from: $0) { $0.blockedDependents(&releases) }) })
      // A barrier that is due falls first, as in the queue.
      let fall = segment == nil && scheduler.dueBarrier != nil ? moves.finding(mayPass: false) : nil
      return (fall ?? moves.finding(mayPass: true), needed.nodes)
    }
    let finding: Finding
    switch found {
    case .pass(let storages): finding = .pass(storages.compactMap { ids[$0] })
    case .fallBehind(let barrier, let storages):
      guard let id = ids[barrier] else { return nil }
      finding = .fallBehind(id, storages.compactMap { ids[$0] })
    case .deadlock, .nothing, .onlyWaitersLeft, .scopeNeverEnds, nil:
      seen.formUnion(visited)
      return nil
    }
    moveCount += 1
    self.followedCount += followedCount
    return finding
  }
}
