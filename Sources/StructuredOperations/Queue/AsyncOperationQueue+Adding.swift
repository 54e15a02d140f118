extension AsyncOperationQueue {
  // MARK: One operation

  /// Adds an operation; never fails.
  ///
  /// It does not suspend, whatever the queue does. Operations that one thread adds keep their order, whichever form
  /// adds them (QA-12).
  ///
  /// - Returns: Whether this call enqueued it. False where it is in a queue already, executes, or has finished: it is left
  ///   as it is then, and runs once all the same (D-1).
  @discardableResult
  public nonisolated(nonsending) func add(_ operation: any OperationProtocol) async -> Bool { addNow([operation]) == 1 }

  /// Adds an operation from synchronous code. Everything else is as in the asynchronous form.
  @discardableResult
  public nonisolated func add(_ operation: any OperationProtocol) -> Bool { addNow([operation]) == 1 }

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

  /// Adds several operations from synchronous code. Everything else is as in the asynchronous form.
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

  /// Adds several operations from synchronous code. Everything else is as in the asynchronous form.
  @discardableResult
  public nonisolated func add(_ operations: [any OperationProtocol]) -> Int { addNow(operations) }

  /// Adds several operations and waits until all of them have finished, whoever enqueued them (QA-10).
  ///
  /// It waits for these and not for the whole queue. Suspends without holding a thread; cancelling the waiting task
  /// changes nothing.
  public nonisolated(nonsending) func addAndWait(_ operations: [any OperationProtocol]) async {
    addNow(operations)
    for operation in operations { await operation.waitUntilFinished() }
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
  /// - Throws: ``OperationError/alreadyEnqueued``, for one that stands twice in the batch too, ``OperationError/alreadyExecuting``,
  ///   ``OperationError/alreadyFinished``; ``OperationError/queueClosed``.
  public nonisolated(nonsending) func enqueue(_ operations: [any OperationProtocol]) async throws {
    let batch = operations.map { QueuedOperation($0) }
    // Asked first, so that a batch with a fault in it never holds the good ones, not even for a moment.
    for work in batch { try work.core.read { $0.lifecycle.enqueueAnswer }.check() }
    for (count, work) in batch.enumerated() {
      do {
        try work.core.enqueue(in: self).check()
      } catch {
        for work in batch.prefix(count) { work.core.withdraw() }
        throw error
      }
    }
    if !batch.isEmpty, post(batch) == 0 { throw OperationError.queueClosed }
  }

  // MARK: Helpers

  /// Adds those that can be added.
  ///
  /// - Returns: How many those are.
  @discardableResult
  private nonisolated func addNow(_ operations: [any OperationProtocol]) -> Int {
    let batch = operations.lazy.map { QueuedOperation($0) }.filter { $0.core.enqueue(in: self) == .enqueued }
    return post(Array(batch))
  }

  /// Posts operations that belong to the queue; none, where it takes no more.
  ///
  /// - Returns: How many were posted.
  nonisolated func post(_ batch: [QueuedOperation]) -> Int {
    if batch.isEmpty { return 0 }
    let isLeaving = batch.contains { $0.core.priorityAndStanding.1 == .leaving }
    let action = front.post(batch, need: isLeaving ? .noSlot : .slot)
    if case .refuse = action {
      for work in batch { work.core.withdraw() }
      return 0
    }
    perform(action)
    return batch.count
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
