extension StallAnalysis {
  /// What changes its place at the barrier of a queue, since it is on the other side of what depends on it.
  struct Moves {
    /// Operations behind the barrier that those ahead of it depend on, in the order in which they were found: they wait for no barrier.
    let passing: [OperationStorage]
    private let passingSet: Set<OperationStorage>
    /// A barrier that some of those ahead of it depend on, and these; the barrier that is due may be one of them.
    private let falling: (barrier: OperationStorage, dependents: [OperationStorage])?

    /// - Parameters:
    ///   - ahead: What has to finish before anything behind the first barrier may begin.
    ///   - mayPass: Whether what passes a barrier could run.
    ///   - isBehind: Whether an operation is that barrier or behind it, and waits for those ahead.
    ///   - isBarrier: Whether an operation is a barrier of the queue, which passes no other.
    ///   - needed: What those ahead of the barrier depend on.
    ///   - dependents: Tells what depends on some operations, directly or not; these, too.
    init(
      ahead: [OperationStorage],
      mayPass: Bool,
      isBehind: (OperationStorage) -> Bool,
      isBarrier: (OperationStorage) -> Bool,
      needed: Walk,
      dependents: ([OperationStorage]) -> (OperationStorage) -> Bool
    ) {
      let barriers = needed.nodes.filter { isBehind($0) && isBarrier($0) }
      // What depends on such a barrier cannot run before it, so it passes none.
      let isLate = dependents(barriers)
      passing = needed.nodes.filter { isBehind($0) && !isBarrier($0) && !isLate($0) }
      passingSet = Set(passing)
      // A barrier falls for good, so it stays where it could not begin: it may not depend on the other one when the queue resumes.
      let mayFall = ahead.filter { mayPass || !isBarrier($0) }
      falling = Self.falling(mayFall, behindOneOf: barriers, dependents)
    }

    private static func falling(
      _ ahead: [OperationStorage],
      behindOneOf barriers: [OperationStorage],
      _ dependents: ([OperationStorage]) -> (OperationStorage) -> Bool
    ) -> (barrier: OperationStorage, dependents: [OperationStorage])? {
      // The one that was found last, for those before it may depend on it. Example: of ten barriers each depends on the next one. The
      // first falls behind the last one at once, and not behind the second, then behind the third, and so on.
      for barrier in barriers.reversed() {
        // None may be found where the way leads through a queue that has not admitted all that it has taken: from the barrier, what
        // waits there to be admitted is not known.
        let falling = ahead.filter(dependents([barrier]))
        if !falling.isEmpty { return (barrier, falling) }
      }
      return nil
    }

    func passes(_ storage: OperationStorage) -> Bool { passingSet.contains(storage) }

    /// - Parameter mayPass: Whether what passes could run.
    func finding(mayPass: Bool) -> Finding? {
      if mayPass, !passing.isEmpty { return .pass(passing) }
      if let falling { return .fallBehind(falling.barrier, falling.dependents) }
      return nil
    }
  }
}
