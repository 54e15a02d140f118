// The edges of the operation to others, in both directions.
extension OperationStateMachine {
  // MARK: What it depends on

  /// Whether a new edge has to be checked for loops first.
  enum LoopCheck: Sendable {
    /// Where something waits for the operation: otherwise it can be in no loop.
    case ifAwaited
    case always
    /// It has been done, in the same critical section of the graph's lock.
    case done
  }

  /// What adding an edge takes.
  enum DependencyCheck: Equatable, Sendable {
    /// The operation waits for nothing any more; nothing follows.
    case tooLate
    /// Something waits for the operation, so that the edge may close a loop.
    case mayCloseLoop
    /// The dependency is to be given the key of the edge.
    case new(Dependencies.Key)
    /// There is one already.
    case known
    /// The same as `new`, unless there is one already: where few depend on the dependency, that knows it at once.
    case newOrKnown(Dependencies.Key)
  }

  /// How an edge is to be added.
  ///
  /// - Parameter id: That of the dependency.
  mutating func checkDependency(_ id: ObjectIdentifier, _ check: LoopCheck) -> DependencyCheck {
    guard isUnclaimed else { return .tooLate }
    switch check {
    case .ifAwaited: if isAwaitedByOperations { return .mayCloseLoop }
    case .always: return .mayCloseLoop
    case .done: break
    }
    // Not `read`, which would copy what its closure reads.
    return connections.change { connections in
      if connections.dependencies.isLong { return .newOrKnown(connections.dependencies.nextKey) }
      return if let key = connections.dependencies.newKey(for: id) { .new(key) } else { .known }
    }
  }

  /// The key that the edge to a dependency gets; nil where there is one already.
  mutating func newKey(for id: ObjectIdentifier) -> Dependencies.Key? {
    connections.change { $0.dependencies.newKey(for: id) }
  }

  /// What follows from an edge that was added.
  struct AddedDependency: Sendable {
    /// The queue to be told, where the readiness has changed.
    let notify: (any OwningQueue)?
    /// What the operation hands on to what it depends on.
    let escalatedPriority: UInt8
  }

  /// Adds an edge, or strengthens the requirement of one that exists.
  ///
  /// - Parameters:
  ///   - key: The next one; nil where there is an edge already.
  ///   - hasSucceeded: Whether the dependency has succeeded; nil if it has not finished.
  mutating func addDependency(
    _ dependency: any OperationProtocol,
    id: ObjectIdentifier,
    requirement: DependencyRequirement,
    key: Dependencies.Key?,
    hasSucceeded: Bool?
  ) -> AddedDependency {
    precondition(isUnclaimed, "a dependency was added to an operation that waits for none any more")
    let isReadinessChanged = connections.change { connections in
      Self.change(&connections.dependencies) {
        if let key {
          $0.append(dependency, id: id, key: key, requirement: requirement, hasSucceeded: hasSucceeded)
        } else {
          $0.strengthen(id, to: requirement, hasSucceeded: hasSucceeded)
        }
      }
    }
    // Example: a child task is about to begin with the operation, which was chosen ahead, and finds it blocked. If it became ready
    // once more before the queue hears of that, and joined another batch, it would be chosen twice.
    if isReadinessChanged { forgetPosition() }
    return AddedDependency(notify: isReadinessChanged ? queueToNotify : nil, escalatedPriority: escalatedPriority)
  }

  /// What removing an edge leaves.
  struct RemovedDependency: Sendable {
    /// The queue to be told, where the readiness has changed.
    var notify: (any OwningQueue)?
    /// Whether the operation was to be skipped, and waits for its other dependencies again.
    var isBlockedAgain = false
    /// Nil if there was no such edge.
    var entry: Dependencies.Entry?
    /// To be freed outside of the lock.
    var pastDependencies: [any OperationProtocol] = []
  }

  /// - Parameter isRead: Whether the body may read its output, which it is not to get then, unless that was there already.
  mutating func removeDependency(_ storage: OperationStorage, isRead: Bool = false) -> RemovedDependency {
    // It is about to fail, and its outcome names the dependency.
    if case .claimed = state, readiness == .skipped { return RemovedDependency() }
    let wasSkipped = unclaimedReadiness == .skipped
    let (removed, isReadinessChanged) =
      connections.changeIfPresent { connections in
        // Strong references for as long as the lock is held: to drop the last one here would run a `deinit` under it.
        var removed = RemovedDependency(pastDependencies: connections.pastDependencies.compactMap(\.operation))
        connections.pastDependencies.removeAll { $0.operation.map { $0.storage === storage } ?? true }
        let isReadinessChanged = Self.change(&connections.dependencies) {
          removed.entry = $0.remove(ObjectIdentifier(storage))
        }
        if isRead, removed.entry?.status == .unfinished {
          connections.rare.change { _ = $0.lostSources.insert(ObjectIdentifier(storage)) }
        }
        return (removed, isReadinessChanged)
      } ?? (RemovedDependency(), false)
    return RemovedDependency(
      notify: isReadinessChanged ? queueToNotify : nil, isBlockedAgain: wasSkipped && readiness == .blocked,
      entry: removed.entry, pastDependencies: removed.pastDependencies)
  }

  /// Whether a dependency was removed before it had finished, and not added again.
  func hasLost(_ source: ObjectIdentifier) -> Bool {
    connections.read { connections in
      connections.rare.read { $0.lostSources.contains(source) } == true
        && connections.dependencies.operation(with: source) == nil
    } ?? false
  }

  /// What an operation's queue is to be told, whose readiness has changed.
  struct ReadinessNews: Sendable {
    /// The queue; nil where it is the one that tells of the end.
    let otherQueue: (any OwningQueue)?
    /// How the operation stands there, if it is ready and needs no limits.
    let ready: ReadyEntry?
  }

  /// - Parameter queue: The queue that tells of the end, mostly that of the operation, too: it is not retained for each one.
  /// - Returns: Nil where there is nothing to tell.
  mutating func dependencyFinished(
    _ key: Dependencies.Key,
    hasSucceeded: Bool,
    toldBy queue: ObjectIdentifier?
  ) -> ReadinessNews? {
    let isReadinessChanged = connections.changeIfPresent { connections in
      Self.change(&connections.dependencies) { $0.finished(key, hasSucceeded: hasSucceeded) }
    }
    guard isReadinessChanged == true, let own = queueToNotify else { return nil }
    if observation.exists, readiness == .ready {
      let dependency = connections.read { $0.dependencies.operation(of: key) } ?? nil
      // The event that takes it is told in the same step, so nothing that was there before is dropped under the lock.
      changeObservation { $0.cause = dependency }
    }
    return ReadinessNews(otherQueue: ObjectIdentifier(own) == queue ? nil : own, ready: readyEntry)
  }

  /// How the operation stands in its queue; nil where it is not ready, needs limits, or does not know where it comes.
  private var readyEntry: ReadyEntry? {
    guard readiness == .ready, !hasLimits, let position = connections.read({ $0.position }) ?? nil,
      position.priority == rankedPriority, let id = state.entryIfEnqueued
    else { return nil }
    return ReadyEntry(id: id, position: position)
  }

  /// From now on a turn of the queue has to say where the operation comes.
  mutating func forgetPosition() {
    _ = connections.changeIfPresent { $0.position = nil }
  }

  /// The queue, which takes the operation for blocked, says where it comes once it is ready.
  ///
  /// One that is not blocked may be in a batch soon, so that it must not join another one.
  mutating func renewPosition(_ position: QueuePosition) {
    let isBlocked = state.isEnqueued && readiness == .blocked
    _ = connections.changeIfPresent { $0.position = isBlocked ? position : nil }
  }

  /// What is kept of dependencies that are about to be released: nothing where nobody else holds any of them strongly, so that
  /// they are freed with that.
  static func pastDependencies(_ dependencies: inout ShortList<Dependencies.Entry>) -> [PastDependency] {
    var isAnyShared = false
    dependencies.modifyEach { if !isUniquelyReferenced(&$0.operation) { isAnyShared = true } }
    return isAnyShared ? dependencies.map { PastDependency(operation: $0.operation) } : []
  }

  /// Whether nobody else holds an operation.
  ///
  /// The reference is looked at in place, by a pointer: to call a generic function with it would copy it first, so that there
  /// would always be two. That is safe, since a value of a protocol for classes begins with the reference to the object,
  /// whatever follows.
  private static func isUniquelyReferenced(_ operation: inout any OperationProtocol) -> Bool {
    withUnsafeMutablePointer(to: &operation) { pointer in
      pointer.withMemoryRebound(to: AnyObject.self, capacity: 1) { isKnownUniquelyReferenced(&$0.pointee) }
    }
  }

  /// Changes the dependencies.
  ///
  /// - Returns: Whether the readiness has changed.
  private static func change(_ dependencies: inout Dependencies, _ body: (inout Dependencies) -> Void) -> Bool {
    let before = dependencies.readiness
    body(&dependencies)
    return dependencies.readiness != before
  }

  /// The queue to be told that the readiness has changed; a cancelled operation is skipped in any case.
  private var queueToNotify: (any OwningQueue)? { isCancelled ? nil : state.queueIfEnqueued }

  /// Empty once the operation has finished.
  var dependencies: ShortList<Dependencies.Entry> { connections.read(\.dependencies.entries) ?? ShortList() }

  /// The first dependency that did not succeed as required.
  var firstFailedDependency: (any OperationProtocol)? { connections.read(\.dependencies.firstFailed)?.flatMap(\.self) }

  // MARK: What depends on it

  /// What came of registering a dependent.
  enum AddDependentAction: Sendable {
    /// It will be told of the end.
    ///
    /// - isCrowded: Whether the list would have to grow for the next one.
    case registered(isCrowded: Bool)
    case alreadyFinished(hasSucceeded: Bool)
  }

  mutating func addDependent(_ dependent: Dependent) -> AddDependentAction {
    if let outcome { return .alreadyFinished(hasSucceeded: outcome.isSuccess) }
    let isCrowded = connections.change { Self.append(dependent, to: &$0.dependents) }
    return .registered(isCrowded: isCrowded)
  }

  private static func append(_ dependent: Dependent, to dependents: inout ShortList<Dependent>) -> Bool {
    dependents.append(dependent)
    return dependents.count >= 8 && dependents.isAtCapacity
  }

  /// Whether an operation depends on this one, by what is known here; nil where that is not to be told at once: many do, or this one
  /// has finished.
  mutating func hasDependent(_ storage: OperationStorage) -> Bool? {
    if isFinished { return nil }
    guard connections.exists else { return false }
    return connections.change { connections in
      connections.dependents.count >= Dependencies.indexedLength
        ? nil : connections.dependents.contains { $0.storage === storage }
    }
  }

  mutating func removeDependent(_ storage: OperationStorage, key: Dependencies.Key) -> Dependent? {
    connections.changeIfPresent { connections in
      let index = connections.dependents.firstIndex { $0.storage === storage && $0.key == key }
      return index.map { connections.dependents.remove(at: $0) }
    }?.flatMap(\.self)
  }

  /// - Returns: Those that were removed, to be freed outside of the lock.
  mutating func removeDependents(where isStale: (Dependent) -> Bool) -> [Dependent] {
    connections.changeIfPresent { connections in
      var removed: [Dependent] = []
      connections.dependents.removeAll { dependent in
        guard isStale(dependent) else { return false }
        removed.append(dependent)
        return true
      }
      connections.dependents.doubleCapacity()
      return removed
    } ?? []
  }

  /// Empty once the operation has finished; some may have been freed, or may no longer depend on this one.
  var dependents: ShortList<Dependent> { connections.read(\.dependents) ?? ShortList() }
}
