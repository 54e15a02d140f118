/// Decides what may happen to one operation and what follows from it; starts, resumes, cancels and awaits nothing.
///
/// Each input is one `mutating` function, which returns what its caller has to do once the lock is released. What users
/// may do at any time is accepted in every state, and misuse is reported by the action. What only the package does is
/// accepted in the states that it belongs to; in any other one it is a bug of the package and stops the program.
///
/// Whatever may run user code when it is freed is returned, so that it is freed outside of the lock.
struct OperationStateMachine: Sendable {
  /// Unsafe, since a checked continuation would give the machine a layout that is known only at run time.
  ///
  /// Each is taken out of the machine to be resumed, so it is resumed once.
  typealias Waiter = UnsafeContinuation<Void, Never>
  typealias Dependencies = DependencyList<any OperationProtocol>

  private(set) var state: State
  /// Never false again once it is true.
  private(set) var isCancelled = false
  /// Fixed once the operation is claimed or, where it was started by hand and needs limits, once its body begins.
  private(set) var queuePriority: QueuePriority
  /// The raw value of the highest priority of the tasks that await the operation, where that is above medium, or above its own if
  /// that is lower; else 0.
  var escalatedPriority: UInt8 = 0
  var connections = OnDemand<Connections>()
  /// Exists while there are observers of events.
  var observation = OnDemand<EventObservation>()

  init(body: consuming OperationBody, queuePriority: QueuePriority) {
    state = .idle(consume body)
    self.queuePriority = queuePriority
  }

  /// Takes the state out of the machine, so that its payload can be moved into the next state.
  private mutating func takeState() -> State {
    var taken = State.finished(.released)
    swap(&taken, &state)
    return taken
  }

  // MARK: Queues

  /// What came of an attempt to put the operation into a queue.
  enum EnqueueAction: Equatable, Sendable {
    case enqueued(Enqueued)
    case alreadyEnqueued, alreadyExecuting, alreadyFinished
    /// The queue takes no more.
    case refused
  }

  /// How an operation stands that was put into a queue.
  struct Enqueued: Equatable, Sendable {
    let readiness: OperationReadiness
    let priority: QueuePriority
    /// Whether it stands in line for its limits, so that its queue has to take a turn.
    var isInLine = false
  }

  /// - Parameters:
  ///   - order: Gives the next place in the order of addition, for the lines of limits.
  ///   - stand: Has a ready operation stand in line for its limits; nil where the queue has no slot for it.
  mutating func enqueue(
    _ assignment: Assignment,
    order: () -> Int,
    stand: (LimitNeeds, LimitTable.Rank) -> LimitTable.DemandID?
  ) -> EnqueueAction {
    let action = enqueueAction
    guard case .enqueued(var enqueued) = action, case .idle(let body) = takeState() else { return action }
    state = .enqueued(body, assignment)
    if hasLimits {
      moveToEndOfLines(order)
      enqueued.isInLine = enqueued.readiness == .ready && standInLine(stand)
    }
    return .enqueued(enqueued)
  }

  /// What ``enqueue(_:order:stand:)`` would return.
  var enqueueAction: EnqueueAction {
    switch state {
    case .idle: .enqueued(Enqueued(readiness: readiness, priority: rankedPriority))
    case .enqueued, .claimed(_, .some): .alreadyEnqueued
    case .claimed(_, nil), .executing: .alreadyExecuting
    case .finishing, .finished: .alreadyFinished
    }
  }

  /// Undoes ``enqueue(_:order:stand:)``, where the queue does not take the operation after all.
  ///
  /// - Returns: What is to be freed, and what stands in line.
  mutating func withdraw() -> Withdrawn {
    guard case .enqueued(let body, let assignment) = takeState() else {
      preconditionFailure("withdrawn and not enqueued")
    }
    state = .idle(body)
    let events = changeObservation { $0.withdrawn() }
    return Withdrawn(
      assignment: assignment, inLine: takeInLine(), released: events?.released ?? [],
      deliversEvents: events?.delivers ?? false)
  }

  /// What an operation leaves behind that was withdrawn from a queue.
  struct Withdrawn: Sendable {
    let assignment: Assignment
    let inLine: InLine?
    /// To be freed outside of the lock.
    let released: [any Sendable]
    /// Whether the caller delivers what is held back no longer.
    let deliversEvents: Bool
  }

  /// A turn of the queue has admitted the operation; from now on the queue acts on its changes.
  ///
  /// - Parameter rank: Its place in the order of addition.
  /// - Returns: How it stands, and what stands in line for it.
  @inline(__always)
  mutating func admit(as entry: Int, rank: Int) -> (OperationReadiness, QueuePriority, inLine: InLine?) {
    guard case .enqueued(let body, var assignment) = takeState() else {
      preconditionFailure("admitted and not enqueued")
    }
    assignment.entry = entry
    let priority = rankedPriority
    _ = connections.changeIfPresent { $0.position = QueuePosition(priority: priority, rank: rank) }
    state = .enqueued(body, assignment)
    return (readiness, priority, hasLimits ? takeInLine() : nil)
  }

  /// The queue skips the operation, unless that has become ready or blocked again.
  mutating func claimSkipped() -> OperationReadiness { claim { $0 == .skipped } }

  mutating func claim(where isClaimed: (OperationReadiness) -> Bool) -> OperationReadiness {
    let readiness = readiness
    guard isClaimed(readiness) else { return readiness }
    guard case .enqueued(let body, let assignment) = takeState() else {
      preconditionFailure("claimed and not enqueued")
    }
    state = .claimed(body, assignment)
    return readiness
  }

  // MARK: Running

  /// What `start()` does next.
  enum StartAction: Equatable, Sendable { case run, skip, nothing, notReady, alreadyEnqueued, alreadyExecuting }

  mutating func start() -> StartAction {
    switch state {
    case .idle(let body):
      let readiness = readiness
      if readiness == .blocked { return .notReady }
      state = .claimed(body, nil)
      return readiness == .skipped ? .skip : .run
    case .enqueued, .claimed(_, .some): return .alreadyEnqueued
    case .claimed(_, nil), .executing: return .alreadyExecuting
    case .finishing, .finished: return .nothing
    }
  }

  /// What a task that is about to run the operation does next.
  enum BeginAction: ~Copyable, Sendable {
    /// - operation: The operation, where it is in a queue.
    case run(OperationBody, operation: (any OperationProtocol)?, escalatedPriority: UInt8)
    /// The operation was cancelled after it had been claimed; it finishes unrun.
    case skip
    /// The operation does not run, since it is not ready any more, or stands in line for its limits; it is claimed only if
    /// it is skipped.
    ///
    /// - taken: What its queue has taken for it, which is to be given back.
    case notReady(OperationReadiness, taken: LimitTable.DemandID?)
  }

  /// A task begins to run the operation, and runs nothing else until the operation has finished.
  ///
  /// - Parameters:
  ///   - task: The task; nil if nobody may cancel it, since it belongs to a caller.
  ///   - isPrefetched: Whether the operation was chosen ahead, so that it is claimed only now, where it is ready still.
  ///   - hasTaken: Whether its queue has taken its limits for it; otherwise `takeLimits` takes them now.
  @inline(__always)
  mutating func begin(
    in task: BodyTask?,
    isPrefetched: Bool = false,
    hasTaken: Bool = false,
    takeLimits: TakeOrStand = { _, _, _ in preconditionFailure("an operation that was not chosen ahead took limits") }
  ) -> BeginAction {
    let (body, assignment): (OperationBody, Assignment?)
    if isPrefetched {
      let taken = hasTaken ? limits?.demand : nil
      if readiness != .ready { return .notReady(claimSkipped(), taken: taken) }
      if hasLimits, !takeLimitsAhead(hasTaken, takeLimits) { return .notReady(.ready, taken: taken) }
      guard case .enqueued(let work, let current) = takeState() else { preconditionFailure("begun and not enqueued") }
      (body, assignment) = (work, current)
    } else {
      if isCancelled { return .skip }
      guard case .claimed(let work, let current) = takeState() else { preconditionFailure("begun and not claimed") }
      (body, assignment) = (work, current)
    }
    let operation = assignment?.operation
    state = .executing(Execution(lease: task.map { .running($0) } ?? .none, wait: nil, assignment: assignment))
    return .run(body, operation: operation, escalatedPriority: escalatedPriority)
  }

  // MARK: Finishing

  /// Whether the end concerns nobody but the queue and plain waiters, so that it may be published and told in one step, once
  /// ``endTask()`` says that nobody uses the handle of the task.
  var canFinishAtOnce: Bool {
    guard state.isExecuting, escalatedPriority == 0, !observation.exists else { return false }
    return connections.read { connections in
      connections.dependents.isEmpty
        && connections.rare.read { $0.waitingBodies.isEmpty && $0.completionBlock == nil } ?? true
    } ?? true
  }

  /// The body has ended: nobody gets the handle of its task any more.
  ///
  /// May be told again before the finish.
  ///
  /// - Returns: Whether nobody uses it now. Otherwise ``awaitTask(_:)`` comes before the finish.
  mutating func endTask() -> Bool {
    guard case .executing(var execution) = takeState() else { preconditionFailure("ended and not executing") }
    let isFree = execution.lease.end()
    state = .executing(execution)
    return isFree
  }

  /// - Returns: Whether the waiter has to wait until the handle of the task is released.
  mutating func awaitTask(_ waiter: Waiter) -> Bool {
    guard case .executing(var execution) = takeState() else { preconditionFailure("awaited and not executing") }
    let isWaiting = execution.lease.park(waiter)
    state = .executing(execution)
    return isWaiting
  }

  /// Publishes the operation as finished; the caller tells everyone else, and then calls ``tellWaiters()``.
  mutating func publishFinish(_ outcome: consuming ErasedOutcome) -> Finish {
    var body: OperationBody?
    var assignment: Assignment?
    switch takeState() {
    case .idle(let unrun): body = unrun
    case .claimed(let unrun, let last): (body, assignment) = (unrun, last)
    case .executing(var execution): assignment = execution.assignment.take()
    case .enqueued, .finishing, .finished: preconditionFailure("finished in a state that no operation finishes in")
    }
    let (kind, failure) = (outcome.kind, outcome.failure)
    state = .finishing(End(outcome: outcome, completionBlockRunner: assignment?.queue.completionBlockRunner))
    let released = release(assignment.take())
    let (dependents, hasFollowUps, onlyLimitsFollow, limits) =
      connections.changeIfPresent { connections in
        let hasOthers = connections.rare.read { !$0.waitingBodies.isEmpty || $0.completionBlock != nil } ?? false
        let (limits, holdsLimits) =
          connections.limitState.changeIfPresent { ($0.needed.take(), $0.held != nil) } ?? (nil, false)
        return (
          connections.dependents.removeEach(), hasOthers || limits != nil, holdsLimits && !hasOthers, limits
        )
      } ?? (ShortList(), false, false, nil)
    return Finish(
      dependents: dependents, outcome: kind, failure: failure, hasFollowUps: hasFollowUps,
      onlyLimitsFollow: onlyLimitsFollow, body: body, escalatedPriority: escalatedPriority, released: released,
      limits: limits)
  }

  /// Finishes an operation whose end concerns nobody but its queue, which lets it go in the same step, and plain waiters,
  /// who are told by ``takeWaiters()``.
  mutating func finishAtOnce(_ outcome: consuming ErasedOutcome) -> Released {
    guard case .executing(var execution) = takeState() else { preconditionFailure("finished and not executing") }
    let assignment = execution.assignment.take()
    state = .finished(End(outcome: outcome, completionBlockRunner: assignment?.queue.completionBlockRunner))
    return release(assignment)
  }

  /// Those who wait for the end, and may resume now.
  mutating func takeWaiters() -> KeyedList<FinishWaiter> {
    connections.changeIfPresent { $0.waiters.removeEach() } ?? KeyedList()
  }

  /// Releases what only an unfinished operation holds.
  private mutating func release(_ assignment: consuming Assignment?) -> Released {
    var released = Released(assignment: assignment)
    _ = connections.changeIfPresent { connections in
      released.dependencies = connections.dependencies.removeAll()
      connections.pastDependencies = Self.pastDependencies(&released.dependencies)
    }
    return released
  }

  /// The queue and the dependents have been told: those who wait may resume.
  ///
  /// - Returns: Them, and the bodies that began to wait after ``takeFollowUps(of:)``.
  mutating func tellWaiters() -> (waiters: KeyedList<FinishWaiter>, waitingBodies: [BodyWait]) {
    guard case .finishing(let end) = takeState() else { preconditionFailure("waiters were told too early") }
    state = .finished(end)
    return connections.changeIfPresent { connections in
      (connections.waiters.removeEach(), connections.rare.changeIfPresent { $0.waitingBodies.removeEach() } ?? [])
    } ?? (KeyedList(), [])
  }

  // MARK: Waits of the body

  /// The body's own task begins to wait.
  mutating func waitBegan(_ wait: BodyWait) {
    guard case .executing(var execution) = state else { preconditionFailure("a body waited that does not run") }
    execution.wait = wait
    state = .executing(execution)
  }

  /// The wait of the body's own task is over.
  mutating func waitEnded(_ wait: BodyWait) {
    guard case .executing(var execution) = state, execution.wait === wait else { return }
    execution.wait = nil
    state = .executing(execution)
  }

  // MARK: Cancelling

  /// What follows from a cancellation.
  enum CancelAction: Sendable {
    case nothing
    case notify(any OwningQueue)
    /// A start by hand waits for limits, which it needs no more.
    case endStart(LimitedStart)
    /// The task that runs the body is to be cancelled, and its handle released by ``releaseTask()``.
    case cancelTask(BodyTask)
  }

  mutating func cancel() -> CancelAction {
    if isCancelled || isFinished { return .nothing }
    isCancelled = true
    switch state {
    case .idle: return .nothing
    case .claimed: return limits?.start.map { .endStart($0) } ?? .nothing
    case .enqueued: return state.queueIfEnqueued.map { .notify($0) } ?? .nothing
    case .executing: return leaseTask().map { .cancelTask($0) } ?? .nothing
    case .finishing, .finished: preconditionFailure("cancelled in state \(state)")
    }
  }

  /// The task that runs the operation has been cancelled together with its scope or its caller.
  mutating func taskWasCancelled() {
    if !isFinished { isCancelled = true }
  }

  /// - Returns: The handle of the task that runs the body, to be used outside of the lock; nil if there is none, or
  ///   none any more. ``releaseTask()`` has to follow.
  mutating func leaseTask() -> BodyTask? {
    guard case .executing(var execution) = state else { return nil }
    let task = execution.lease.lease()
    state = .executing(execution)
    return task
  }

  /// - Returns: Whom to resume, where the end of the body has waited for the handle.
  mutating func releaseTask() -> Waiter? {
    guard case .executing(var execution) = state else { preconditionFailure("a task was released after its end") }
    let waiter = execution.lease.released()
    state = .executing(execution)
    return waiter
  }

  // MARK: Settings

  /// - Returns: The queue to be told that the operation moves to the end of another level.
  mutating func setQueuePriority(_ priority: QueuePriority, order: () -> Int) -> (any OwningQueue)? {
    guard isUnclaimed || mayMoveAsStarted else { return nil }
    let before = rankedPriority
    queuePriority = priority
    // One that an urgent task awaits stays where it is.
    if rankedPriority == before { return nil }
    forgetPosition()
    if hasLimits { moveToEndOfLines(order) }
    return assignment?.queue
  }

  // MARK: Being freed

  /// Nobody can use the operation any more; edges and queues may still refer to what is left of it.
  ///
  /// - Parameter keepsOutput: Whether the outcome stays, for the bodies of others that read it and hold the operation no longer.
  mutating func abandon(keepsOutput: Bool) -> Remains {
    switch takeState() {
    case .idle(let body):
      // Whoever still depended on the operation would hold it, so its dependents have been freed, too.
      return .unrun(body, connections.take(), observation.take())
    case .finishing(let end):
      // Follow-ups and waiters are still to be taken.
      state = .finishing(keepsOutput ? end : .released)
      return keepsOutput ? .nothing : .finished(end, OnDemand())
    case .finished(let end):
      if keepsOutput { state = .finished(end) }
      let rare =
        connections.changeIfPresent { connections in
          connections.limitState = OnDemand()
          return connections.rare.take()
        } ?? OnDemand()
      return .finished(keepsOutput ? .released : end, rare)
    case .enqueued, .claimed, .executing: preconditionFailure("freed while somebody was about to run it")
    }
  }

  /// Nobody refers to what is left of the operation: takes the outcome that stayed.
  mutating func end() -> End? { if case .finished(let end) = takeState() { end } else { nil } }
}
