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

  /// The body before it runs, the outcome after: never both.
  enum Work: Sendable {
    case body(OperationBody)
    case taken
    case outcome(OperationOutcome<any Sendable>)
  }

  /// Another operation that waits for this one.
  struct Dependent: Sendable {
    let core: OperationCore
    let key: Dependencies.Key
  }

  /// An operation that this one depended on, as long as somebody holds it.
  struct PastDependency: Sendable {
    weak var operation: (any OperationProtocol)?
  }

  /// What ties the operation to its queue.
  ///
  /// It holds both, so neither goes away while there is something to do.
  struct Membership: Sendable {
    let operation: any OperationProtocol
    let host: any OperationHost
    /// The queue's name for the operation, once it has taken it in.
    var entry: Int?
  }

  struct State: Sendable {
    var lifecycle: OperationLifecycle
    var work: Work
    /// Empty once this operation has finished.
    var dependencies = Dependencies()
    /// What it depended on, once it has finished: weakly, or else each operation would keep all those before it.
    var pastDependencies: [PastDependency] = []
    /// Empty once this operation has finished.
    ///
    /// Some may have lost interest.
    var dependents: [Dependent] = []
    var bodyTask = BodyTaskLease<BodyTask, Sleeper>.none
    /// What the body's own task waits for.
    var wait: BodyWait?
    /// From the adding to a queue to the end.
    var membership: Membership?
    var completionBlock: CompletionBlock?
    /// Those who wait for the end to be over.
    var waiters: [Sleeper] = []
    /// Those of them that are bodies' own tasks, which need their slots before they go on.
    var waitingBodies: [BodyWait] = []
    var observers = ObserverList<OperationSnapshot>()
  }

  let isAsynchronous: Bool
  /// Whether a caller waits to run the body in its own task.
  ///
  /// It leaves its queue as soon as it is cancelled.
  let isOfCaller: Bool
  /// The raw value of the task's priority; 0 where there is none.
  ///
  /// `TaskPriority` is costly to copy, so queues go without.
  let taskPriority: UInt8
  let executor: (any TaskExecutor)?
  /// Where the body runs if nobody says otherwise.
  let defaultExecutor: (any TaskExecutor)?
  private let state: Guarded<State>

  init(
    _ body: OperationBody,
    isAsynchronous: Bool,
    queuePriority: QueuePriority,
    taskPriority: TaskPriority?,
    executor: (any TaskExecutor)?
  ) {
    self.isAsynchronous = isAsynchronous
    isOfCaller = body.isOfCaller
    self.taskPriority = taskPriority?.rawValue ?? 0
    self.executor = executor
    defaultExecutor = body.defaultExecutor
    state = Guarded(State(lifecycle: OperationLifecycle(queuePriority: queuePriority), work: .body(body)))
  }

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
      guard !state.observers.isEmpty else { return (body(&state), Wakeups()) }
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

  var outcome: OperationOutcome<any Sendable>? {
    read { state in
      guard case .outcome(let outcome) = state.work else { return nil }
      return outcome
    }
  }

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
    if let end = await BodyWait.wait(for: [operation]) { return end }
    while !isSettled {
      await withUnsafeContinuation { sleeper in
        if !register(sleeper) { sleeper.resume() }
      }
    }
    return .done
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

  /// Takes ``register(_:)`` back, if there is something to take back.
  func forget(_ wait: BodyWait) {
    state.withLock { state in state.waitingBodies.removeAll { $0 === wait } }
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
      case .cancelTask: (state.bodyTask.cancel(), nil)
      }
    }
    host?.operationChanged(self, .standing)
    if let task { cancel(task) }
  }

  /// Marks the operation as cancelled on behalf of its queue, which sees to what follows.
  ///
  /// - Returns: The body's task, which the caller has to give to ``cancel(_:)``.
  func markCancelled() -> BodyTask? {
    change { state in state.lifecycle.cancel() == .cancelTask ? state.bodyTask.cancel() : nil }
  }

  /// Cancels a body's task that is on lease.
  ///
  /// That runs the body's cancellation handlers.
  func cancel(_ task: BodyTask) {
    task.cancel()
    change { $0.bodyTask.cancelled() }?.resume()
  }

  // MARK: Priority and completion block

  func setQueuePriority(_ priority: QueuePriority) {
    let host = change { state in state.lifecycle.setQueuePriority(priority) ? state.membership?.host : nil }
    host?.operationChanged(self, .priority(priority))
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
