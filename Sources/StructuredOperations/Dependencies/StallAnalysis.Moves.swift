extension StallAnalysis {
  /// What changes its place at the barrier of a queue, since it is on the other side of what depends on it.
  struct Moves {
    /// Operations behind the barrier that those ahead of it depend on, in the order in which they were found: they wait for no barrier.
    let passing: [OperationStorage]
    private let passingSet: Set<OperationStorage>
    /// A barrier that some of those ahead of it depend on, and these.
    private let falling: (barrier: OperationStorage, dependents: [OperationStorage])?

    /// - Parameters:
    ///   - needed: What those ahead of the barrier depend on.
    ///   - dependents: Follows what depends on some operations.
    init(_ input: Input, needed: Walk, dependents: ([OperationStorage]) -> Walk) {
      let barriers = needed.nodes.filter { input.isBehind($0) && input.isBarrier($0) }
      // What depends on such a barrier cannot run before it, so it passes none.
      let late = dependents(barriers)
      passing = needed.nodes.filter { input.isBehind($0) && !input.isBarrier($0) && !late.contains($0) }
      passingSet = Set(passing)
      falling = barriers.first.map { barrier in
        let late = dependents([barrier])
        return (barrier, input.ahead.filter { late.contains($0) && !input.isBarrier($0) })
      }
    }

    func passes(_ storage: OperationStorage) -> Bool { passingSet.contains(storage) }

    /// - Parameter mayPass: Whether what passes could run.
    func finding(mayPass: Bool) -> Finding? {
      if mayPass, !passing.isEmpty { return .pass(passing) }
      if let falling, !falling.dependents.isEmpty { return .fallBehind(falling.barrier, falling.dependents) }
      return nil
    }
  }
}
