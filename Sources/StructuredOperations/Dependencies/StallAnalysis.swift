/// Finds what unblocks a queue in which nothing more can begin.
///
/// Barriers, and waits for everything in a queue, are no edges of the graph. What they hold back is known to the queue
/// alone, in turns of its own; so a queue asks when it has nothing left to choose. The caller holds the graph's lock.
///
/// Example: A is ahead of a barrier and depends on B, which is behind it. A waits for B by an edge, and B waits for A by
/// the barrier. No edge closes a loop; the queue has nothing to choose, asks, and lets B pass.
struct StallAnalysis {
  typealias Walk = GraphWalk<OperationStorage>

  private let input: Input
  private let waiters: WaiterSearch
  /// Those of other queues.
  private let barrierHolds: BarrierHolds
  /// What those ahead of the barrier depend on and what their bodies wait for.
  private let awaited: Walk
  private let moves: Moves

  init(_ input: Input, _ state: DependencyGraph.State, _ releases: inout DeferredReleases) {
    self.input = input
    waiters = state.waiterSearch
    let (barrierCalls, barrierHolds) = (state.barrierCalls, state.barrierHolds)
    self.barrierHolds = barrierHolds
    // Without a barrier nothing moves.
    let mayMove = input.hasBarrier ? input.ahead : []
    moves = Self.moves(
      input, needed: Walk(from: mayMove) { releases.keep($0.awaited(through: .dependencies)) },
      dependents: { Walk(from: $0) { $0.blockedDependents(&releases) }.contains })
    var followed: Set<ObjectIdentifier> = []
    awaited = Walk(from: input.ahead) {
      releases.keep($0.awaited(through: .dependenciesAndWaits)) + barrierCalls.awaited(by: $0)
        + barrierHolds.awaited(by: $0, &followed)
    }
  }

  private static func moves(
    _ input: Input,
    needed: Walk,
    dependents: ([OperationStorage]) -> (OperationStorage) -> Bool
  ) -> Moves {
    Moves(
      ahead: input.ahead, mayPass: input.mayPass, isBehind: input.isBehind, isBarrier: input.isBarrier, needed: needed,
      dependents: dependents)
  }

  var needs: Needs {
    // What a body waits for in this queue is ahead of the barrier, or behind it.
    let isOpenEnded =
      !waiters.wholeQueueWaits.isEmpty
      && awaited.nodes.contains { $0.read { $0.wait?.isForEverything(inOtherThan: input.queue) == true } }
    return Needs(awaited.nodes, isOpenEnded: isOpenEnded)
  }

  /// What is left in the queue, and what its barrier holds up, which may be nothing so far, for the analyses of other queues; nil where
  /// that does not matter to these.
  func hold(_ needs: Needs) -> BarrierHolds.Hold? {
    guard input.isQuiescent else { return nil }
    if input.wholeQueueWaits.isEmpty {
      guard input.hasBarrier, needs.isOpenEnded || awaited.nodes.contains(where: mayBeHeldElsewhere) else { return nil }
    }
    return BarrierHolds.Hold(
      ahead: input.ahead, needs: needs, behind: input.hasBarrier ? input.behind() : nil, barriers: input.barriers(),
      passing: moves.passing, wholeQueueWaits: input.wholeQueueWaits)
  }

  /// Whether a barrier of another queue may hold up an operation, now or once it is added to one.
  private func mayBeHeldElsewhere(_ storage: OperationStorage) -> Bool {
    storage.read { machine in
      guard machine.isUnclaimed else { return false }
      guard let queue = machine.assignment?.queue else { return true }
      return queue !== input.queue && queue.hasBarriers
    }
  }

  /// - Throws: Where a wait that matters has ended since the graph was followed.
  func finding(_ releases: inout DeferredReleases) throws(BrokenPath) -> Finding {
    let movesOfBarrier = isBarrierDue ? movesThroughOtherQueues(&releases) : nil
    // It falls first, or what it needs would pass it, and fall behind the barrier that it needs itself, for ever.
    if let finding = movesOfBarrier?.finding(mayPass: false) { return finding }
    if let finding = moves.finding(mayPass: input.mayPass) { return finding }
    guard input.isQuiescent else { return .nothing }
    if let finding = try findingForWholeQueueWaits(&releases) { return finding }
    guard input.hasBarrier else { return .nothing }
    if let loop = try loopThroughBarrier(&releases) { return loop }
    return (movesOfBarrier ?? movesThroughOtherQueues(&releases)).finding(mayPass: input.mayPass) ?? .nothing
  }

  /// Whether nothing is left ahead of a barrier.
  private var isBarrierDue: Bool { input.isQuiescent && input.ahead.contains(where: input.isBarrier) }

  /// What passes the barrier, or falls behind it, where those ahead depend on others through barriers of other queues.
  ///
  /// Example: A is ahead of a barrier of queue 1, and depends on B, which is behind one of queue 2; C is ahead of that, and depends on
  /// D, which is behind that of queue 1. No wait is on this loop that could be ended. D passes.
  private func movesThroughOtherQueues(_ releases: inout DeferredReleases) -> Moves {
    var followed: Set<ObjectIdentifier> = []
    let needed = Walk(from: input.ahead) {
      releases.keep($0.awaited(through: .dependencies)) + barrierHolds.awaited(by: $0, &followed)
    }
    return Self.moves(input, needed: needed) { storages in
      var followed: Set<ObjectIdentifier> = []
      let waiting = Walk(from: storages) { $0.blockedDependents(&releases) + barrierHolds.waiting(for: $0, &followed) }
      return waiting.contains
    }
  }

  // MARK: Waits for everything

  private func findingForWholeQueueWaits(_ releases: inout DeferredReleases) throws(BrokenPath) -> Finding? {
    let waits = input.wholeQueueWaits
    if !waits.isEmpty, try waiters.onlyWaiters(in: remainder(for: waits), &releases) != nil { return .onlyWaitersLeft }
    guard let scopeWait = input.scopeWait else { return nil }
    return try findingForScope(scopeWait, &releases)
  }

  /// What is left in a scope waits for the body around it, or for bodies that wait for everything in the queue.
  ///
  /// Example: body A waits for the end of this scope, in which C depends on A; body B waits for everything in the queue. Nothing
  /// waits for B, so its wait does not end, and C keeps the scope from ending.
  private func findingForScope(
    _ scopeWait: BodyWait,
    _ releases: inout DeferredReleases
  ) throws(BrokenPath) -> Finding? {
    // A body that waits for everything in a queue does not wait for what waits for it: that queue ends the wait. So it keeps no
    // scope from ending. Example: body A of queue Q waits for the end of this scope, and body B in the scope for everything in Q.
    // Of Q only A is left, which waits for B, so Q ends the wait of B.
    let remainder = remainder(for: input.wholeQueueWaits + [scopeWait])
    guard let waiting = try waiters.onlyWaiters(in: remainder, isPlain: true, &releases) else { return nil }
    // To cancel the scope is the last resort: not all waits end with that. Example: in this scope, which was opened within another
    // one, a body waits by `waitForCurrentOperations()` for the operation around both. Nor does it reach a closure of `run` that was
    // called from elsewhere, and waits for the end of a scope of its own. What cancellation does reach goes on, and the queue looks again
    // once that has ended, so no other scope is cancelled for it.
    for storage in input.ahead {
      let path: [OperationStorage] = waiting.path(to: storage).reversed()
      guard path.last == scopeWait.operation.storage else { continue }
      let endsScopes = input.isScopeDeadlocked && !goesOnByCancellation(path)
      if let loop = try deadlock(along: path, endsScopes: endsScopes, &releases) { return loop }
    }
    return input.isScopeDeadlocked ? nil : .scopeNeverEnds
  }

  /// Whether the first operation on a path, in a cancelled scope, goes on by that: its body's task is cancelled with it.
  ///
  /// Where it waits for the end of a scope of its own, which is cancelled with the task, that is up to the next operation, which is in
  /// that scope: one that has not begun leaves, a closure of `run` that was called from elsewhere does not.
  private func goesOnByCancellation(_ path: [OperationStorage]) -> Bool {
    let next = path.first { !($0.isCancelledWithTask && $0.read { $0.wait?.isForScope == true }) }
    return next.map { $0.isStillToBegin || $0.isCancelledWithTask } ?? true
  }

  private func remainder(for waits: [BodyWait]) -> WaiterSearch.Remainder {
    WaiterSearch.Remainder(
      waiters: waits.filter { !$0.isOver }.map(\.operation.storage), ahead: input.ahead,
      passing: moves.passing, heldBack: heldBack, isHeldBack: input.isBehind)
  }

  // MARK: Barriers

  /// A wait that leads from ahead of the barrier to what is behind it.
  private func loopThroughBarrier(_ releases: inout DeferredReleases) throws(BrokenPath) -> Finding? {
    for storage in awaited.nodes where input.isBehind(storage) && !moves.passes(storage) {
      if let loop = try deadlock(along: awaited.path(to: storage), &releases) { return loop }
    }
    // The waits for the ends of scopes are visible only from the operations in these; that for the end of this scope is not for what
    // its barriers hold back. No loop leads through a wait for everything in a queue, which is not for what waits for it.
    if !waiters.wholeQueueWaits.hasScope(otherThan: input.queue) { return nil }
    var waiters = waiters
    waiters.exceptedScope = ObjectIdentifier(input.queue)
    let waiting = waiters.waiting(for: heldBack, isPlain: true, &releases)
    for storage in input.ahead where waiting.contains(storage) {
      if let loop = try deadlock(along: waiting.path(to: storage).reversed(), &releases) { return loop }
    }
    return nil
  }

  private var heldBack: [OperationStorage] { input.behind().filter { input.isBehind($0) && !moves.passes($0) } }

  /// The last wait along a path that can be ended, with the operations from the one whose body waits; nil where there is none.
  ///
  /// - Parameters:
  ///   - path: Each waits for the next one.
  ///   - endsScopes: Whether that of a body for the end of another scope is one of them.
  private func deadlock(
    along path: [OperationStorage],
    endsScopes: Bool = true,
    _ releases: inout DeferredReleases
  ) throws(BrokenPath) -> Finding? {
    // What this queue holds up is not in the graph while it is analysed.
    let found = try path.dropLast()
      .lastWait(isHeld: { barrierHolds.isHeld($0) || input.isBehind($0) }, endsScopes: endsScopes, &releases)
    guard let (index, wait) = found else { return nil }
    var operations = [wait.operation]
    for (storage, next) in zip(path[index...], path[index...].dropFirst()) {
      if let operation = releases.keep(storage.operation(awaited: next)) { operations.append(operation) }
    }
    return .deadlock(wait, operations)
  }
}
