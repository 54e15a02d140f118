extension AsyncOperationQueue {
  /// Makes an operation of a synchronous body and adds it.
  ///
  /// The parameters are those of ``AsyncOperation/init(name:queuePriority:taskPriority:executor:main:)``. Does not
  /// suspend. Where the queue's scope has ended, the operation fails with ``OperationError/queueClosed``.
  @discardableResult
  public nonisolated(nonsending) func add<Output: Sendable>(
    name: String? = nil,
    queuePriority: QueuePriority = .normal,
    taskPriority: TaskPriority? = nil,
    executor: (any TaskExecutor)? = nil,
    main: @escaping @Sendable () throws -> Output
  ) async -> AsyncOperation<Output> {
    let operation = AsyncOperation(
      name: name, queuePriority: queuePriority, taskPriority: taskPriority, executor: executor, main: main)
    if await !add(operation) { operation.core.refuse() }
    return operation
  }

  /// Makes an operation of an asynchronous body and adds it.
  ///
  /// The parameters are those of ``AsyncOperation/init(name:queuePriority:taskPriority:executor:start:)``. Does not
  /// suspend. Where the queue's scope has ended, the operation fails with ``OperationError/queueClosed``.
  @discardableResult
  public nonisolated(nonsending) func add<Output: Sendable>(
    name: String? = nil,
    queuePriority: QueuePriority = .normal,
    taskPriority: TaskPriority? = nil,
    executor: (any TaskExecutor)? = nil,
    start: @escaping @Sendable () async throws -> Output
  ) async -> AsyncOperation<Output> {
    let operation = AsyncOperation(
      name: name, queuePriority: queuePriority, taskPriority: taskPriority, executor: executor, start: start)
    if await !add(operation) { operation.core.refuse() }
    return operation
  }

  /// Makes an operation of a synchronous body and adds it, from synchronous code.
  @discardableResult
  public nonisolated func add<Output: Sendable>(
    name: String? = nil,
    queuePriority: QueuePriority = .normal,
    taskPriority: TaskPriority? = nil,
    executor: (any TaskExecutor)? = nil,
    main: @escaping @Sendable () throws -> Output
  ) -> AsyncOperation<Output> {
    let operation = AsyncOperation(
      name: name, queuePriority: queuePriority, taskPriority: taskPriority, executor: executor, main: main)
    if !add(operation) { operation.core.refuse() }
    return operation
  }

  /// Makes an operation of an asynchronous body and adds it, from synchronous code.
  @discardableResult
  public nonisolated func add<Output: Sendable>(
    name: String? = nil,
    queuePriority: QueuePriority = .normal,
    taskPriority: TaskPriority? = nil,
    executor: (any TaskExecutor)? = nil,
    start: @escaping @Sendable () async throws -> Output
  ) -> AsyncOperation<Output> {
    let operation = AsyncOperation(
      name: name, queuePriority: queuePriority, taskPriority: taskPriority, executor: executor, start: start)
    if !add(operation) { operation.core.refuse() }
    return operation
  }
}
