extension AsyncOperationQueue {
  // MARK: One operation

  /// Adds an operation.
  ///
  /// It does not suspend, whatever the queue does. Operations that one thread adds keep their order, whichever form
  /// adds them.
  ///
  /// - Parameter operation: The operation.
  /// - Returns: Whether this call enqueued it. False if it is in a queue already, executes, or has finished: then it is left
  ///   as it is, and runs once all the same, unless a call of `enqueue([…])` has it that throws. False, too, if this queue is closed:
  ///   then it stays in no queue, and can be added to another one.
  @discardableResult
  public nonisolated(nonsending) func add(_ operation: any OperationProtocol) async -> Bool { addNow(operation) }

  /// Adds an operation from synchronous code.
  ///
  /// Everything else is as in the asynchronous form.
  ///
  /// - Parameter operation: The operation.
  @discardableResult
  public nonisolated func add(_ operation: any OperationProtocol) -> Bool { addNow(operation) }

  // MARK: Several operations

  /// Adds several operations, which are ranked as one batch before any of them starts.
  ///
  /// - Parameters:
  ///   - first: An operation.
  ///   - second: Another one.
  ///   - others: More of them.
  /// - Returns: How many of them this call enqueued.
  @discardableResult
  public nonisolated(nonsending) func add(
    _ first: any OperationProtocol,
    _ second: any OperationProtocol,
    _ others: any OperationProtocol...
  ) async -> Int {
    addNow([first, second] + others)
  }

  /// Adds several operations from synchronous code.
  ///
  /// Everything else is as in the asynchronous form.
  ///
  /// - Parameters:
  ///   - first: An operation.
  ///   - second: Another one.
  ///   - others: More of them.
  @discardableResult
  public nonisolated func add(
    _ first: any OperationProtocol,
    _ second: any OperationProtocol,
    _ others: any OperationProtocol...
  ) -> Int {
    addNow([first, second] + others)
  }

  /// Adds several operations, which are ranked as one batch before any of them starts.
  ///
  /// - Parameter operations: The operations.
  /// - Returns: How many of them this call enqueued.
  @discardableResult
  public nonisolated(nonsending) func add(_ operations: [any OperationProtocol]) async -> Int { addNow(operations) }

  /// Adds several operations from synchronous code.
  ///
  /// Everything else is as in the asynchronous form.
  ///
  /// - Parameter operations: The operations.
  @discardableResult
  public nonisolated func add(_ operations: [any OperationProtocol]) -> Int { addNow(operations) }

  /// Adds several operations and waits until all of them have finished, whoever enqueued them.
  ///
  /// It waits for these and not for the whole queue. Suspends without holding a thread; cancelling the waiting task
  /// changes nothing. Those that the queue refused because it is closed are not waited for. A body's own task
  /// lends its slot once for all of them, as in ``AsyncOperation/waitUntilFinished()``; its wait begins before any of them can run, so
  /// where one of them waits for the body, that wait is the one that is refused.
  ///
  /// - Parameter operations: The operations.
  public nonisolated(nonsending) func addAndWait(_ operations: [any OperationProtocol]) async {
    let additions = enqueueTogether(operations)
    var seen: Set<OperationStorage> = []
    // The wait for those that a closed queue refused would never end.
    let unfinished = operations.filter { operation in
      let storage = operation.storage
      return !storage.isIdle && !storage.isEveryoneTold && seen.insert(storage).inserted
    }
    // Before they can run. Example: one of them waits for the body. Its wait closes the loop, and is the one that throws.
    let beginning = BodyWait.register(for: unfinished)
    if let additions { postOrEnd(additions) }
    await OperationStorage.escalating(unfinished.map(\.storage)) {
      switch beginning {
      case .unrestricted: for operation in unfinished { await operation.waitUntilFinished() }
      case .deadlock(let loop): BodyWait.Progress.End.deadlock(loop).orStop("addAndWait(_:)")
      case .begun(let wait):
        await wait.releaseSlot()
        await wait.untilResumed().orStop("addAndWait(_:)")
      }
    }
  }

  // MARK: Strictly

  /// Adds an operation, or says why that cannot be.
  ///
  /// - Parameter operation: The operation.
  /// - Throws: ``OperationError/alreadyEnqueued``, ``OperationError/alreadyExecuting``,
  ///   ``OperationError/alreadyFinished``; ``OperationError/queueClosed``.
  public nonisolated(nonsending) func enqueue(_ operation: any OperationProtocol) async throws {
    try await enqueue([operation])
  }

  /// Adds several operations as one batch, all of them or none.
  ///
  /// As long as the call goes on, its operations count as in this queue, also where it throws in the end: what any queue
  /// is asked to add meanwhile, it refuses, and its `addAndWait` waits until somebody adds the operation again. So where two tasks may
  /// add the same operation, and one of them by this, the other one has to look whether it is in a queue.
  ///
  /// - Parameter operations: The operations.
  /// - Throws: ``OperationError/alreadyEnqueued``, for one that is twice in the batch too,
  ///   ``OperationError/alreadyExecuting``, ``OperationError/alreadyFinished``; ``OperationError/queueClosed``.
  public nonisolated(nonsending) func enqueue(_ operations: [any OperationProtocol]) async throws {
    // Asked first, so that a bad operation does not have the good ones held, not even for a moment.
    var seen: Set<OperationStorage> = []
    for operation in operations {
      guard seen.insert(operation.storage).inserted else { throw OperationError.alreadyEnqueued }
      _ = try operation.storage.read { $0.enqueueAction }.enqueued()
    }
    if operations.isEmpty { return }
    guard shared.beginAdding() else { throw OperationError.queueClosed }
    var additions = Additions()
    for operation in operations {
      do {
        let storage = operation.storage
        additions.append(storage, try enqueueTogether(operation, storage).enqueued())
      } catch {
        for storage in additions.storages { storage.withdraw() }
        perform(shared.endAdding())
        throw error
      }
    }
    post(additions)
  }

  // MARK: Helpers

  /// Adds an operation, where it can be added.
  private nonisolated func addNow(_ operation: any OperationProtocol) -> Bool { addNow(operation, operation.storage) }

  nonisolated func addNow(_ operation: any OperationProtocol, _ storage: OperationStorage) -> Bool {
    // The turn would be bound to an executor of the operation's own, which may be busy with anything.
    add(operation, storage, as: .added(storage), replacesRunner: !storage.hasExecutor) {
      startWorker(WorkerTraits(of: storage, in: defaults))
    }
  }

  /// Adds those that can be added.
  ///
  /// A closed queue does not touch them: if it enqueued and withdrew them, another queue would refuse them meanwhile as
  /// operations that are in a queue already, and nobody would run them.
  ///
  /// - Returns: How many those are.
  @discardableResult
  private nonisolated func addNow(_ operations: [any OperationProtocol]) -> Int {
    guard let additions = enqueueTogether(operations) else { return 0 }
    postOrEnd(additions)
    return additions.storages.count
  }

  /// Assigns those that can be added; ``postOrEnd(_:)`` has to follow.
  ///
  /// - Returns: Nil where there is nothing to add, or the queue is closed.
  private nonisolated func enqueueTogether(_ operations: [any OperationProtocol]) -> Additions? {
    guard !operations.isEmpty, shared.beginAdding() else { return nil }
    var additions = Additions()
    additions.storages.reserveCapacity(operations.count)
    for operation in operations {
      let storage = operation.storage
      guard case .enqueued(let enqueued) = enqueueTogether(operation, storage) else { continue }
      additions.append(storage, enqueued)
    }
    return additions
  }

  private nonisolated func postOrEnd(_ additions: Additions) {
    if additions.storages.isEmpty { perform(shared.endAdding()) } else { post(additions) }
  }

  /// Adds an operation by an event, in one step: it is posted under its lock.
  ///
  /// - Parameters:
  ///   - replacesRunner: Whether the caller can have a turn taken, where there is no runner.
  ///   - takeTurn: Has one taken; called once observers have been told of the addition. A worker that began before would leave its
  ///     own events to the thread that tells them.
  /// - Returns: Whether this call has added it.
  @inline(__always)
  nonisolated func add(
    _ operation: any OperationProtocol,
    _ storage: OperationStorage,
    as event: QueueEvent,
    replacesRunner: Bool,
    takeTurn: () -> Void
  ) -> Bool {
    var posting: QueueSharedState.Posting?
    let action = storage.enqueue(operation, in: self, isQueueObserved: observer != nil) { enqueued in
      let isSkipped = enqueued.readiness == .skipped
      let result = shared.post(
        event, count: 1, priority: isSkipped ? nil : enqueued.priority, need: need(enqueued),
        replacesRunner: replacesRunner && enqueued.readiness == .ready && !enqueued.isInLine)
      posting = result
      return !result.isRefused
    } posted: {
      guard let posting else { return }
      posting.resumeReaders()
      if case .takeTurn = posting.action { return }
      perform(posting.action)
    }
    if case .takeTurn = posting?.action { takeTurn() }
    if case .enqueued = action { return true }
    return false
  }

  private nonisolated func need(_ enqueued: OperationStateMachine.Enqueued) -> QueueSharedState.Mailbox.Need {
    // In line for its limits it holds up others: a turn has to say whether there is a slot for it still.
    if enqueued.isInLine { return .turn }
    return enqueued.readiness == .skipped ? .unsuspended : .slot
  }

  /// Has the queue hear of one of several operations that was cancelled or raised before they were posted, as it hears of one
  /// that is so later.
  ///
  /// Example: thread A enqueues an operation and finds it ready; thread B cancels it, and posts that it is skipped; then
  /// A posts all of them. All slots are taken, so that wakes nobody. The turn that B asked for came before it, and found
  /// nothing. So A looks once more. The same goes for a priority that B raises: what was chosen ahead meanwhile would go first.
  ///
  /// - Parameter priority: The highest one of all, as far as the queue knows.
  private nonisolated func postChange(of storage: OperationStorage, above priority: QueuePriority) {
    let (readiness, raised) = storage.read { ($0.unclaimedReadiness, $0.rankedPriority) }
    if readiness == .skipped {
      operationChanged(storage, .readiness)
    } else if readiness != nil, raised > priority {
      operationChanged(storage, .priority)
    }
  }

  /// Assigns an operation that is posted later; observers are told once that is done.
  private nonisolated func enqueueTogether(
    _ operation: any OperationProtocol,
    _ storage: OperationStorage
  ) -> OperationStateMachine.EnqueueAction {
    storage.enqueue(operation, in: self, isQueueObserved: observer != nil, holdsEvents: true)
  }

  /// Posts operations that are assigned to the queue together, at least one; once the queue has agreed to take them, by
  /// ``QueueSharedState/beginAdding()``.
  nonisolated func post(_ additions: Additions) {
    let posting = shared.post(
      .severalAdded(additions.storages), count: additions.storages.count,
      priority: additions.isSkipped ? nil : additions.highestPriority,
      need: additions.isInLine ? .turn : additions.isSkipped ? .unsuspended : .slot, endsAdding: true)
    precondition(!posting.isRefused, "additions were refused that the queue had agreed to take")
    // A reader, or the runner, may run here, under an executor that runs jobs where they are enqueued. A turn that it takes must
    // not wait for the events that this thread holds.
    DeliveringThread.perform {
      posting.resumeReaders()
      perform(posting.action)
    }
    if additions.isObserved { for storage in additions.storages { storage.deliverHeldEvents() } }
    if !additions.isSkipped {
      for storage in additions.storages { postChange(of: storage, above: additions.highestPriority) }
    }
  }

  /// Operations that are assigned to the queue and about to be posted.
  struct Additions {
    fileprivate(set) var storages: [OperationStorage] = []
    /// Whether some of them are skipped.
    private(set) var isSkipped = false
    /// Whether some of them stand in line for their limits.
    private(set) var isInLine = false
    /// Whether some of them have observers of events, which are told nothing yet.
    private(set) var isObserved = false
    private(set) var highestPriority = QueuePriority.veryLow

    mutating func append(_ storage: consuming OperationStorage, _ enqueued: OperationStateMachine.Enqueued) {
      isSkipped = isSkipped || enqueued.readiness == .skipped
      isObserved = isObserved || storage.isEverObserved
      isInLine = isInLine || enqueued.isInLine
      highestPriority = max(highestPriority, enqueued.priority)
      storages.append(storage)
    }
  }
}

extension OperationStateMachine.EnqueueAction {
  /// How the operation stands, or why it was not enqueued.
  fileprivate func enqueued() throws -> OperationStateMachine.Enqueued {
    switch self {
    case .enqueued(let enqueued): return enqueued
    case .alreadyEnqueued: throw OperationError.alreadyEnqueued
    case .alreadyExecuting: throw OperationError.alreadyExecuting
    case .alreadyFinished: throw OperationError.alreadyFinished
    case .refused: throw OperationError.queueClosed
    }
  }
}
