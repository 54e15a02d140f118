extension AsyncOperationQueue {
  /// Adds a barrier with a synchronous body: an operation that runs alone, after everything added before it, and before
  /// everything added after it except what one ahead of it depends on.
  ///
  /// It is an operation like any other: it holds a slot, may throw, may be awaited, cancelled and depended on. But it is
  /// neither listed nor counted by the queue; ``waitUntilAllOperationsAreFinished()`` waits for it. Cancelled before it
  /// begins, by ``cancelAllOperations()`` too, it keeps its place, and finishes unrun when its turn comes. A barrier that
  /// depends on an operation behind it lets that one pass; an operation that was added ahead of the barrier and depends on
  /// it runs behind it. So does an earlier barrier that depends on it, and what is between both runs before both. Does not
  /// suspend.
  ///
  /// - Parameters:
  ///   - name: What the operation is called in messages.
  ///   - taskPriority: The priority of its task; the queue's where that is higher.
  ///   - executor: Where the body runs; nil is the queue's executor or, where that has none, ``OperationThreadPool``.
  ///   - limits: The concurrency limits that it takes, at a cost of 1 each, once it is its turn.
  ///   - file: Where the barrier is added, for messages about it if it has no name.
  ///   - line: The line of the file.
  ///   - main: The body. It is called once, may block, and is freed when the operation finishes.
  /// - Returns: The operation. If the queue takes no more, it has failed with ``OperationError/queueClosed``.
  @discardableResult
  public nonisolated(nonsending) func addBarrier<Output: Sendable>(
    name: String? = nil,
    taskPriority: TaskPriority? = nil,
    executor: (any TaskExecutor)? = nil,
    limits: [ConcurrencyLimit] = [],
    file: StaticString = #fileID,
    line: UInt = #line,
    main: @escaping @Sendable () throws -> Output
  ) async -> AsyncOperation<Output> {
    barrier(
      AsyncOperation(
        name: name, taskPriority: taskPriority, executor: executor, file: file, line: line, main: main),
      limits)
  }

  /// Adds a barrier with an asynchronous body.
  ///
  /// Everything else is as with a synchronous one.
  ///
  /// - Parameters:
  ///   - name: What the operation is called in messages.
  ///   - taskPriority: The priority of its task; the queue's where that is higher.
  ///   - executor: Where the body runs; nil is the queue's executor or, where that has none, the cooperative pool.
  ///   - limits: The concurrency limits that it needs, at a cost of 1 each.
  ///   - file: Where the operation is made, for messages about it if it has no name.
  ///   - line: The line of the file.
  ///   - start: The body. It is called once, must not block, and is freed when the operation finishes.
  @discardableResult
  public nonisolated(nonsending) func addBarrier<Output: Sendable>(
    name: String? = nil,
    taskPriority: TaskPriority? = nil,
    executor: (any TaskExecutor)? = nil,
    limits: [ConcurrencyLimit] = [],
    file: StaticString = #fileID,
    line: UInt = #line,
    start: @escaping @Sendable () async throws -> Output
  ) async -> AsyncOperation<Output> {
    barrier(
      AsyncOperation(
        name: name, taskPriority: taskPriority, executor: executor, file: file, line: line, start: start),
      limits)
  }

  /// Adds a barrier with a synchronous body, from synchronous code.
  ///
  /// Everything else is as in the asynchronous form.
  ///
  /// - Parameters:
  ///   - name: What the operation is called in messages.
  ///   - taskPriority: The priority of its task; the queue's where that is higher.
  ///   - executor: Where the body runs; nil is the queue's executor or, where that has none, ``OperationThreadPool``.
  ///   - limits: The concurrency limits that it needs, at a cost of 1 each.
  ///   - file: Where the operation is made, for messages about it if it has no name.
  ///   - line: The line of the file.
  ///   - main: The body. It is called once, may block, and is freed when the operation finishes.
  @discardableResult
  public nonisolated func addBarrier<Output: Sendable>(
    name: String? = nil,
    taskPriority: TaskPriority? = nil,
    executor: (any TaskExecutor)? = nil,
    limits: [ConcurrencyLimit] = [],
    file: StaticString = #fileID,
    line: UInt = #line,
    main: @escaping @Sendable () throws -> Output
  ) -> AsyncOperation<Output> {
    barrier(
      AsyncOperation(
        name: name, taskPriority: taskPriority, executor: executor, file: file, line: line, main: main),
      limits)
  }

  /// Adds a barrier with an asynchronous body, from synchronous code.
  ///
  /// Everything else is as in the asynchronous form.
  ///
  /// - Parameters:
  ///   - name: What the operation is called in messages.
  ///   - taskPriority: The priority of its task; the queue's where that is higher.
  ///   - executor: Where the body runs; nil is the queue's executor or, where that has none, the cooperative pool.
  ///   - limits: The concurrency limits that it needs, at a cost of 1 each.
  ///   - file: Where the operation is made, for messages about it if it has no name.
  ///   - line: The line of the file.
  ///   - start: The body. It is called once, must not block, and is freed when the operation finishes.
  @discardableResult
  public nonisolated func addBarrier<Output: Sendable>(
    name: String? = nil,
    taskPriority: TaskPriority? = nil,
    executor: (any TaskExecutor)? = nil,
    limits: [ConcurrencyLimit] = [],
    file: StaticString = #fileID,
    line: UInt = #line,
    start: @escaping @Sendable () async throws -> Output
  ) -> AsyncOperation<Output> {
    barrier(
      AsyncOperation(
        name: name, taskPriority: taskPriority, executor: executor, file: file, line: line, start: start),
      limits)
  }

  /// Adds an operation as a barrier, or has it fail.
  private nonisolated func barrier<Output: Sendable>(
    _ operation: AsyncOperation<Output>,
    _ limits: [ConcurrencyLimit]
  ) -> AsyncOperation<Output> {
    operation.storage.setLimits(limits)
    if !postBarrier(operation, caller: nil) { operation.storage.refuse() }
    return operation
  }

  /// - Returns: Whether the queue takes the barrier.
  nonisolated func postBarrier(_ operation: any OperationProtocol, caller: OneShot<CallAnswer>?) -> Bool {
    let storage = operation.storage
    _ = storage.enqueue(operation, in: self, isBarrier: true, isQueueObserved: observer != nil, holdsEvents: true)
    let action = shared.post(barrier: .barrierAdded(storage, caller: caller))
    if case .refuse = action {
      storage.withdraw()
      return false
    }
    DeliveringThread.perform { perform(action) }
    storage.deliverHeldEvents()
    return true
  }
}
