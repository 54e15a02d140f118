extension OperationCore {
  /// A queue that has to be told that an operation of its stands otherwise now; it reads how when it gets to it.
  struct Notice: Sendable {
    let core: OperationCore
    let host: any OperationHost
    /// How it stands.
    let standing: OperationStanding
    let priority: QueuePriority
    /// The queue's name for it; nil where it has not taken the operation in yet.
    let entry: Int?
    let rank: Int

    func deliver() { host.operationChanged(core, .standing) }
  }

  var dependencies: [any OperationProtocol] {
    read { state in
      state.lifecycle.isFinished
        ? state.pastDependencies.compactMap(\.operation) : state.dependencies.entries.map(\.operation)
    }
  }

  /// Whether another operation depends on this one, or its body waits for it.
  ///
  /// Only then can it be part of a loop.
  var isWaitedFor: Bool { read { $0.isWaitedFor } }

  /// The queue that the operation is in.
  ///
  /// By identity: whoever holds the graph's lock must not be the last to hold a queue.
  var hostID: ObjectIdentifier? { read { $0.membership.map { ObjectIdentifier($0.host) } } }

  /// Another operation, which this one depends on, or which its body waits for.
  func operation(ahead other: OperationCore) -> (any OperationProtocol)? {
    read { state in
      if let dependency = state.dependencies.operation(with: ObjectIdentifier(other)) { return dependency }
      guard case .operations(let operations) = state.wait?.subject else { return nil }
      return operations.first { $0.core === other }
    } ?? other.enqueuedOperation
  }

  /// What came of adding an edge.
  enum Link: Sendable {
    /// The operation waits for nothing any more.
    case tooLate
    /// Something waits for the operation, so the edge may close a loop; nothing has happened.
    case questionable
    /// - donatedPriority: What the operation hands on to what it depends on.
    case done(Notice?, donatedPriority: UInt8)
  }

  /// Adds an edge.
  ///
  /// The caller holds the graph's lock.
  ///
  /// - Parameter waitsForAll: What else may be part of a loop; nil where the edge is known to close none.
  func link(
    to dependency: any OperationProtocol,
    requirement: DependencyRequirement,
    unlessWaitedFor waitsForAll: WaitsForAll?,
    collecting wakeups: inout Wakeups,
    _ garbage: () -> GraphGarbage
  ) -> Link {
    let other = dependency.core
    let id = ObjectIdentifier(other)
    var isCrowded = false
    let link = change(collecting: &wakeups) { state -> Link in
      guard state.lifecycle.isOpen else { return .tooLate }
      if let waitsForAll, state.isWaitedFor || !waitsForAll.isEmpty { return .questionable }
      let (before, after) = state.dependencies.add(dependency, id: id, requirement: requirement) { key in
        guard let key else { return other.hasSucceeded }
        return other.register(Dependent(core: self, key: key), isCrowded: &isCrowded)
      }
      let isChanged = state.lifecycle.dependencyChanged(from: before, to: after)
      return .done(isChanged ? notice(state) : nil, donatedPriority: state.donatedPriority)
    }
    if isCrowded { other.forgetStaleDependents(keeping: garbage) }
    return link
  }

  /// Cuts an edge.
  ///
  /// The caller holds the graph's lock.
  func unlink(
    _ dependency: OperationCore,
    collecting wakeups: inout Wakeups,
    _ garbage: () -> GraphGarbage
  ) -> Notice? {
    let (notice, removed, past) = change(collecting: &wakeups) {
      state -> (Notice?, Dependencies.Entry?, [any OperationProtocol]) in
      let past = state.pastDependencies.compactMap(\.operation)
      state.pastDependencies.removeAll { $0.operation.map { $0.core === dependency } ?? true }
      guard let entry = state.dependencies.remove(ObjectIdentifier(dependency)) else { return (nil, nil, past) }
      let isChanged = state.lifecycle.dependencyChanged(from: entry.status, to: nil)
      return (isChanged ? self.notice(state) : nil, entry, past)
    }
    garbage().keep(past)
    if let removed {
      garbage().keep(removed.operation)
      garbage().keep(dependency.forget(Dependent(core: self, key: removed.key)))
    }
    return notice
  }

  /// Takes back ``register(_:isCrowded:)``.
  private func forget(_ dependent: Dependent) -> Dependent? {
    change { state in
      let index = state.dependents.firstIndex { $0.core === dependent.core && $0.key == dependent.key }
      return index.map { state.dependents.remove(at: $0) }
    }
  }

  /// A dependency has finished.
  func dependencyFinished(_ key: Dependencies.Key, hasSucceeded: Bool) -> Notice? {
    change { state in
      guard let status = state.dependencies.finished(key, hasSucceeded: hasSucceeded) else { return nil }
      return state.lifecycle.dependencyChanged(from: .unfinished, to: status) ? notice(state) : nil
    }
  }

  private func notice(_ state: State) -> Notice? {
    state.membership.map {
      Notice(
        core: self, host: $0.host, standing: state.lifecycle.standing, priority: state.rankedPriority,
        entry: state.entry, rank: state.rank)
    }
  }

  /// Nil where it has not finished.
  private var hasSucceeded: Bool? {
    read { state in
      switch state.work {
      case .body, .taken: nil
      case .success: true
      case .failure, .cancelled: false
      }
    }
  }

  /// Has the dependent told when this operation finishes.
  ///
  /// - Parameter isCrowded: Becomes true where the list of dependents would have to grow for the next one.
  /// - Returns: Whether it succeeded, where it has finished already.
  private func register(_ dependent: Dependent, isCrowded: inout Bool) -> Bool? {
    let (hasSucceeded, isFull) = change { state -> (Bool?, Bool) in
      switch state.work {
      case .success: return (true, false)
      case .failure, .cancelled: return (false, false)
      case .body, .taken:
        state.dependents.append(dependent)
        return (nil, state.dependents.count >= 8 && state.dependents.isCrowded)
      }
    }
    isCrowded = isFull
    return hasSucceeded
  }

  /// Forgets dependents that have been freed, when the list would have to grow: so that costs O(1) for each edge.
  ///
  /// The caller holds the graph's lock and that of no operation.
  private func forgetStaleDependents(keeping garbage: () -> GraphGarbage) {
    let crowd = garbage().keep(read { $0.dependents })
    let stale = crowd.filter { dependent in !dependent.core.read { $0.dependencies.isUnfinished(dependent.key) } }
    let staleEdges = Set(stale.map { Edge(dependent: $0.core, key: $0.key) })
    change { state in
      if !staleEdges.isEmpty {
        state.dependents.removeAll { staleEdges.contains(Edge(dependent: $0.core, key: $0.key)) }
      }
      state.dependents.makeRoom()
    }
  }

  private struct Edge: Hashable {
    let dependent: OperationCore
    let key: Dependencies.Key
  }
}
