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

  private typealias Edge = PathSearch<OperationStorage>.Edge

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
    // The usual case while a graph is built, and when a body waits.
    guard end.read({ $0.isAwaitedByOperations }) || hasImplicitWait(for: end) else { return nil }
    let queue = wholeQueueWaits.isEmpty ? nil : end.queueID
    var visited: [OperationStorage] = []
    let path = PathSearch.path(
      from: start.storage, to: end, successor: { successor(of: $0, $1, end, queue) },
      predecessor: { predecessor(of: $0, $1, &releases) }, visited: &visited,
      // Waits for everything in a queue are visible only from the operations in that queue, not from the body.
      isForwardComplete: wholeQueueWaits.isEmpty)
    releases.keep(visited)
    guard let path else { return nil }
    var operations = [start]
    for (storage, next) in zip(path, path.dropFirst()).dropLast() {
      if let operation = releases.keep(storage.operation(awaited: next)) { operations.append(operation) }
    }
    return operations
  }

  /// What an operation waits for, by number.
  private func successor(
    of storage: OperationStorage,
    _ number: Int,
    _ end: OperationStorage,
    _ queue: ObjectIdentifier?
  ) -> Edge {
    guard !barrierCalls.isEmpty else { return ownSuccessor(of: storage, number, end, queue) }
    let ahead = barrierCalls.ahead(of: storage)
    if number < ahead.count { return storage.isStillToBegin ? .to(ahead[number]) : .none }
    return ownSuccessor(of: storage, number - ahead.count, end, queue)
  }

  private func ownSuccessor(
    of storage: OperationStorage,
    _ number: Int,
    _ end: OperationStorage,
    _ queue: ObjectIdentifier?
  ) -> Edge {
    storage.read { machine in
      if machine.isUnclaimed {
        if purpose == .wait, machine.readiness != .blocked { return .end }
        let dependencies = machine.dependencies
        guard number < dependencies.count else { return .end }
        let dependency = dependencies[number]
        return dependency.status == .unfinished ? .to(dependency.operation.storage) : .none
      }
      // One that was just ended may be there still.
      guard let wait = machine.wait, !wait.isOver else { return .end }
      switch wait.subject {
      case .operations(let operations): return number < operations.count ? .to(operations[number].storage) : .end
      case .all(let other), .scope(let other): return number == 0 && ObjectIdentifier(other) == queue ? .to(end) : .end
      case .closure: return .end
      }
    }
  }

  /// What waits for an operation, by number.
  private func predecessor(
    of storage: OperationStorage,
    _ number: Int,
    _ releases: inout DeferredReleases
  ) -> Edge {
    guard !barrierCalls.isEmpty else { return ownPredecessor(of: storage, number, &releases) }
    let barriers = barrierCalls.barriers(behind: storage)
    if number < barriers.count { return barriers[number].isStillToBegin ? .to(barriers[number]) : .none }
    return ownPredecessor(of: storage, number - barriers.count, &releases)
  }

  private func ownPredecessor(
    of storage: OperationStorage,
    _ number: Int,
    _ releases: inout DeferredReleases
  ) -> Edge {
    let (edge, next) = storage.read { machine -> (Edge?, Int) in
      let dependents = machine.dependents
      if number < dependents.count { return (.to(dependents[number].storage), 0) }
      let waits = machine.waitingBodies
      let next = number - dependents.count
      guard next < waits.count else { return (nil, next - waits.count) }
      // One that was just found to deadlock may be listed still.
      return (waits[next].isOver ? Edge.none : .to(waits[next].operation.storage), 0)
    }
    if let edge {
      guard purpose == .wait, case .to(let other) = edge else { return edge }
      // A cancelled operation does not wait any more, and may be listed still; nobody else may hold it.
      releases.keep(other)
      return other.read { $0.unclaimedReadiness == .blocked || $0.wait != nil } ? edge : .none
    }
    guard !wholeQueueWaits.isEmpty, let queue = storage.queueID else { return .end }
    let waits = wholeQueueWaits[queue]
    guard next < waits.count else { return .end }
    return waits[next].isOver ? .none : .to(waits[next].operation.storage)
  }

  /// Whether a body waits for the operation without an edge between the two.
  private func hasImplicitWait(for storage: OperationStorage) -> Bool {
    if !barrierCalls.isEmpty, !barrierCalls.barriers(behind: storage).isEmpty { return true }
    guard !wholeQueueWaits.isEmpty, let queue = storage.queueID else { return false }
    return !wholeQueueWaits[queue].isEmpty
  }
}
