extension DependencyGraph {
  /// What a queue that is at rest learns of its operations.
  struct Review: Sendable {
    enum Answer: Sendable {
      /// Somebody else has to bring the queue on; it is told when there are new edges.
      case nothing
      /// Operations behind a barrier that those ahead of it depend on.
      case pass([OperationCore])
      /// Everything that is left waits for the bodies that wait for everything, or is one of them; where there is none,
      /// for the body that waits for the end of the scope.
      case onlyWaitersLeft
      /// A wait that could never end, and the operations along its loop.
      case deadlock(BodyWait, BodyWait.Loop)
    }

    let answer: Answer
    /// What the operations at the front wait for, those included.
    let needed: [OperationCore]
  }

  /// Looks for what brings on a queue in which nothing that has a slot runs.
  ///
  /// - Parameters:
  ///   - front: What has to finish before anything behind the first barrier may begin.
  ///   - waitsForAll: Waits for everything in the queue.
  ///   - scopeWait: The wait for the end of the queue's scope.
  ///   - mayPass: Whether what passes a barrier could run.
  ///   - isBehind: Whether an operation is in the queue and behind the first barrier.
  static func review(
    _ host: any OperationHost,
    front: [OperationCore],
    waitsForAll: [BodyWait],
    scopeWait: BodyWait?,
    mayPass: Bool,
    isBehind: (OperationCore) -> Bool
  ) -> Review {
    var garbage: OperationCore.Garbage = []
    return lock.withLock { state in
      let dependencies = GraphWalk(from: front) { $0.operationsAhead(through: .dependencies) }
      let all = GraphWalk(from: front) { $0.operationsAhead(through: .dependenciesAndWaits) }
      garbage.append((dependencies.nodes, all.nodes))
      let passing = dependencies.nodes.filter(isBehind)
      let answer: Review.Answer =
        if passing.isEmpty {
          answer(front: front, all, waitsForAll: waitsForAll, scopeWait: scopeWait, isBehind: isBehind)
        } else {
          // What will pass later may end any wait: nothing is known of them before.
          mayPass ? .pass(passing) : .nothing
        }
      if case .nothing = answer { watch(host, in: &state) }
      return Review(answer: answer, needed: all.nodes)
    }
  }

  private static func answer(
    front: [OperationCore],
    _ all: GraphWalk<OperationCore>,
    waitsForAll: [BodyWait],
    scopeWait: BodyWait?,
    isBehind: (OperationCore) -> Bool
  ) -> Review.Answer {
    let waits = waitsForAll.isEmpty ? [scopeWait].compactMap(\.self) : waitsForAll
    if !waits.isEmpty {
      let waiting = Set(waits.map(\.operation.core))
      // What is behind the barrier waits for the front, so it waits for whatever the front waits for.
      let reaching = all.nodesReaching { waiting.contains($0) || isBehind($0) }
      if front.allSatisfy(reaching.contains) {
        if waitsForAll.isEmpty, let scopeWait, all.nodes.contains(scopeWait.operation.core),
          let loop = loop(along: all.trail(to: scopeWait.operation.core).dropLast(1).map(\.self))
        {
          return .deadlock(loop.wait, loop.operations)
        }
        return .onlyWaitersLeft
      }
    }
    for core in all.nodes where isBehind(core) {
      guard let loop = loop(along: all.trail(to: core)) else { continue }
      return .deadlock(loop.wait, loop.operations)
    }
    return .nothing
  }

  /// The last wait on the way from the front of a queue to what is behind the barrier, and the operations from the one
  /// that waits on.
  private static func loop(
    along trail: [OperationCore]
  ) -> (wait: BodyWait, operations: BodyWait.Loop)? {
    guard let index = trail.lastIndex(where: { $0.read { $0.wait != nil } }), let wait = trail[index].read({ $0.wait })
    else { return nil }
    var operations = [wait.operation]
    for (one, next) in zip(trail[index...], trail[index...].dropFirst()) {
      if let operation = one.operation(ahead: next) { operations.append(operation) }
    }
    return (wait, operations)
  }
}

extension OperationCore {
  /// What ties an operation to those ahead of it.
  fileprivate enum Edges { case dependencies, dependenciesAndWaits }

  /// Whatever has to finish before this operation begins or its body goes on.
  fileprivate func operationsAhead(through edges: Edges) -> [OperationCore] {
    read { state in
      if state.lifecycle.openStanding == .pending {
        return state.dependencies.entries.compactMap { $0.status == .unfinished ? $0.operation.core : nil }
      }
      guard edges == .dependenciesAndWaits, case .operations(let operations) = state.wait?.subject else { return [] }
      return operations.map(\.core)
    }
  }
}
