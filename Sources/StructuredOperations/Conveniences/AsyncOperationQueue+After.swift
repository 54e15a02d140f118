extension AsyncOperationQueue {
  /// Makes an operation that gets the outputs of others, with a synchronous body, and adds it.
  ///
  /// The parameters are those of ``AsyncOperation/init(after:_:name:queuePriority:taskPriority:executor:main:)``. The
  /// others are not added: they may be in any queue, and may be added later. Does not suspend.
  @discardableResult
  public nonisolated(nonsending) func add<First: Sendable, each Other: Sendable, Output: Sendable>(
    after first: AsyncOperation<First>,
    _ others: repeat AsyncOperation<each Other>,
    name: String? = nil,
    queuePriority: QueuePriority = .normal,
    taskPriority: TaskPriority? = nil,
    executor: (any TaskExecutor)? = nil,
    main: @escaping @Sendable (First, repeat each Other) throws -> Output
  ) async -> AsyncOperation<Output> {
    let operation = AsyncOperation(
      after: first, repeat each others, name: name, queuePriority: queuePriority, taskPriority: taskPriority,
      executor: executor, main: main)
    if await !add(operation) { operation.core.refuse() }
    return operation
  }

  /// Makes an operation that gets the outputs of others, with an asynchronous body, and adds it.
  ///
  /// Everything else is as for a synchronous body.
  @discardableResult
  public nonisolated(nonsending) func add<First: Sendable, each Other: Sendable, Output: Sendable>(
    after first: AsyncOperation<First>,
    _ others: repeat AsyncOperation<each Other>,
    name: String? = nil,
    queuePriority: QueuePriority = .normal,
    taskPriority: TaskPriority? = nil,
    executor: (any TaskExecutor)? = nil,
    start: @escaping @Sendable @concurrent (First, repeat each Other) async throws -> Output
  ) async -> AsyncOperation<Output> {
    let operation = AsyncOperation(
      after: first, repeat each others, name: name, queuePriority: queuePriority, taskPriority: taskPriority,
      executor: executor, start: start)
    if await !add(operation) { operation.core.refuse() }
    return operation
  }
}
