/// Finds what unblocks a queue in which nothing more can begin.
///
/// Barriers, and waits for everything in a queue, are no edges of the graph. What they hold back is known to the queue
/// alone, in turns of its own; so a queue asks when it has nothing left to choose. The caller holds the graph's lock.
///
/// Example: A is ahead of a barrier and depends on B, which is behind it. A waits for B by an edge, and B waits for A by
/// the barrier. No edge closes a loop; the queue has nothing to choose, asks, and lets B pass.
struct StallAnalysis {
  private typealias Walk = GraphWalk<OperationStorage>

  private let input: Input
  /// All such waits, for all queues.
  private let wholeQueueWaits: WholeQueueWaits
  private let barrierCalls: BarrierCalls
  /// What those ahead of the barrier depend on and what their bodies wait for.
  private let awaited: Walk
  /// Operations behind the barrier that those ahead of it depend on: they wait for no barrier.
  private let passing: Set<OperationStorage>
  /// The same, in the order in which they were found.
  private let passingInOrder: [OperationStorage]
  /// A barrier that some of those ahead of it depend on, and these.
  private let falling: (barrier: OperationStorage, dependents: [OperationStorage])?

  init(
    _ input: Input,
    wholeQueueWaits: WholeQueueWaits,
    barrierCalls: BarrierCalls,
    _ releases: inout DeferredReleases
  ) {
    self.input = input
    self.wholeQueueWaits = wholeQueueWaits
    self.barrierCalls = barrierCalls
    let dependencies = Walk(from: input.ahead) { releases.keep($0.awaited(through: .dependencies)) }
    awaited = Walk(from: input.ahead) {
      releases.keep($0.awaited(through: .dependenciesAndWaits)) + barrierCalls.awaited(by: $0)
    }
    let barriers = dependencies.nodes.filter { input.isBehind($0) && input.isBarrier($0) }
    // What depends on such a barrier cannot run before it, so it passes none.
    let dependents = Walk(from: barriers) { $0.blockedDependents(&releases) }
    passingInOrder = dependencies.nodes.filter { node in
      input.isBehind(node) && !input.isBarrier(node) && !dependents.contains(node)
    }
    passing = Set(passingInOrder)
    falling = barriers.first.map { barrier in
      let dependents = Walk(from: [barrier]) { $0.blockedDependents(&releases) }
      return (barrier, input.ahead.filter { dependents.contains($0) && !input.isBarrier($0) })
    }
  }

  var needs: Needs {
    // What a body waits for in this queue is ahead of the barrier, or behind it.
    let isOpenEnded =
      !wholeQueueWaits.isEmpty
      && awaited.nodes.contains { $0.read { $0.wait?.isForEverything(inOtherThan: input.queue) == true } }
    return Needs(awaited.nodes, isOpenEnded: isOpenEnded)
  }

  /// - Throws: Where a wait that matters has ended since the graph was followed.
  func finding(_ releases: inout DeferredReleases) throws(BrokenPath) -> Finding {
    if input.mayPass, !passing.isEmpty { return .pass(passingInOrder) }
    if let falling, !falling.dependents.isEmpty { return .fallBehind(falling.barrier, falling.dependents) }
    guard input.isQuiescent else { return .nothing }
    if let finding = try findingForWholeQueueWaits(&releases) { return finding }
    return try loopThroughBarrier(&releases) ?? .nothing
  }

  // MARK: Waits for everything

  private func findingForWholeQueueWaits(_ releases: inout DeferredReleases) throws(BrokenPath) -> Finding? {
    let waits = (input.wholeQueueWaits.isEmpty ? [input.scopeWait].compactMap(\.self) : input.wholeQueueWaits)
      .filter { !$0.isOver }
    if waits.isEmpty { return nil }
    // A body that waits for everything in a queue does not wait for what waits for it: that queue ends the wait. So it keeps no
    // scope from ending. Example: body A of queue Q waits for the end of this scope, and body B in the scope for everything in Q.
    // Of Q only A is left, which waits for B, so Q ends the wait of B.
    let counted = input.wholeQueueWaits.isEmpty ? wholeQueueWaits.ofScopes : wholeQueueWaits
    // What is behind the barrier waits for those ahead of it, so it waits for all that they wait for.
    let waiting = waiting(for: waits.map(\.operation.storage) + heldBack, counted, &releases)
    guard (input.ahead + passingInOrder).allSatisfy(waiting.contains) else { return nil }
    // Example: X, ahead of the barrier, awaits W, whose body awaits one of the waiters. W's wait is cancelled: X is not left for
    // ever.
    guard waiting.nodes.allSatisfy({ input.isBehind($0) || $0.isWaiting }) else { throw BrokenPath() }
    if input.wholeQueueWaits.isEmpty {
      // To cancel the scope is the last resort: not all waits end with that. Example: in this scope, which was opened within another
      // one, a body waits by `waitForCurrentOperations()` for the operation around both.
      for storage in input.ahead {
        let path: [OperationStorage] = waiting.path(to: storage).reversed()
        if let loop = try deadlock(along: path, endsScopes: false, &releases) { return loop }
      }
    }
    return .onlyWaitersLeft
  }

  // MARK: Barriers

  /// A wait that leads from ahead of the barrier to what is behind it.
  private func loopThroughBarrier(_ releases: inout DeferredReleases) throws(BrokenPath) -> Finding? {
    for storage in awaited.nodes where input.isBehind(storage) && !passing.contains(storage) {
      if let loop = try deadlock(along: awaited.path(to: storage), &releases) { return loop }
    }
    // Waits for everything in another queue are visible only from the operations in that queue. One for everything in
    // this queue does not include what its barriers hold back.
    let others = wholeQueueWaits.without(input.queue)
    if others.isEmpty { return nil }
    let waiting = waiting(for: heldBack, others, &releases)
    for storage in input.ahead where waiting.contains(storage) {
      if let loop = try deadlock(along: waiting.path(to: storage).reversed(), &releases) { return loop }
    }
    return nil
  }

  /// What waits for some operations, through any number of steps.
  private func waiting(
    for storages: [OperationStorage],
    _ wholeQueueWaits: WholeQueueWaits,
    _ releases: inout DeferredReleases
  ) -> Walk {
    Walk(from: storages) { $0.waiting(wholeQueueWaits, &releases) + barrierCalls.waiting(for: $0) }
  }

  private var heldBack: [OperationStorage] { input.behind().filter { !passing.contains($0) } }

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
    guard let (index, wait) = try path.dropLast().lastWait(endsScopes: endsScopes, &releases) else { return nil }
    var operations = [wait.operation]
    for (storage, next) in zip(path[index...], path[index...].dropFirst()) {
      if let operation = releases.keep(storage.operation(awaited: next)) { operations.append(operation) }
    }
    return .deadlock(wait, operations)
  }
}
