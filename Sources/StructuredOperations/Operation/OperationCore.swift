/// The state of one operation, behind one lock of its own: what its actor, its queue, its observers and whoever cancels
/// it share.
///
/// The actor is the operation's face and holds the only strong reference that keeps it usable; the core may outlive it,
/// as the end of an edge. It is not generic, so queues handle operations of every output alike. Decisions are those of
/// ``OperationLifecycle`` and the other machines in ``State``; this type performs them, and does so outside of the
/// lock.
///
/// Order of locks: the graph's, then operations', then observers'. Two operations' locks are held at once only under
/// the graph's.
final class OperationCore: Sendable {
  /// Unsafe, since those are frozen: a checked one would give the state a layout that is only known at run time.
  ///
  /// Each is taken out of the state to be resumed, so it is resumed once.
  typealias Sleeper = UnsafeContinuation<Void, Never>
  typealias Wakeups = [ChangeChannel<OperationSnapshot>.Reader]
  typealias CompletionBlock = @Sendable () async -> Void
  typealias Dependencies = DependencyList<any OperationProtocol>

  /// What is so from the beginning.
  private struct Traits: OptionSet, Sendable {
    let rawValue: UInt8

    static let isAsynchronous = Traits(rawValue: 1)
    static let isOfCaller = Traits(rawValue: 2)
    static let isBlocking = Traits(rawValue: 4)
    static let hasExecutor = Traits(rawValue: 8)
  }

  private let state: Guarded<State>
  private let traits: Traits
  /// The raw value of the task's priority; 0 where there is none.
  ///
  /// `TaskPriority` is costly to copy, so queues go without.
  let taskPriority: UInt8

  init(
    _ body: OperationBody,
    isAsynchronous: Bool,
    name: String?,
    queuePriority: QueuePriority,
    taskPriority: UInt8?,
    executor: (any TaskExecutor)?
  ) {
    var traits: Traits = []
    if isAsynchronous { traits.insert(.isAsynchronous) }
    if body.isOfCaller { traits.insert(.isOfCaller) }
    if body.isBlocking { traits.insert(.isBlocking) }
    if executor != nil { traits.insert(.hasExecutor) }
    self.traits = traits
    self.taskPriority = taskPriority ?? 0
    let lifecycle = OperationLifecycle(queuePriority: queuePriority)
    state = Guarded(State(lifecycle: lifecycle, work: .body(body), name: name, executor: executor))
  }

  var isAsynchronous: Bool { traits.contains(.isAsynchronous) }

  /// Whether a caller waits to run the body in its own task.
  ///
  /// It leaves its queue as soon as it is cancelled.
  var isOfCaller: Bool { traits.contains(.isOfCaller) }

  var hasExecutor: Bool { traits.contains(.hasExecutor) }

  /// Where the body runs; nil where the operation does not say.
  ///
  /// Not to be asked under the lock.
  var executor: (any TaskExecutor)? { hasExecutor ? read { $0.executor } : nil }

  /// Where the body runs if nobody says otherwise; nil is the cooperative pool.
  var defaultExecutor: (any TaskExecutor)? { OperationBody.defaultExecutor(isBlocking: traits.contains(.isBlocking)) }

  var name: String? { read { $0.name } }

  /// What lends the operation its executor.
  var isolation: OperationIsolation { state.withLock { $0.isolation } }

  // MARK: Access

  func read<Result: Sendable>(_ body: (State) -> Result) -> Result {
    state.withLock { body($0) }
  }

  /// Changes the state, and tells the observers where that changed the snapshot.
  func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    var wakeups: Wakeups = []
    let result = change(collecting: &wakeups, body)
    for reader in wakeups { reader.resume() }
    return result
  }

  /// The same for a caller that holds the graph's lock and wakes the readers when it has left it.
  func change<Result: Sendable>(collecting wakeups: inout Wakeups, _ body: (inout State) -> Result) -> Result {
    let (result, readers) = state.withLock { state in
      guard state.hasObservers else { return (body(&state), Wakeups()) }
      let before = state.lifecycle.snapshot
      let result = body(&state)
      let after = state.lifecycle.snapshot
      return (result, before == after ? [] : state.observers.offer(after, isLast: after.isFinished))
    }
    if !readers.isEmpty { wakeups += readers }
    return result
  }

  // MARK: What is so

  var snapshot: OperationSnapshot { read { $0.lifecycle.snapshot } }

  var queuePriority: QueuePriority { read { $0.lifecycle.queuePriority } }

  var outcome: Outcome? { read { $0.work.outcome } }

  func states() -> StateSequence<OperationSnapshot> {
    let channel = state.withLock { state in
      let snapshot = state.lifecycle.snapshot
      let channel = ChangeChannel(first: snapshot, isEnded: snapshot.isFinished, retention: .all)
      if !snapshot.isFinished { state.observers.append(channel) }
      return channel
    }
    return StateSequence(channel)
  }

  // MARK: Waiting

  /// Suspends until the end is over: the queue has let go of the operation and its dependents have been told.
  ///
  /// - Returns: How the wait ended, which for any task but a body's own is always the same.
  func waitUntilSettled(_ operation: any OperationProtocol) async -> BodyWait.Progress.End {
    if isSettled { return .done }
    return await Self.donatingPriority(to: [self]) {
      if let end = await BodyWait.wait(for: [operation]) { return end }
      while !isSettled {
        await withUnsafeContinuation { sleeper in
          if !register(sleeper) { sleeper.resume() }
        }
      }
      return .done
    }
  }

  var isSettled: Bool { read { $0.lifecycle.isSettled } }

  /// - Returns: Whether the waiter will be resumed; false where the end is over.
  private func register(_ waiter: Sleeper) -> Bool {
    state.withLock { state in
      if !state.lifecycle.isSettled { state.waiters.append(waiter) }
      return !state.lifecycle.isSettled
    }
  }

  /// - Returns: Whether the wait will be told; false where the end is over.
  func register(_ wait: BodyWait) -> Bool {
    state.withLock { state in
      if !state.lifecycle.isSettled { state.waitingBodies.append(wait) }
      return !state.lifecycle.isSettled
    }
  }

  /// Takes ``register(_:)`` back.
  func unregister(_ wait: BodyWait) {
    // The entry is returned to be freed where the lock is no longer held.
    _ = state.withLock { state -> BodyWait? in
      state.waitingBodies.firstIndex { $0 === wait }.map { state.waitingBodies.remove(at: $0) }
    }
  }

  /// The body's own task begins to wait.
  func waitBegan(_ wait: BodyWait) {
    state.withLock { $0.wait = wait }
  }

  /// The body's own task waits no more.
  func waitEnded(_ wait: BodyWait) {
    state.withLock { if $0.wait === wait { $0.wait = nil } }
  }

  // MARK: Cancelling

  /// Cancels the operation, and its body's task where the body runs.
  func cancel() {
    let (task, host) = change { state -> (BodyTask?, (any OperationHost)?) in
      switch state.lifecycle.cancel() {
      case .nothing: (nil, nil)
      case .tellQueue: (nil, state.membership?.host)
      case .cancelTask: (state.bodyTask.lease(), nil)
      }
    }
    host?.operationChanged(self, .standing)
    if let task { cancel(task) }
  }

  /// Marks the operation as cancelled on behalf of its queue, which sees to what follows.
  ///
  /// - Returns: The body's task, which the caller has to give to ``cancel(_:)``.
  func markCancelled() -> BodyTask? {
    change { state in state.lifecycle.cancel() == .cancelTask ? state.bodyTask.lease() : nil }
  }

  /// Cancels a body's task that is on lease.
  ///
  /// That runs the body's cancellation handlers.
  func cancel(_ task: BodyTask) {
    use(task) { $0.cancel() }
  }

  /// Uses the handle of the body's task, which is on lease, and gives it back.
  func use(_ task: BodyTask, _ body: (BodyTask) -> Void) {
    body(task)
    change { $0.bodyTask.released() }?.resume()
  }

  // MARK: Priority and completion block

  func setQueuePriority(_ priority: QueuePriority) {
    let host = change { $0.lifecycle.setQueuePriority(priority) ? $0.membership?.host : nil }
    host?.operationChanged(self, .priority)
  }

  /// - Returns: The block, where the operation has finished, so that it runs at once.
  func setCompletionBlock(_ block: CompletionBlock?) -> CompletionBlock? {
    // The block that it replaces is returned to be freed where the lock is no longer held.
    let (due, _) = change { state -> (CompletionBlock?, CompletionBlock?) in
      if state.lifecycle.isFinished { return (block, nil) }
      let old = state.completionBlock
      state.completionBlock = block
      return (nil, old)
    }
    return due
  }
}

extension OperationCore: Hashable {
  static func == (one: OperationCore, other: OperationCore) -> Bool { one === other }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension OperationReference {
  init(_ core: OperationCore) {
    object = core
  }
}

extension OperationProtocol {
  /// The operation's core.
  nonisolated var core: OperationCore {
    guard let core = reference.object as? OperationCore else {
      preconditionFailure("a reference to something that is no operation")
    }
    return core
  }
}
