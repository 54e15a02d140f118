extension AsyncOperationQueue {
  // MARK: One operation

  /// Adds an operation; never fails.
  ///
  /// It does not suspend, whatever the queue does. Operations that one thread adds keep their order, whichever form
  /// adds them (QA-12).
  ///
  /// - Returns: Whether this call enqueued it. False where it is in a queue already, executes, or has finished: it is
  ///   left as it is then, and runs once all the same (D-1).
  @discardableResult
  public nonisolated(nonsending) func add(_ operation: any OperationProtocol) async -> Bool { addNow(operation) }

  /// Adds an operation from synchronous code.
  ///
  /// Everything else is as in the asynchronous form.
  @discardableResult
  public nonisolated func add(_ operation: any OperationProtocol) -> Bool { addNow(operation) }

  // MARK: Several operations

  /// Adds several operations, which are ranked as one batch before any of them starts (PR-08).
  ///
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
  @discardableResult
  public nonisolated func add(
    _ first: any OperationProtocol,
    _ second: any OperationProtocol,
    _ others: any OperationProtocol...
  ) -> Int {
    addNow([first, second] + others)
  }

  /// Adds several operations, which are ranked as one batch before any of them starts (PR-08).
  ///
  /// - Returns: How many of them this call enqueued.
  @discardableResult
  public nonisolated(nonsending) func add(_ operations: [any OperationProtocol]) async -> Int { addNow(operations) }

  /// Adds several operations from synchronous code.
  ///
  /// Everything else is as in the asynchronous form.
  @discardableResult
  public nonisolated func add(_ operations: [any OperationProtocol]) -> Int { addNow(operations) }

  /// Adds several operations and waits until all of them have finished, whoever enqueued them (QA-10).
  ///
  /// It waits for these and not for the whole queue. Suspends without holding a thread; cancelling the waiting task
  /// changes nothing. Those that the queue refused because its scope has ended are not waited for. A body's own task
  /// lends its slot once for all of them, as in ``AsyncOperation/waitUntilFinished()``.
  public nonisolated(nonsending) func addAndWait(_ operations: [any OperationProtocol]) async {
    addNow(operations)
    var seen: Set<OperationCore> = []
    // Those that a closed queue refused would be waited for in vain.
    let unfinished = operations.filter { operation in
      let core = operation.core
      return !core.isIdle && !core.isSettled && seen.insert(core).inserted
    }
    await OperationCore.donatingPriority(to: unfinished.map(\.core)) {
      if let end = await BodyWait.wait(for: unfinished) { return end.orStop("addAndWait(_:)") }
      for operation in unfinished { await operation.waitUntilFinished() }
    }
  }

  // MARK: Strictly

  /// Adds an operation, or says why that cannot be.
  ///
  /// - Throws: ``OperationError/alreadyEnqueued``, ``OperationError/alreadyExecuting``,
  ///   ``OperationError/alreadyFinished`` (QA-02, QA-03, QA-04); ``OperationError/queueClosed``.
  public nonisolated(nonsending) func enqueue(_ operation: any OperationProtocol) async throws {
    try await enqueue([operation])
  }

  /// Adds several operations as one batch, all of them or none (QA-07).
  ///
  /// - Throws: ``OperationError/alreadyEnqueued``, for one that stands twice in the batch too,
  ///   ``OperationError/alreadyExecuting``, ``OperationError/alreadyFinished``; ``OperationError/queueClosed``.
  public nonisolated(nonsending) func enqueue(_ operations: [any OperationProtocol]) async throws {
    // Asked first, so that a batch with a fault in it never holds the good ones, not even for a moment.
    var seen: Set<OperationCore> = []
    for operation in operations {
      guard seen.insert(operation.core).inserted else { throw OperationError.alreadyEnqueued }
      try operation.core.read { $0.lifecycle.enqueueAnswer }.check()
    }
    var batch = Batch()
    for operation in operations {
      let (answer, standing, priority) = operation.core.enqueue(operation, in: self)
      do {
        try answer.check()
      } catch {
        for core in batch.cores { core.withdraw() }
        throw error
      }
      batch.append(operation.core, standing, priority)
    }
    guard post(batch) else { throw OperationError.queueClosed }
  }

  // MARK: Helpers

  private nonisolated func addNow(_ operation: any OperationProtocol) -> Bool {
    let core = operation.core
    let (answer, standing, priority) = core.enqueue(operation, in: self)
    guard answer == .enqueued else { return false }
    return post(.operation(core), core, standing, priority)
  }

  /// Adds those that can be added.
  ///
  /// - Returns: How many those are.
  @discardableResult
  private nonisolated func addNow(_ operations: [any OperationProtocol]) -> Int {
    var batch = Batch()
    batch.cores.reserveCapacity(operations.count)
    for operation in operations {
      let core = operation.core
      let (answer, standing, priority) = core.enqueue(operation, in: self)
      if answer == .enqueued { batch.append(core, standing, priority) }
    }
    return post(batch) ? batch.cores.count : 0
  }

  /// Posts an operation that belongs to the queue.
  ///
  /// - Returns: Whether the queue takes it; where not, it belongs to nobody again.
  nonisolated func post(
    _ mail: QueueMail,
    _ core: OperationCore,
    _ standing: OperationStanding,
    _ priority: QueuePriority
  ) -> Bool {
    let isLeaving = standing == .leaving
    let action = front.post(
      mail, count: 1, priority: isLeaving ? nil : priority, need: isLeaving ? .noSlot : .slot)
    if case .refuse = action {
      core.withdraw()
      return false
    }
    perform(action)
    if standing != .leaving { postDeparture(of: core) }
    return true
  }

  /// Sees to it that an operation that was cancelled on its way leaves as early as one that was cancelled later.
  private nonisolated func postDeparture(of core: OperationCore) {
    if core.openStanding == .leaving { operationChanged(core, .standing) }
  }

  /// Posts operations that belong to the queue as one batch.
  ///
  /// - Returns: Whether the queue takes them; where not, they belong to nobody again.
  private nonisolated func post(_ batch: Batch) -> Bool {
    if batch.cores.isEmpty { return true }
    let action = front.post(
      .operations(batch.cores), count: batch.cores.count, priority: batch.isLeaving ? nil : batch.highestPriority,
      need: batch.isLeaving ? .noSlot : .slot)
    if case .refuse = action {
      for core in batch.cores { core.withdraw() }
      return false
    }
    perform(action)
    if !batch.isLeaving { for core in batch.cores { postDeparture(of: core) } }
    return true
  }

  /// Operations that belong to the queue and are about to be posted.
  private struct Batch {
    var cores: [OperationCore] = []
    /// Whether some of them leave at once.
    private(set) var isLeaving = false
    private(set) var highestPriority = QueuePriority.veryLow

    mutating func append(_ core: OperationCore, _ standing: OperationStanding, _ priority: QueuePriority) {
      cores.append(core)
      isLeaving = isLeaving || standing == .leaving
      highestPriority = max(highestPriority, priority)
    }
  }
}

extension OperationLifecycle.EnqueueAnswer {
  func check() throws {
    switch self {
    case .enqueued: break
    case .alreadyEnqueued: throw OperationError.alreadyEnqueued
    case .alreadyExecuting: throw OperationError.alreadyExecuting
    case .alreadyFinished: throw OperationError.alreadyFinished
    }
  }
}
