/// Looks for what leads from one operation to another: dependencies, and waits of bodies.
///
/// The caller holds the graph's lock.
struct GraphSearch {
  /// What a loop would be closed by.
  enum Purpose {
    /// Operations that were cancelled keep their dependencies in mind, though they do not wait for them.
    case dependency
    /// Only who waits counts.
    case wait
  }

  private typealias Edge = PathSearch<OperationCore>.Edge

  private let purpose: Purpose
  private let waitsForAll: WaitsForAll

  init(for purpose: Purpose, waitsForAll: WaitsForAll) {
    self.purpose = purpose
    self.waitsForAll = waitsForAll
  }

  /// The operations that lead from one to another, without the other; nil where nothing leads there.
  func path(
    from start: any OperationProtocol,
    to end: OperationCore,
    keeping garbage: () -> GraphGarbage
  ) -> [any OperationProtocol]? {
    // The usual case when a graph is built, and when a body waits.
    guard end.isWaitedFor || hasWaitForAll(of: end) else { return nil }
    let host = end.hostID
    var visited: [OperationCore] = []
    let path = PathSearch.path(
      from: start.core, to: end, successor: { successor(of: $0, $1, end, host) },
      predecessor: { predecessor(of: $0, $1) }, visited: &visited)
    garbage().keep(visited)
    guard let path else { return nil }
    return zip(path, path.dropFirst()).dropLast().reduce(into: [start]) { operations, step in
      if let operation = garbage().keep(step.0.operation(ahead: step.1)) { operations.append(operation) }
    }
  }

  /// Whatever an operation waits for, by number.
  private func successor(
    of core: OperationCore,
    _ number: Int,
    _ end: OperationCore,
    _ host: ObjectIdentifier?
  ) -> Edge {
    core.read { state in
      if state.lifecycle.isOpen {
        if purpose == .wait, state.lifecycle.standing != .pending { return .end }
        guard number < state.dependencies.entries.count else { return .end }
        let entry = state.dependencies.entries[number]
        return entry.status == .unfinished ? .to(entry.operation.core) : .none
      }
      switch state.wait?.subject {
      case .operations(let operations): return number < operations.count ? .to(operations[number].core) : .end
      case .all(let other), .scope(let other): return number == 0 && ObjectIdentifier(other) == host ? .to(end) : .end
      case nil: return .end
      }
    }
  }

  /// Whoever waits for an operation, by number.
  private func predecessor(of core: OperationCore, _ number: Int) -> Edge {
    let (edge, next) = core.read { state -> (Edge?, Int) in
      if number < state.dependents.count { return (.to(state.dependents[number].core), 0) }
      let next = number - state.dependents.count
      guard next < state.waitingBodies.count else { return (nil, next - state.waitingBodies.count) }
      // One that has just been found never to end may be listed still.
      let wait = state.waitingBodies[next]
      return (wait.isOver ? Edge.none : .to(wait.operation.core), 0)
    }
    if let edge {
      guard purpose == .wait, case .to(let other) = edge else { return edge }
      // An operation that was cancelled waits for nothing any more, and may be listed still.
      return other.read { $0.lifecycle.openStanding == .pending || $0.wait != nil } ? edge : .none
    }
    guard !waitsForAll.isEmpty, let host = core.hostID else { return .end }
    let waits = waitsForAll.of(host)
    guard next < waits.count else { return .end }
    return waits[next].isOver ? .none : .to(waits[next].operation.core)
  }

  private func hasWaitForAll(of core: OperationCore) -> Bool {
    guard !waitsForAll.isEmpty, let host = core.hostID else { return false }
    return !waitsForAll.of(host).isEmpty
  }
}
