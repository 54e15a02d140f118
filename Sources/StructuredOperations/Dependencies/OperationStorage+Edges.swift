// The edges of the graph as they are at this moment. The caller holds the graph's lock.
extension OperationStorage {
  enum Edges { case dependencies, dependenciesAndWaits }

  /// Whether it waits until others have finished, or may begin: neither is so once it is claimed or to be skipped.
  var isStillToBegin: Bool { read { $0.isUnclaimed && $0.readiness != .skipped } }

  /// Whether it waits for others, until it may begin or in its body.
  ///
  /// Once this is false it stays so as long as the caller holds the graph's lock.
  var isWaiting: Bool { read { $0.isUnclaimed ? $0.readiness != .skipped : $0.wait?.isOver == false } }

  /// Whether it waits for a dependency, or in its body for others: not where only a barrier, a slot, a limit or a suspension keeps it.
  var waitsForOperations: Bool {
    read { $0.isUnclaimed ? $0.readiness == .blocked : $0.wait?.isOver == false }
  }

  /// Whether the task of its body is cancelled with it: not that of a closure of `run` or `runBarrier`, which is its caller's.
  var isCancelledWithTask: Bool { !runsInCaller && read(\.isCancelled) }

  var isAwaitedByOperations: Bool { read(\.isAwaitedByOperations) }

  /// What has to finish before this operation begins or its body resumes.
  ///
  /// Without waits for everything in a queue, which are visible only from the operations in that queue.
  func awaited(through edges: Edges) -> [OperationStorage] {
    read { machine in
      if machine.unclaimedReadiness == .blocked {
        return machine.dependencies.compactMap { $0.status == .unfinished ? $0.operation.storage : nil }
      }
      guard edges == .dependenciesAndWaits, let wait = machine.wait, !wait.isOver,
        case .operations(let operations) = wait.subject
      else { return [] }
      return operations.map(\.storage)
    }
  }

  /// What waits until this operation has finished, without waits for everything in its queue.
  func waiting(_ releases: inout DeferredReleases) -> [OperationStorage] {
    let waits = releases.keep(read { $0.waitingBodies })
    return blockedDependents(&releases) + waits.compactMap { $0.isOver ? nil : $0.operation.storage }
  }

  /// What does not begin until this operation has finished.
  func blockedDependents(_ releases: inout DeferredReleases) -> [OperationStorage] {
    let dependents = releases.keep(read { $0.dependents })
    return dependents.compactMap { $0.storage.unclaimedReadiness == .blocked ? $0.storage : nil }
  }

  /// Another operation, which this one depends on, or which its body waits for.
  func operation(awaited other: OperationStorage) -> (any OperationProtocol)? {
    read { machine in
      let id = ObjectIdentifier(other)
      if let dependency = machine.connections.read({ $0.dependencies.operation(with: id) }) ?? nil { return dependency }
      guard case .operations(let operations) = machine.wait?.subject else { return nil }
      return operations.first { $0.storage === other }
    } ?? other.enqueuedOperation
  }
}

/// One of the operations on a path waits no more.
///
/// A wait has ended since the path was found, as by a cancellation, without the graph's lock. The same search, done anew, finds no
/// path that leads through it.
struct BrokenPath: Error {}

extension BidirectionalCollection<OperationStorage> {
  /// The last wait that can be ended on a path where each operation waits for the next one, and the last one for what closes the loop.
  ///
  /// - Parameters:
  ///   - isHeld: Whether a barrier holds up an operation, which may be a cancelled barrier.
  ///   - endsScopes: Whether the wait for a scope is one of those; not where that is cancelled already.
  /// - Returns: Nil where there is none.
  func lastWait(
    isHeld: (OperationStorage) -> Bool = { _ in false },
    endsScopes: Bool = true,
    _ releases: inout DeferredReleases
  ) throws(BrokenPath) -> (index: Index, wait: BodyWait)? {
    var last: (index: Index, wait: BodyWait)?
    for index in indices {
      if self[index].isStillToBegin { continue }
      guard let wait = releases.keep(self[index].read { $0.wait }), !wait.isOver else {
        if isHeld(self[index]) { continue }
        throw BrokenPath()
      }
      // Example: a body's closure of `run` opens a scope, in which something waits for the body. Ending the body's wait for the
      // closure would end neither the scope nor the loop.
      if !wait.isAbandoned, wait.canBeEnded, endsScopes || !wait.isForScope { last = (index, wait) }
    }
    return last
  }
}
