extension AsyncOperationQueue {
  /// Adds an operation with a synchronous body.
  ///
  /// Does not suspend. If the queue takes no more, the operation fails with ``OperationError/queueClosed``.
  ///
  /// - Parameters:
  ///   - name: What the operation is called in messages.
  ///   - queuePriority: Its place among the ready operations of a queue.
  ///   - taskPriority: The priority of its task; the queue's where that is higher.
  ///   - executor: Where the body runs; nil is the queue's executor or, where that has none, ``OperationThreadPool``.
  ///   - limits: The concurrency limits that it needs, at a cost of 1 each.
  ///   - file: Where the operation is made, for messages about it if it has no name.
  ///   - line: The line of the file.
  ///   - main: The body. It is called once, may block, and is freed when the operation finishes.
  @discardableResult
  @inlinable
  public nonisolated(nonsending) func add<Output: Sendable>(
    name: String? = nil,
    queuePriority: QueuePriority = .normal,
    taskPriority: TaskPriority? = nil,
    executor: (any TaskExecutor)? = nil,
    limits: [ConcurrencyLimit] = [],
    file: StaticString = #fileID,
    line: UInt = #line,
    main: @escaping @Sendable () throws -> Output
  ) async -> AsyncOperation<Output> {
    addOrRefuse(
      AsyncOperation(
        name: name, queuePriority: queuePriority, taskPriority: taskPriority, executor: executor, file: file,
        line: line, main: main),
      limits)
  }

  /// Adds an operation with an asynchronous body.
  ///
  /// Does not suspend. If the queue takes no more, the operation fails with ``OperationError/queueClosed``.
  ///
  /// - Parameters:
  ///   - name: What the operation is called in messages.
  ///   - queuePriority: Its place among the ready operations of a queue.
  ///   - taskPriority: The priority of its task; the queue's where that is higher.
  ///   - executor: Where the body runs; nil is the queue's executor or, where that has none, the cooperative pool.
  ///   - limits: The concurrency limits that it needs, at a cost of 1 each.
  ///   - file: Where the operation is made, for messages about it if it has no name.
  ///   - line: The line of the file.
  ///   - start: The body. It is called once, must not block, and is freed when the operation finishes.
  @discardableResult
  @inlinable
  public nonisolated(nonsending) func add<Output: Sendable>(
    name: String? = nil,
    queuePriority: QueuePriority = .normal,
    taskPriority: TaskPriority? = nil,
    executor: (any TaskExecutor)? = nil,
    limits: [ConcurrencyLimit] = [],
    file: StaticString = #fileID,
    line: UInt = #line,
    start: @escaping @Sendable () async throws -> Output
  ) async -> AsyncOperation<Output> {
    addOrRefuse(
      AsyncOperation(
        name: name, queuePriority: queuePriority, taskPriority: taskPriority, executor: executor, file: file,
        line: line, start: start),
      limits)
  }

  /// Adds an operation with a synchronous body, from synchronous code.
  ///
  /// If the queue takes no more, the operation fails with ``OperationError/queueClosed``.
  ///
  /// - Parameters:
  ///   - name: What the operation is called in messages.
  ///   - queuePriority: Its place among the ready operations of a queue.
  ///   - taskPriority: The priority of its task; the queue's where that is higher.
  ///   - executor: Where the body runs; nil is the queue's executor or, where that has none, ``OperationThreadPool``.
  ///   - limits: The concurrency limits that it needs, at a cost of 1 each.
  ///   - file: Where the operation is made, for messages about it if it has no name.
  ///   - line: The line of the file.
  ///   - main: The body. It is called once, may block, and is freed when the operation finishes.
  @discardableResult
  @inlinable
  public nonisolated func add<Output: Sendable>(
    name: String? = nil,
    queuePriority: QueuePriority = .normal,
    taskPriority: TaskPriority? = nil,
    executor: (any TaskExecutor)? = nil,
    limits: [ConcurrencyLimit] = [],
    file: StaticString = #fileID,
    line: UInt = #line,
    main: @escaping @Sendable () throws -> Output
  ) -> AsyncOperation<Output> {
    addOrRefuse(
      AsyncOperation(
        name: name, queuePriority: queuePriority, taskPriority: taskPriority, executor: executor, file: file,
        line: line, main: main),
      limits)
  }

  /// Adds an operation with an asynchronous body, from synchronous code.
  ///
  /// If the queue takes no more, the operation fails with ``OperationError/queueClosed``.
  ///
  /// - Parameters:
  ///   - name: What the operation is called in messages.
  ///   - queuePriority: Its place among the ready operations of a queue.
  ///   - taskPriority: The priority of its task; the queue's where that is higher.
  ///   - executor: Where the body runs; nil is the queue's executor or, where that has none, the cooperative pool.
  ///   - limits: The concurrency limits that it needs, at a cost of 1 each.
  ///   - file: Where the operation is made, for messages about it if it has no name.
  ///   - line: The line of the file.
  ///   - start: The body. It is called once, must not block, and is freed when the operation finishes.
  @discardableResult
  @inlinable
  public nonisolated func add<Output: Sendable>(
    name: String? = nil,
    queuePriority: QueuePriority = .normal,
    taskPriority: TaskPriority? = nil,
    executor: (any TaskExecutor)? = nil,
    limits: [ConcurrencyLimit] = [],
    file: StaticString = #fileID,
    line: UInt = #line,
    start: @escaping @Sendable () async throws -> Output
  ) -> AsyncOperation<Output> {
    addOrRefuse(
      AsyncOperation(
        name: name, queuePriority: queuePriority, taskPriority: taskPriority, executor: executor, file: file,
        line: line, start: start),
      limits)
  }
}

extension AsyncOperationQueue {
  /// Adds a new operation; if the queue takes no more, it has failed with ``OperationError/queueClosed`` on return.
  ///
  /// Inlinable, as what calls it: elsewhere the runtime has to look for the type of the operation each time.
  @inlinable
  nonisolated func addOrRefuse<Output>(
    _ operation: AsyncOperation<Output>,
    _ limits: [ConcurrencyLimit]
  ) -> AsyncOperation<Output> {
    addOrRefuse(operation as any OperationProtocol, limits)
    return operation
  }

  @usableFromInline
  nonisolated func addOrRefuse(_ operation: any OperationProtocol, _ limits: [ConcurrencyLimit]) {
    let storage = operation.storage
    storage.setLimits(limits)
    if !addNow(operation, storage) { storage.refuse() }
  }
}
