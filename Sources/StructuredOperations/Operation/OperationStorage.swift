/// The state of one operation behind a lock: what its actor, its queue, its readers and observers, and whoever cancels it share.
///
/// It is not generic, so that queues handle operations of every output alike, and it may outlive the operation as the
/// end of an edge. ``OperationStateMachine`` decides; this type applies one input at a time under the lock, by
/// ``apply(_:)``, and performs what follows outside of it.
///
/// Two operations' locks are held at once only under the graph's. The article *Architecture* has the order of all locks.
final class OperationStorage: Sendable {
  typealias Machine = OperationStateMachine
  typealias Outcome = ErasedOutcome

  // In this order they take the least room.

  /// Where the operation was made.
  let site: CreationSite
  private let flags: Flags
  /// Looked at by those who look for an operation without, and take no lock.
  private let marks = AtomicOptions<Marks>()
  /// The raw value of the task's priority; 0 where there is none.
  ///
  /// `TaskPriority` is costly to copy, so queues do without.
  let taskPriority: UInt8
  private let machine: Guarded<Machine>

  init(
    _ body: consuming OperationBody,
    isAsynchronous: Bool,
    name: String?,
    queuePriority: QueuePriority,
    taskPriority: UInt8,
    executor: (any TaskExecutor)?,
    site: CreationSite
  ) {
    self.site = site
    var flags: Flags = []
    if isAsynchronous { flags.insert(.isAsynchronous) }
    if body.runsInCaller { flags.insert(.runsInCaller) }
    if body.isBlocking { flags.insert(.isBlocking) }
    if executor != nil { flags.insert(.hasExecutor) }
    self.flags = flags
    self.taskPriority = taskPriority
    var machine = Machine(body: consume body, queuePriority: queuePriority)
    if name != nil || executor != nil { machine.changeRare { $0.set(name: name, executor: executor) } }
    self.machine = Guarded(consume machine)
  }

  var name: String? { read { $0.connections.read { $0.rare.read(\.name) ?? nil } ?? nil } }

  var isAsynchronous: Bool { flags.contains(.isAsynchronous) }

  /// Whether a caller waits to run the body in its own task; the operation leaves its queue as soon as it is cancelled.
  var runsInCaller: Bool { flags.contains(.runsInCaller) }

  private var isBlocking: Bool { flags.contains(.isBlocking) }

  /// Whether the operation has an executor, which few have: the others are not locked to look for it.
  var hasExecutor: Bool { flags.contains(.hasExecutor) }

  /// Where the body runs; nil if the operation does not say.
  var executor: (any TaskExecutor)? { hasExecutor ? ownExecutor : nil }

  private var ownExecutor: (any TaskExecutor)? {
    @inline(never) get { read { $0.connections.read { $0.rare.read(\.executor) ?? nil } ?? nil } }
  }

  /// Where the body runs if neither the operation nor its queue says anything; nil is the cooperative pool.
  var defaultExecutor: (any TaskExecutor)? { OperationBody.defaultExecutor(isBlocking: isBlocking) }

  /// The same where a child of the calling task runs the body.
  var childExecutor: (any TaskExecutor)? { OperationBody.childExecutor(isBlocking: isBlocking) }

  // MARK: Access

  func read<Result: Sendable>(_ query: (borrowing Machine) -> Result) -> Result {
    machine.withLock { query($0) }
  }

  /// Changes what does not show in the snapshot, so that there is nothing to compare.
  func modify<Result: Sendable & ~Copyable>(_ change: (inout Machine) -> Result) -> Result { machine.withLock(change) }

  /// Applies an input under the lock, and tells observers and readers of the change.
  ///
  /// - Returns: The action that the caller performs, now that the lock is released.
  @discardableResult
  func apply<Action: Sendable & ~Copyable>(_ input: (inout Machine) -> Action) -> Action {
    var news: Machine.News?
    let action = applyUnderLock(&news, input)
    if let news { tell(news) }
    return action
  }

  /// The same for a caller that holds the graph's lock: observers and readers are told when it has released that.
  func apply<Action: Sendable>(
    deferring releases: inout DeferredReleases,
    _ input: (inout Machine) -> Action
  ) -> Action {
    var news: Machine.News?
    let action = applyUnderLock(&news, input)
    if let news = consume news { tell(news, with: &releases) }
    return action
  }

  @inline(never)
  private func tell(_ news: consuming Machine.News, with releases: inout DeferredReleases) {
    releases.call { [news] in self.tell(news) }
  }

  /// The same for a caller that tells observers and readers itself.
  @inline(__always)
  func applyUnderLock<Action: Sendable & ~Copyable>(
    _ news: inout Machine.News?,
    _ input: (inout Machine) -> Action
  ) -> Action {
    machine.withLock { machine in
      let before = machine.snapshotForReaders
      let action = input(&machine)
      if machine.isObserved { news = machine.changed(since: before) }
      return action
    }
  }

  /// Tells observers and readers of a change; not under a lock.
  @inline(never)
  func tell(_ news: borrowing Machine.News) {
    deliver(news.events)
    news.resumeReaders()
  }

  /// The queue and the dependents have been told of the end: readers are offered the last state, and those who wait resume.
  ///
  /// Observers of events have been told before, when the end was published.
  func tellWaiters() {
    var news: Machine.News?
    let (waiters, waitingBodies) = applyUnderLock(&news) { $0.tellWaiters() }
    waiters.forEach { $0.resume() }
    for wait in waitingBodies where wait.finishedOne() { wait.resumeWithSlot() }
    if let news { tell(news) }
  }

  // MARK: Queries

  var snapshot: OperationSnapshot { read { $0.snapshot } }

  var queuePriority: QueuePriority { read { $0.queuePriority } }

  var outcome: Outcome? { read { $0.outcome } }

  /// Whether the operation may need concurrency limits; without the lock, so that one may be added meanwhile.
  var mayHaveLimits: Bool { marks.contains(.hadLimits) }

  func addLimit(_ need: LimitNeed) -> Machine.AddLimitAction {
    marks.insert(.hadLimits)
    return apply { $0.addLimit(need, order: LimitTable.nextOrder) }
  }

  /// Gives a new operation limits; one whose count is 0 is waited for.
  func setLimits(_ limits: [ConcurrencyLimit]) {
    if limits.isEmpty { return }
    marks.insert(.hadLimits)
    modify { $0.setLimits(limits) }
  }

  /// Whether the operation is published as finished.
  var isFinished: Bool { read { $0.isFinished } }

  /// Whether the queue and the dependents have been told of the end, so that waiters may resume.
  var isEveryoneTold: Bool { read { $0.isEveryoneTold } }

  /// How a queue has to treat the operation; nil if it was claimed or has finished.
  var unclaimedReadiness: OperationReadiness? { read { $0.unclaimedReadiness } }

  // MARK: Observing

  /// Whether the operation may have an observer of events; without the lock.
  var isEverObserved: Bool { marks.contains(.wasObserved) }

  /// Gives the operation an observer of its own; a part of its creation.
  func observe(by observer: OperationObserverReference, as operation: any OperationProtocol) {
    marks.insert(.wasObserved)
    machine.withLock { machine in machine.observation.change { $0.made(operation, observer: observer) } }
  }

  /// The operation, which has an observer or whose queue has one, is in a queue.
  @inline(never)
  func observe(_ machine: inout Machine, holdsEvents: Bool) {
    guard let assignment = machine.assignment else { preconditionFailure("observed in no queue") }
    marks.insert(.wasObserved)
    let isCancelled = machine.isCancelled
    machine.observation.change {
      $0.assigned(
        assignment, by: ExecutionContext.current?.operation, isCancelled: isCancelled, isHeld: holdsEvents)
    }
  }

  func states() -> StateSequence<OperationSnapshot> {
    let channel = machine.withLock { machine in
      // Nil while the end is under way: the first element is then the last one, once everyone else has been told.
      let snapshot = machine.observedSnapshot
      let isEnded = snapshot?.isFinished == true
      let channel = ChangeChannel(first: snapshot, isEnded: isEnded, retention: .all)
      if !isEnded { machine.changeRare { $0.readerList.append(channel) } }
      return channel
    }
    return StateSequence(channel)
  }

  // MARK: Cancelling

  /// Cancels the operation, and its body's task where the body runs.
  func cancel() {
    switch apply({ $0.cancel() }) {
    case .nothing: break
    case .notify(let queue): queue.operationChanged(self, .readiness)
    case .endStart(let start): start.cancel()
    case .cancelTask(let task): cancel(task)
    }
  }

  /// Marks the operation as cancelled on behalf of its queue, which sees to what follows.
  ///
  /// - Returns: The body's task, which the caller has to give to ``cancel(_:)``.
  func markCancelled() -> BodyTask? {
    if case .cancelTask(let task) = apply({ $0.cancel() }) { task } else { nil }
  }

  /// Cancels a leased task, which runs the body's cancellation handlers.
  func cancel(_ task: BodyTask) {
    use(task) { $0.cancel() }
  }

  /// Uses the leased handle of the body's task, and releases it.
  func use(_ task: BodyTask, _ body: (BodyTask) -> Void) {
    body(task)
    apply { $0.releaseTask() }?.resume()
  }

  // MARK: Settings

  func setQueuePriority(_ priority: QueuePriority) {
    apply { $0.setQueuePriority(priority, order: LimitTable.nextOrder) }?.operationChanged(self, .priority)
    moveStartInLines()
  }

  /// An operation that was started by hand, and waits for its limits, has perhaps come to another level.
  func moveStartInLines() {
    if mayHaveLimits, let (start, rank) = read({ $0.placeOfStart }) { start.move(to: rank) }
  }

  func setCompletionBlock(_ block: CompletionBlock?, of operation: any OperationProtocol) {
    guard case .run(let block?, let runner) = apply({ $0.setCompletionBlock(block) }) else { return }
    let call = block.call(with: operation)
    if runner?.run(call) != true { runUnstructured(call) }
  }

  /// Runs a completion block where there is no queue to run it: unstructured, since nobody waits for it.
  ///
  /// It runs on the operation's executor or, where that has none, on that of the queue that it was in.
  func runUnstructured(_ call: CompletionBlock.Call) {
    Task(executorPreference: executor ?? read { $0.completionBlockRunner?.executor }) { await call.run() }
  }

  // MARK: Being freed

  /// The operation is freed: releases all that it holds, and ends its readers' sequences.
  ///
  /// Chains of operations are freed link by link: see ``IterativeRelease``.
  func abandon() { IterativeRelease.release(dismantle()) }

  deinit {
    guard marks.contains(.keepsOutput) else { return }
    IterativeRelease.release(machine.withLock { $0.end() }?.outcome.owner)
  }

  /// The outcome outlives the operation, for the bodies of others that read it and no longer hold the operation.
  func keepOutput() { marks.insert(.keepsOutput) }

  /// The body is to read the outputs of dependencies; a part of the operation's creation.
  func readOutputs() { marks.insert(.readsOutputs) }

  var readsOutputs: Bool { marks.contains(.readsOutputs) }

  /// - Returns: What holds all that the operation held. Nothing else does on return, so the caller decides how it is freed.
  private func dismantle() -> AnyObject? {
    let keepsOutput = marks.contains(.keepsOutput)
    switch machine.withLock({ $0.abandon(keepsOutput: keepsOutput) }) {
    case .nothing: return nil
    case .unrun(let body, let connections, let observation):
      for channel in connections.read({ $0.rare.read { $0.readerList.channels } ?? [] }) ?? [] { channel.end() }
      return IterativeRelease.Box((body, connections, observation))
    case .finished(let end, let connections):
      return connections.exists ? IterativeRelease.Box((end.outcome, connections)) : end.outcome.owner
    }
  }
}

extension OperationStorage: Hashable {
  static func == (one: OperationStorage, other: OperationStorage) -> Bool { one === other }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
