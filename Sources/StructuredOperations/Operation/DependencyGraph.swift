/// Changes the edges between operations, one change at a time.
///
/// Whether an edge closes a loop can only be told while nobody else changes the graph, so there is one lock for all of
/// it (DP-04, DP-22). It is held by changes alone: operations run and finish without it, since they only take edges
/// away.
enum DependencyGraph {
  private static let lock = Guarded(())

  private enum Answer: Sendable {
    case linked(OperationCore.Notice?)
    case loop([any OperationProtocol])
  }

  static func add(
    _ dependency: any OperationProtocol,
    to operation: any OperationProtocol,
    requirement: DependencyRequirement
  ) throws {
    let core = operation.core
    let other = dependency.core
    guard core !== other else { throw OperationError.dependencyOnSelf }
    var wakeups: OperationCore.Wakeups = []
    var garbage: OperationCore.Garbage = []
    let answer = lock.withLock { _ -> Answer in
      guard core.read({ $0.lifecycle.isOpen }) else { return .linked(nil) }
      if let path = path(from: other, to: core, collecting: &garbage) {
        return .loop([operation] + operations(along: path, from: dependency))
      }
      return .linked(core.link(to: dependency, requirement: requirement, collecting: &wakeups, &garbage))
    }
    for reader in wakeups { reader.resume() }
    switch answer {
    case .linked(let notice): notice?.deliver()
    case .loop(let path): throw OperationError.dependencyCycle(path)
    }
  }

  static func remove(_ dependency: any OperationProtocol, from operation: any OperationProtocol) {
    var wakeups: OperationCore.Wakeups = []
    var garbage: OperationCore.Garbage = []
    let notice = lock.withLock { _ in operation.core.unlink(dependency.core, collecting: &wakeups, &garbage) }
    for reader in wakeups { reader.resume() }
    notice?.deliver()
  }

  /// What leads from one operation to another along dependencies, without the second.
  private static func path(
    from start: OperationCore,
    to end: OperationCore,
    collecting garbage: inout OperationCore.Garbage
  ) -> ArraySlice<OperationCore>? {
    guard end.hasDependents else { return nil }
    var visited: [OperationCore] = []
    let path = PathSearch.path(
      from: start, to: end, successor: { $0.unfinishedDependency($1) }, predecessor: { $0.dependent($1) },
      visited: &visited)
    garbage.append(visited)
    return path?.dropLast()
  }

  /// The operations whose cores form a path: each stands in the list of the one before.
  private static func operations(
    along path: ArraySlice<OperationCore>,
    from first: any OperationProtocol
  ) -> [any OperationProtocol] {
    zip(path, path.dropFirst()).reduce(into: [first]) { operations, step in
      let (one, next) = step
      guard let operation = one.read({ $0.dependencies.operation(with: ObjectIdentifier(next)) }) else { return }
      operations.append(operation)
    }
  }
}
