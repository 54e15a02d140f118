/// Looks for what brings a queue on in which nothing more can begin.
///
/// The caller holds the graph's lock.
struct ReviewSearch {
  private let standstill: DependencyGraph.Standstill
  /// All such waits there are, for all queues.
  private let waitsForAll: WaitsForAll
  private let garbage: GraphGarbage
  /// What the front depends on.
  private let dependencies: GraphWalk<OperationCore>
  /// What the front depends on and what its bodies wait for.
  private let awaited: GraphWalk<OperationCore>
  /// Operations behind the barrier that those ahead of it depend on: they wait for no barrier.
  private let passing: [OperationCore]

  init(_ standstill: DependencyGraph.Standstill, waitsForAll: WaitsForAll, _ garbage: GraphGarbage) {
    self.standstill = standstill
    self.waitsForAll = waitsForAll
    self.garbage = garbage
    dependencies = GraphWalk(from: standstill.front) { garbage.keep($0.operationsAhead(through: .dependencies)) }
    awaited = GraphWalk(from: standstill.front) { garbage.keep($0.operationsAhead(through: .dependenciesAndWaits)) }
    passing = dependencies.nodes.filter(standstill.isHeld)
  }

  var needed: Set<ObjectIdentifier> { Set(awaited.nodes.map { ObjectIdentifier($0) }) }

  /// Whether those at the front wait for more than that, since a body among it waits for everything in a queue.
  var isOpenEnded: Bool { !waitsForAll.isEmpty && awaited.nodes.contains { $0.read(\.waitsForAll) } }

  var answer: DependencyGraph.Review.Answer {
    if standstill.mayPass, !passing.isEmpty { return .pass(passing) }
    guard standstill.isAtRest else { return .nothing }
    if let answer = answerToWaitsForAll { return answer }
    guard let loop = loopThroughBarrier else { return .nothing }
    return .deadlock(loop.wait, loop.operations)
  }

  // MARK: Waits for everything

  private var answerToWaitsForAll: DependencyGraph.Review.Answer? {
    let waits =
      standstill.waitsForAll.isEmpty ? [standstill.scopeWait].compactMap(\.self) : standstill.waitsForAll
    if waits.isEmpty { return nil }
    // What is behind the barrier waits for the front, so it waits for whatever the front waits for.
    let waiting = operationsBehind(waits.map(\.operation.core) + held, waitsForAll)
    guard (standstill.front + passing).allSatisfy(waiting.contains) else { return nil }
    if standstill.waitsForAll.isEmpty, let scopeWait = standstill.scopeWait,
      let loop = loop(towards: scopeWait.operation.core)
    {
      return .deadlock(loop.wait, loop.operations)
    }
    return .onlyWaitersLeft
  }

  /// A wait of one at the front for the body that waits for the end of the scope.
  private func loop(towards core: OperationCore) -> (wait: BodyWait, operations: BodyWait.Loop)? {
    guard awaited.contains(core) else { return nil }
    return loop(along: awaited.trail(to: core).dropLast())
  }

  // MARK: Barriers

  /// A wait that leads from the front to what is behind the barrier.
  private var loopThroughBarrier: (wait: BodyWait, operations: BodyWait.Loop)? {
    let passing = Set(passing)
    for core in awaited.nodes where standstill.isHeld(core) && !passing.contains(core) {
      if let loop = loop(along: awaited.trail(to: core)[...]) { return loop }
    }
    // Whom a body waits for that waits for everything in a queue can only be told from the other end. One that waits
    // for everything in this queue does not wait for what its barriers hold back.
    let others = waitsForAll.without(standstill.host)
    if others.isEmpty { return nil }
    let waiting = operationsBehind(held, others)
    for core in standstill.front where waiting.contains(core) {
      if let loop = loop(along: waiting.trail(to: core).reversed()[...]) { return loop }
    }
    return nil
  }

  /// Whatever waits for some operations, through any number of steps.
  private func operationsBehind(_ cores: [OperationCore], _ waitsForAll: WaitsForAll) -> GraphWalk<OperationCore> {
    GraphWalk(from: cores) { $0.operationsBehind(waitsForAll, garbage) }
  }

  /// What the barrier holds back.
  private var held: [OperationCore] {
    let passing = Set(passing)
    return standstill.held().filter { !passing.contains($0) }
  }

  /// The last wait on the way from the front of the queue to somewhere, and the operations from the one that waits on.
  private func loop(along trail: ArraySlice<OperationCore>) -> (wait: BodyWait, operations: BodyWait.Loop)? {
    guard let (index, wait) = lastWait(along: trail) else { return nil }
    var operations = [wait.operation]
    for (one, next) in zip(trail[index...], trail[index...].dropFirst()) {
      if let operation = garbage.keep(one.operation(ahead: next)) { operations.append(operation) }
    }
    return (wait, operations)
  }

  private func lastWait(along trail: ArraySlice<OperationCore>) -> (index: Int, wait: BodyWait)? {
    for index in trail.indices.reversed() {
      if let wait = garbage.keep(trail[index].read { $0.wait }), !wait.isGivenUp { return (index, wait) }
    }
    return nil
  }
}

extension OperationCore {
  /// What ties an operation to those ahead of it.
  enum Edges { case dependencies, dependenciesAndWaits }

  /// Whatever has to finish before this operation begins or its body goes on.
  ///
  /// Without what a body waits for that waits for everything in a queue.
  func operationsAhead(through edges: Edges) -> [OperationCore] {
    read { state in
      if state.lifecycle.openStanding == .pending {
        return state.dependencies.entries.compactMap { $0.status == .unfinished ? $0.operation.core : nil }
      }
      guard edges == .dependenciesAndWaits, case .operations(let operations) = state.wait?.subject else { return [] }
      return operations.map(\.core)
    }
  }

  /// Whoever waits until this operation has finished.
  fileprivate func operationsBehind(_ waitsForAll: WaitsForAll, _ garbage: GraphGarbage) -> [OperationCore] {
    let (dependents, bodies) = garbage.keep(read { ($0.dependents, $0.waitingBodies) })
    let waits = bodies + (hostID.map(waitsForAll.of) ?? [])
    return dependents.compactMap { $0.core.read { $0.lifecycle.openStanding } == .pending ? $0.core : nil }
      + waits.compactMap { $0.isOver ? nil : $0.operation.core }
  }
}
