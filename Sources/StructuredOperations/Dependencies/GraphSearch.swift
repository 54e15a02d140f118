/// Searches for what leads from one operation to another: dependencies, and waits of bodies.
///
/// The caller holds the graph's lock.
struct GraphSearch {
  /// What a loop would be closed by.
  enum Purpose {
    /// The dependencies of a cancelled operation still count, though it does not wait for them.
    case dependency
    /// Only what really waits counts.
    case wait
  }

  typealias Edge = PathSearch<OperationStorage>.Edge

  private let purpose: Purpose
  private let wholeQueueWaits: WholeQueueWaits
  private let barrierCalls: BarrierCalls

  init(for purpose: Purpose, wholeQueueWaits: WholeQueueWaits, barrierCalls: BarrierCalls = BarrierCalls()) {
    self.purpose = purpose
    self.wholeQueueWaits = wholeQueueWaits
    self.barrierCalls = barrierCalls
  }

  /// The operations that lead from one to another, without the other; nil if nothing leads there.
  func path(
    from start: any OperationProtocol,
    to end: OperationStorage,
    _ releases: inout DeferredReleases
  ) -> [any OperationProtocol]? {
    while true {
      // Each time another operation has ended, so that this comes to an end.
      do { return try currentPath(from: start, to: end, &releases) } catch {}
    }
  }

  private func currentPath(
    from start: any OperationProtocol,
    to end: OperationStorage,
    _ releases: inout DeferredReleases
  ) throws(BrokenPath) -> [any OperationProtocol]? {
    // The usual case while a graph is built, and when a body waits.
    guard end.isAwaitedByOperations || hasImplicitWait(for: end) else { return nil }
    let queue = wholeQueueWaits.isEmpty ? nil : end.queueID
    var visited: [OperationStorage] = []
    // Waits for everything in a queue are visible only from the operations in that queue, not from the body.
    var meetsWholeQueueWait = false
    let path = PathSearch.path(
      from: start.storage, to: end, successor: { successor(of: $0, below: $1, end, queue, &meetsWholeQueueWait) },
      predecessor: { predecessor(of: $0, below: $1, &releases) }, visited: &visited,
      isForwardComplete: { !meetsWholeQueueWait })
    releases.keep(visited)
    guard let path else { return nil }
    var operations = [start]
    for (storage, next) in zip(path, path.dropFirst()).dropLast() {
      guard let operation = releases.keep(storage.operation(awaited: next)) else { throw BrokenPath() }
      operations.append(operation)
    }
    return operations
  }

  // Edges of an operation vanish while a search is under way, since waits end and operations finish without the graph's lock.
  // New ones come under that lock, but for one case: an operation is added to a queue while bodies wait for everything in it.

  /// The last one below a limit of what an operation waits for.
  private func successor(
    of storage: OperationStorage,
    below limit: Int,
    _ end: OperationStorage,
    _ queue: ObjectIdentifier?,
    _ meetsWholeQueueWait: inout Bool
  ) -> Edge? {
    guard !barrierCalls.isEmpty else {
      return ownSuccessor(of: storage, below: limit, end, queue, &meetsWholeQueueWait)
    }
    let ahead = barrierCalls.ahead(of: storage)
    if limit > ahead.count,
      let edge = ownSuccessor(of: storage, below: limit - ahead.count, end, queue, &meetsWholeQueueWait)
    {
      return Edge(index: ahead.count + edge.index, node: edge.node)
    }
    return .last(of: ahead.count, below: limit) { storage.isStillToBegin ? ahead[$0] : nil }
  }

  private func ownSuccessor(
    of storage: OperationStorage,
    below limit: Int,
    _ end: OperationStorage,
    _ queue: ObjectIdentifier?,
    _ meetsWholeQueueWait: inout Bool
  ) -> Edge? {
    storage.read { machine in
      if machine.isUnclaimed {
        if purpose == .wait, machine.readiness != .blocked { return nil }
        let dependencies = machine.dependencies
        return .last(of: dependencies.count, below: limit) { index in
          let dependency = dependencies[index]
          return dependency.status == .unfinished ? dependency.operation.storage : nil
        }
      }
      // One that was just ended may be there still.
      guard let wait = machine.wait, !wait.isOver else { return nil }
      switch wait.subject {
      case .operations(let operations): return .last(of: operations.count, below: limit) { operations[$0].storage }
      case .all(let other), .scope(let other):
        if ObjectIdentifier(other) == queue { return Edge(index: 0, node: end) }
        if !wholeQueueWaits.isEmpty { meetsWholeQueueWait = true }
        return nil
      case .closure: return nil
      }
    }
  }

  /// The last one below a limit of what waits for an operation.
  func predecessor(
    of storage: OperationStorage,
    below limit: Int,
    _ releases: inout DeferredReleases
  ) -> Edge? {
    guard !barrierCalls.isEmpty else { return ownPredecessor(of: storage, below: limit, &releases) }
    let barriers = barrierCalls.barriers(behind: storage)
    if limit > barriers.count, let edge = ownPredecessor(of: storage, below: limit - barriers.count, &releases) {
      return Edge(index: barriers.count + edge.index, node: edge.node)
    }
    return .last(of: barriers.count, below: limit) { barriers[$0].isStillToBegin ? barriers[$0] : nil }
  }

  private func ownPredecessor(
    of storage: OperationStorage,
    below limit: Int,
    _ releases: inout DeferredReleases
  ) -> Edge? {
    let edge = storage.read { machine -> Edge? in
      let dependents = machine.dependents
      let bodies = machine.waitingBodies
      let count = dependents.count + bodies.count
      // Last, since they may come while the search is under way.
      let others = limit > count && !wholeQueueWaits.isEmpty ? wholeQueueWaits(for: machine.assignment?.queue) : []
      return .last(of: count + others.count, below: limit) { index in
        if index < dependents.count { return dependents[index].storage }
        let wait = index < count ? bodies[index - dependents.count] : others[index - count]
        // One that was just found to deadlock may be listed still.
        return wait.isOver ? nil : wait.operation.storage
      }
    }
    guard let edge, let other = edge.node else { return edge }
    // One that has finished waits for nothing any more, and where only what really waits counts, neither does one that was
    // cancelled. Both may be listed still, and nobody else may hold them.
    releases.keep(other)
    let waits = other.read {
      $0.wait != nil || (purpose == .wait ? $0.unclaimedReadiness == .blocked : $0.isUnclaimed)
    }
    return waits ? edge : Edge(index: edge.index, node: nil)
  }

  private func wholeQueueWaits(for queue: (any OwningQueue)?) -> [BodyWait] {
    queue.map { wholeQueueWaits[ObjectIdentifier($0)] } ?? []
  }

  /// Whether a body waits for the operation without an edge between the two.
  private func hasImplicitWait(for storage: OperationStorage) -> Bool {
    if !barrierCalls.isEmpty, !barrierCalls.barriers(behind: storage).isEmpty { return true }
    guard !wholeQueueWaits.isEmpty, let queue = storage.queueID else { return false }
    return !wholeQueueWaits[queue].isEmpty
  }
}
