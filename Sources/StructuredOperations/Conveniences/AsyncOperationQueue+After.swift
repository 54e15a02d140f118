extension AsyncOperationQueue {
  /// Adds an operation whose synchronous body receives the outputs of other operations.
  ///
  /// The parameters are those of ``AsyncOperation/init(after:_:name:queuePriority:taskPriority:executor:file:line:main:)``. The
  /// other operations are not added; they may be in any queue, and may be added later. Does not suspend. If the queue's
  /// scope has ended, the new operation fails with ``OperationError/queueClosed``.
  @discardableResult
  public nonisolated(nonsending) func add<First: Sendable, each Other: Sendable, Output: Sendable>(
    after first: AsyncOperation<First>,
    _ others: repeat AsyncOperation<each Other>,
    name: String? = nil,
    queuePriority: QueuePriority = .normal,
    taskPriority: TaskPriority? = nil,
    executor: (any TaskExecutor)? = nil,
    file: StaticString = #fileID,
    line: UInt = #line,
    main: @escaping @Sendable (First, repeat each Other) throws -> Output
  ) async -> AsyncOperation<Output> {
    let operation = AsyncOperation(
      after: first, repeat each others, name: name, queuePriority: queuePriority, taskPriority: taskPriority,
      executor: executor, file: file, line: line,
      main: main)
    if await !add(operation) { operation.storage.refuse() }
    return operation
  }

  /// Adds an operation whose asynchronous body receives the outputs of other operations.
  ///
  /// Otherwise the same as with a synchronous body.
  @discardableResult
  public nonisolated(nonsending) func add<First: Sendable, each Other: Sendable, Output: Sendable>(
    after first: AsyncOperation<First>,
    _ others: repeat AsyncOperation<each Other>,
    name: String? = nil,
    queuePriority: QueuePriority = .normal,
    taskPriority: TaskPriority? = nil,
    executor: (any TaskExecutor)? = nil,
    file: StaticString = #fileID,
    line: UInt = #line,
    start: @escaping @Sendable @concurrent (First, repeat each Other) async throws -> Output
  ) async -> AsyncOperation<Output> {
    let operation = AsyncOperation(
      after: first, repeat each others, name: name, queuePriority: queuePriority, taskPriority: taskPriority,
      executor: executor, file: file, line: line,
      start: start)
    if await !add(operation) { operation.storage.refuse() }
    return operation
  }
}
