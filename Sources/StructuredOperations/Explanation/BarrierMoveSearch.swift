/// Finds what passes the barriers of a queue, or falls behind them, and moves it in a copy of the queue's scheduler.
struct BarrierMoveSearch {
  typealias Scheduler = QueueScheduler<OperationStorage>

  private struct Member {
    let id: Int
    let condition: OperationCondition
  }

  private var members: [OperationStorage: Member] = [:]
  /// Nothing leads from these behind a barrier that was looked at, so they are not followed again for a later one.
  private var seen: Set<OperationStorage> = []
  /// To find a move follows all that is ahead, under the graph's lock: so there are 32, and more as long as they follow little.
  private var moveCount = 0
  /// How many operations were followed for these moves.
  private var followedCount = 0

  init(_ members: [QueueFacts.Source.Member]) {
    for member in members {
      guard let id = member.id, let operation = member.operation else { continue }
      self.members[operation.storage] = Member(id: id, condition: member.condition)
    }
  }

  /// - Returns: Whether something has moved.
  mutating func moveAtNextBarrier(in scheduler: inout Scheduler) -> Bool {
    // A barrier that is due falls first, as in the queue.
    let isDue = scheduler.dueBarrier != nil
    let found = finding(
      ahead: scheduler.aheadOfBarrier, isHeld: scheduler.isHeldByBarrier, fallsFirst: isDue, in: scheduler)
    switch found {
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
    let found = finding(
      ahead: operations[segment] ?? [], isHeld: { [scheduler] in scheduler.isAtOrBehindBarrier($0, after: segment) },
      fallsFirst: false, in: scheduler)
    switch found {
    case .pass(let ids): regroup(ids, &operations, &scheduler) { $0.pass(ids, to: segment) }
    case .fallBehind(let barrier, let ids):
      var hasFallen = false
      regroup(ids, &operations, &scheduler) { hasFallen = fall(ids, behind: barrier, in: &$0) }
      return hasFallen
    case nil: return false
    }
    return true
  }

  /// What becomes of a barrier that depends on what is behind it, and is not due.
  enum MoveOnceDue {
    /// These, which are directly behind the barrier now, will pass it.
    case passing([Int])
    /// It will fall behind a later barrier, where it is now: nothing directly behind its former place will wait for it.
    case falling
  }

  /// Moves a barrier, or what it needs itself, to where it will be once the barrier is due.
  ///
  /// - Parameters:
  ///   - segment: The one that the barrier ends.
  ///   - operations: Those behind the next barrier, by segment.
  mutating func moveOnceDue(
    _ barrier: Int,
    at segment: Int,
    among operations: inout [Int: [Int]],
    in scheduler: inout Scheduler
  ) -> MoveOnceDue? {
    let found = finding(
      ahead: [barrier],
      isHeld: { [scheduler] in $0 != barrier && scheduler.isAtOrBehindBarrier($0, after: segment) },
      fallsFirst: true, in: scheduler)
    switch found {
    case .pass(let ids):
      regroup(ids, &operations, &scheduler) { $0.pass(ids, to: segment + 1) }
      return .passing(ids)
    case .fallBehind(let other, _):
      guard let later = scheduler.entries[other]?.segment else { return nil }
      scheduler.barrierFalls(barrier, behind: later)
      operations = Dictionary(uniqueKeysWithValues: operations.map { ($0 > later ? $0 + 1 : $0, $1) })
      return .falling
    case nil: return nil
    }
  }

  private func regroup(
    _ ids: [Int],
    _ operations: inout [Int: [Int]],
    _ scheduler: inout Scheduler,
    _ move: (inout Scheduler) -> Void
  ) {
    let former = Set(ids.compactMap { scheduler.entries[$0]?.segment })
    move(&scheduler)
    let moved = Set(ids)
    for segment in former { operations[segment]?.removeAll(where: moved.contains) }
    for id in moved.sorted() {
      if let entry = scheduler.entries[id] { operations[entry.segment, default: []].append(id) }
    }
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
  ///   - isHeld: Whether an entry is behind the barrier, or is a barrier that those ahead keep from beginning.
  ///   - fallsFirst: Whether what falls does so before anything passes.
  private mutating func finding(
    ahead: [Int],
    isHeld: (Int) -> Bool,
    fallsFirst: Bool,
    in scheduler: Scheduler
  ) -> Finding? {
    guard moveCount < 32 || followedCount < 32 * members.count else { return nil }
    func isBehind(_ storage: OperationStorage) -> Bool {
      guard let member = members[storage], isHeld(member.id) else { return false }
      return scheduler.isBarrier(member.id) || member.condition.readiness != .skipped
    }
    let ahead = ahead.map(scheduler.work(of:))
    let needed = DependencyGraph.withLock { _, releases in
      StallAnalysis.Walk(from: ahead) { storage in
        // Others may have gone on since.
        let needed =
          members[storage]?.condition.unfinishedDependencies.map(\.storage)
          ?? releases.keep(storage.awaited(through: .dependencies))
        return needed.filter { !seen.contains($0) }
      }
    }
    let moves = StallAnalysis.Moves(
      ahead: ahead, mayPass: true, isBehind: isBehind,
      isBarrier: { members[$0].map { scheduler.isBarrier($0.id) } == true }, needed: needed,
      dependents: { operations in
        if operations.isEmpty { return { _ in false } }
        let ways = needed.ways(to: Set(operations).contains)
        return { ways[$0] != nil }
      })
    let fall = fallsFirst ? moves.finding(mayPass: false) : nil
    let finding: Finding
    switch fall ?? moves.finding(mayPass: true) {
    case .pass(let storages): finding = .pass(storages.compactMap { members[$0]?.id })
    case .fallBehind(let barrier, let storages):
      guard let id = members[barrier]?.id else { return nil }
      finding = .fallBehind(id, storages.compactMap { members[$0]?.id })
    case .deadlock, .nothing, .onlyWaitersLeft, .scopeNeverEnds, nil:
      seen.formUnion(needed.nodes)
      return nil
    }
    moveCount += 1
    followedCount += needed.nodes.count
    return finding
  }
}
