// The edges between operations. Edges are added and removed under the graph's lock; a dependency that finishes takes
// its edges away without it.
extension OperationStorage {
  /// The readiness of an operation in a queue has changed; the queue reads it when it applies the event.
  struct ReadinessChange: Sendable {
    let storage: OperationStorage
    /// The queue; nil where it is the one that tells of the end.
    let otherQueue: (any OwningQueue)?
    /// How the operation, which has become ready, stands in its queue; nil where that takes a turn to know, and for any other
    /// change.
    let ready: ReadyEntry?

    /// Tells a queue other than that one.
    func notify() {
      guard let otherQueue else { preconditionFailure("a queue tells itself of its own operations") }
      otherQueue.operationChanged(storage, .readiness)
    }
  }

  var dependencies: [any OperationProtocol] {
    read { machine in
      machine.isFinished
        ? machine.connections.read(\.pastDependencies)?.compactMap(\.operation) ?? []
        : machine.dependencies.map(\.operation)
    }
  }

  /// The queue that the operation is in, by identity: whoever holds the graph's lock must not release the last reference
  /// to a queue.
  var queueID: ObjectIdentifier? { read { $0.assignment.map { ObjectIdentifier($0.queue) } } }

  /// What came of adding an edge.
  enum AddDependencyAction: Sendable {
    /// The operation waits for nothing any more; nothing has changed.
    case tooLate
    /// Something waits for the operation, so that the edge may close a loop; nothing has changed.
    case mayCloseLoop
    case added(Machine.AddedDependency)
  }

  /// Adds an edge.
  ///
  /// The caller holds the graph's lock. Not inlined: inlined, the closure retains whatever it captures.
  ///
  /// - Parameter other: The storage of the dependency.
  @inline(never)
  func addDependency(
    _ dependency: any OperationProtocol,
    _ other: OperationStorage,
    requirement: DependencyRequirement,
    _ check: Machine.LoopCheck,
    _ releases: inout DeferredReleases
  ) -> AddDependencyAction {
    var isCrowded = false
    let action = apply(deferring: &releases) { machine -> AddDependencyAction in
      let id = ObjectIdentifier(other)
      let newKey: Machine.Dependencies.Key?
      switch machine.checkDependency(id, check) {
      case .tooLate: return .tooLate
      case .mayCloseLoop: return .mayCloseLoop
      case .known: newKey = nil
      case .new(let key): newKey = key
      case .newOrKnown(let key):
        // What finishes in between had no such edge.
        switch other.modify({ $0.hasDependent(self) }) {
        case true?: newKey = nil
        case false?: newKey = key
        case nil: newKey = machine.newKey(for: id)
        }
      }
      var hasSucceeded: Bool?
      if let newKey {
        switch other.modify({ $0.addDependent(Machine.Dependent(storage: self, key: newKey)) }) {
        case .registered(let crowded): isCrowded = crowded
        case .alreadyFinished(let success): hasSucceeded = success
        }
      } else {
        hasSucceeded = other.outcome?.isSuccess
      }
      return .added(
        machine.addDependency(
          dependency, id: id, requirement: requirement, key: newKey, hasSucceeded: hasSucceeded))
    }
    if isCrowded { other.removeStaleDependents(&releases) }
    return action
  }

  /// Removes an edge.
  ///
  /// The caller holds the graph's lock.
  ///
  /// - Returns: The queue to be told, where the readiness has changed, and whether the operation is blocked again.
  func removeDependency(
    _ dependency: OperationStorage,
    _ releases: inout DeferredReleases
  ) -> (notify: (any OwningQueue)?, isBlockedAgain: Bool) {
    let removed = apply(deferring: &releases) { $0.removeDependency(dependency, isRead: readsOutputs) }
    releases.keep(removed)
    if let entry = removed.entry {
      // Tells nobody under the graph's lock: dependents are no part of the snapshot, nor of what events are made from.
      releases.keep(dependency.apply { $0.removeDependent(self, key: entry.key) })
    }
    return (removed.notify, removed.isBlockedAgain)
  }

  /// A dependency has finished.
  ///
  /// - Parameters:
  ///   - queue: The queue that tells it; nil where none does.
  ///   - changes: Gets what a queue is to be told.
  func dependencyFinished(
    _ key: Machine.Dependencies.Key,
    hasSucceeded: Bool,
    toldBy queue: ObjectIdentifier?,
    _ changes: inout ShortList<ReadinessChange>
  ) {
    if let news = apply({ $0.dependencyFinished(key, hasSucceeded: hasSucceeded, toldBy: queue) }) {
      changes.append(ReadinessChange(storage: self, otherQueue: news.otherQueue, ready: news.ready))
    }
  }

  /// Removes dependents that have been freed, whenever the list would have to grow: that costs O(1) an edge.
  ///
  /// The caller holds the graph's lock and that of no operation.
  private func removeStaleDependents(_ releases: inout DeferredReleases) {
    // Tells nobody, as above.
    let removed = apply { machine in
      machine.removeDependents { dependent in
        !dependent.storage.read { $0.connections.read { $0.dependencies.isUnfinished(dependent.key) } ?? false }
      }
    }
    if !removed.isEmpty { releases.keep(removed) }
  }
}
