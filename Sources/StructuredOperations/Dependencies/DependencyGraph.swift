/// Changes the edges between operations, one change at a time: what depends on what, and which body waits for what.
///
/// Whether an edge closes a loop can be told only while nobody else adds edges. So one lock is held for searches and
/// changes; the edges themselves are in the operations. Operations run and finish without it, since that only removes edges.
enum DependencyGraph {
  struct State: Sendable {
    /// The bodies that wait for everything in a queue.
    var wholeQueueWaits = WholeQueueWaits()
    /// The bodies that wait for barriers which they have added.
    var barrierCalls = BarrierCalls()
    /// What barriers of quiescent queues hold up.
    private(set) var barrierHolds = BarrierHolds()
    private(set) var watchers = StallWatchers()
    /// The run of a reproducible executor to which the task belongs that has the lock.
    fileprivate var currentRun: Int?

    /// A stall analysis has found nothing.
    ///
    /// - Parameters:
    ///   - stallsByScopeAlone: Whether the queue is quiescent for the wait for the end of its scope alone.
    ///   - hold: What the barrier of the queue holds up, where that may matter to other queues.
    mutating func watch(
      _ queue: any OwningQueue,
      for needs: StallAnalysis.Needs,
      stallsByScopeAlone: Bool = false,
      _ hold: BarrierHolds.Hold?
    ) {
      watchers.insert(queue, needs: needs, stallsByScopeAlone: stallsByScopeAlone, run: currentRun)
      if let hold { barrierHolds.insert(hold, of: ObjectIdentifier(queue)) }
    }

    mutating func unwatch(_ id: ObjectIdentifier, _ releases: inout DeferredReleases) {
      watchers.remove(id)
      removeHold(of: id, &releases)
    }

    mutating func removeHold(of id: ObjectIdentifier, _ releases: inout DeferredReleases) {
      if let hold = barrierHolds.remove(of: id) { releases.keep(hold) }
    }

    /// A quiescent queue has taken an operation, which is behind its barrier if it has one.
    ///
    /// - Returns: Whether its barrier's hold is known here.
    mutating func holdUp(_ storage: OperationStorage, isBarrier: Bool, in queue: any OwningQueue) -> Bool {
      barrierHolds.add(storage, isBarrier: isBarrier, to: ObjectIdentifier(queue))
    }

    /// The search for what a new edge would close.
    func search(for purpose: GraphSearch.Purpose) -> GraphSearch {
      GraphSearch(for: purpose, wholeQueueWaits: wholeQueueWaits, barrierCalls: barrierCalls)
    }

    var waiterSearch: WaiterSearch {
      WaiterSearch(wholeQueueWaits: wholeQueueWaits, barrierCalls: barrierCalls, barrierHolds: barrierHolds)
    }

    /// Those to be told, once, that an operation waits for one more.
    ///
    /// What their barriers hold up may change by that, so it is not known any more. Example: A, ahead of a barrier, depends on B now,
    /// which is behind it. B will pass the barrier then, and waits for it no longer.
    ///
    /// A new wait for the end of a scope tells no queue that stalls by its own scope alone: the awaited queue looks itself, and a loop
    /// through both scopes is seen from either. So scopes within scopes do not all look again for each new one.
    ///
    /// - Parameters:
    ///   - wait: The wait of the operation's body that begins; nil where it is a dependency.
    ///   - queue: One that is not to be told.
    mutating func takeWatchers(
      of storage: OperationStorage,
      beginning wait: BodyWait? = nil,
      except queue: ObjectIdentifier? = nil,
      _ releases: inout DeferredReleases
    ) -> [StallWatchers.Watcher] {
      if watchers.isEmpty { return [] }
      let concerned = watchers.concerned(by: storage, isForScope: wait?.isForScope == true, except: queue) { run in
        run != currentRun && ReproducibleExecutors.isRunning(run)
      }
      for watcher in concerned { unwatch(watcher.id, &releases) }
      return concerned
    }
  }

  private static let lock = Guarded(State())

  /// Runs something while nobody else changes the graph.
  static func withLock<Result: Sendable & ~Copyable>(
    _ body: (inout State, inout DeferredReleases) -> Result
  ) -> Result {
    var releases = DeferredReleases()
    let run = ReproducibleExecutors.currentRunID
    let result = lock.withLock { state in
      state.currentRun = run
      return body(&state, &releases)
    }
    releases.perform()
    return result
  }

  // MARK: Dependencies

  private enum AddAction: ~Copyable, Sendable {
    case nothing
    case added(OperationStateMachine.AddedDependency, watchers: [StallWatchers.Watcher])
    case loop([any OperationProtocol])
  }

  /// - Returns: Whether the operation has the dependency now; not where it executes or has finished.
  @discardableResult
  static func add(
    _ dependency: any OperationProtocol,
    to operation: any OperationProtocol,
    requirement: DependencyRequirement
  ) throws -> Bool {
    let storage = operation.storage
    let other = dependency.storage
    guard storage !== other else { throw OperationError.dependencyOnSelf }
    let action = withLock { state, releases -> AddAction in
      // A body that waits for everything in a queue, or for a barrier, may wait for any operation, so the edge is always
      // checked.
      let mayBeAwaited = !state.wholeQueueWaits.isEmpty || !state.barrierCalls.isEmpty
      let check: OperationStateMachine.LoopCheck = mayBeAwaited ? .always : .ifAwaited
      var action = storage.addDependency(dependency, other, requirement: requirement, check, &releases)
      if case .mayCloseLoop = action {
        if let path = state.search(for: .dependency).path(from: dependency, to: storage, &releases) {
          return .loop([operation] + path)
        }
        action = storage.addDependency(dependency, other, requirement: requirement, .done, &releases)
      }
      guard case .added(let added) = action else { return .nothing }
      return .added(added, watchers: state.takeWatchers(of: storage, &releases))
    }
    switch consume action {
    case .nothing: return false
    case .added(let added, let watchers):
      tell(watchers)
      added.notify?.operationChanged(storage, .readiness)
      if added.escalatedPriority > 0 {
        OperationStorage.escalate([other], to: TaskPriority(rawValue: added.escalatedPriority))
      }
      return true
    case .loop(let path): throw OperationError.dependencyCycle(path)
    }
  }

  static func add(
    _ dependencies: [any OperationProtocol],
    to operation: any OperationProtocol,
    requirement: DependencyRequirement
  ) throws {
    for dependency in dependencies { try add(dependency, to: operation, requirement: requirement) }
  }

  // MARK: Waits

  /// Begins the wait of a body's own task.
  ///
  /// The wait may be over on return, if all that it is for has finished already.
  ///
  /// - Parameter barrier: The barrier that the wait is for, and what is ahead of that, if the body has added it; then
  ///   ``remove(barrier:)`` has to follow.
  /// - Returns: The operations along the loop that the wait would close, that whose body waits first; nil if it
  ///   closes none.
  static func begin(
    _ wait: BodyWait,
    for barrier: (storage: OperationStorage, ahead: [OperationStorage])? = nil
  ) -> BodyWait.Loop? {
    var isOver = false
    let (loop, watchers) = withLock { state, releases -> (BodyWait.Loop?, [StallWatchers.Watcher]) in
      let waiting = wait.operation.storage
      switch wait.subject {
      case .operations(let operations):
        if operations.contains(where: { $0.storage === waiting }) { return ([wait.operation], []) }
        if let barrier { state.barrierCalls.insert(barrier.storage, after: barrier.ahead) }
        let search = state.search(for: .wait)
        for operation in operations {
          guard let path = search.path(from: operation, to: waiting, &releases) else { continue }
          if let barrier { releases.keep(state.barrierCalls.remove(barrier.storage)) }
          return ([wait.operation] + path, [])
        }
        waiting.modify { $0.waitBegan(wait) }
        // `finishedOne()` may apply `waitEnded` under the graph's lock. That tells nobody: it changes neither the snapshot nor
        // what events are made from.
        for operation in operations where !operation.storage.modify({ $0.addWaitingBody(wait) }) {
          // Tells nobody, though it changes an operation under the graph's lock: neither state nor snapshot are others then.
          isOver = wait.finishedOne()
        }
      case .all(let queue), .scope(let queue):
        waiting.modify { $0.waitBegan(wait) }
        state.wholeQueueWaits.insert(wait, for: queue)
      case .closure: preconditionFailure("a closure was waited for by the graph")
      }
      return (nil, state.takeWatchers(of: waiting, beginning: wait, &releases))
    }
    tell(watchers)
    // In a queue `releaseSlot` finds that the wait is over, and the body keeps its slot.
    if isOver, wait.slotOwner == nil { wait.resume() }
    return loop
  }

  /// Those of some operations that do not wait for another one, through any number of dependencies and waits.
  static func independent(of storage: OperationStorage, _ operations: [any OperationProtocol])
    -> [any OperationProtocol]
  {
    withLock { state, releases in
      let search = state.search(for: .wait)
      return operations.filter { search.path(from: $0, to: storage, &releases) == nil }
    }
  }

  /// Removes a wait for everything in a queue, once it is over.
  static func remove(_ wait: BodyWait, for queue: any OwningQueue) {
    withLock { state, _ in state.wholeQueueWaits.remove(wait, for: queue) }
  }

  /// The wait for a barrier that the body had added is over.
  static func remove(barrier: OperationStorage) {
    withLock { state, releases in _ = releases.keep(state.barrierCalls.remove(barrier)) }
  }

  /// Some operations have fallen behind a barrier of their queue.
  ///
  /// - Parameter isBehind: Whether a barrier still waits for one of them.
  static func fell(
    _ storages: [OperationStorage],
    isBehind: (_ barrier: OperationStorage, OperationStorage) -> Bool
  ) {
    withLock { state, releases in _ = releases.keep(state.barrierCalls.fell(storages, isBehind: isBehind)) }
  }

  // MARK: Watchers

  /// The queue is freed, or can stall no longer.
  static func unwatch(_ id: ObjectIdentifier) {
    withLock { state, releases in state.unwatch(id, &releases) }
  }

  /// Something has changed in a queue: what its barrier holds up has to be found out anew.
  static func removeHold(of queue: any OwningQueue) {
    withLock { state, releases in state.removeHold(of: ObjectIdentifier(queue), &releases) }
  }

  /// A queue has taken an operation that does not begin at once.
  ///
  /// - Parameter waiters: The operations whose bodies wait for everything in the queue.
  /// - Returns: The other queues to be told: there something waits for the operation, so it may have closed a loop.
  static func added(
    _ storage: OperationStorage,
    isBarrier: Bool,
    to queue: any OwningQueue,
    awaitedBy waiters: [OperationStorage]
  ) -> [any OwningQueue] {
    withLock { state, releases in
      let id = ObjectIdentifier(queue)
      var watchers: [StallWatchers.Watcher] = []
      if state.holdUp(storage, isBarrier: isBarrier, in: queue), storage.isAwaitedByOperations {
        watchers += state.takeWatchers(of: storage, except: id, &releases)
      }
      for waiter in waiters { watchers += state.takeWatchers(of: waiter, except: id, &releases) }
      return watchers.compactMap(\.queue)
    }
  }

  /// What a queue holds is awaited by a body that waits for everything in it, as the queue knows from now on.
  ///
  /// - Returns: The other queues to be told.
  static func wholeQueueWaitBegan(_ wait: BodyWait, for queue: any OwningQueue) -> [any OwningQueue] {
    withLock { state, releases in
      state.takeWatchers(of: wait.operation.storage, beginning: wait, except: ObjectIdentifier(queue), &releases)
        .compactMap(\.queue)
    }
  }

  static func tell(_ watchers: [StallWatchers.Watcher]) {
    for watcher in watchers { watcher.queue?.graphChanged() }
  }
}
