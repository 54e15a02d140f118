extension AsyncOperationQueue {
  /// Adds an operation with a synchronous body.
  ///
  /// The parameters are those of ``AsyncOperation/init(name:queuePriority:taskPriority:executor:file:line:main:)``. Does not
  /// suspend. If the queue's scope has ended, the operation fails with ``OperationError/queueClosed``.
  @discardableResult
  public nonisolated(nonsending) func add<Output: Sendable>(
    name: String? = nil,
    queuePriority: QueuePriority = .normal,
    taskPriority: TaskPriority? = nil,
    executor: (any TaskExecutor)? = nil,
    file: StaticString = #fileID,
    line: UInt = #line,
    main: @escaping @Sendable () throws -> Output
  ) async -> AsyncOperation<Output> {
    let operation = AsyncOperation(
      name: name, queuePriority: queuePriority, taskPriority: taskPriority, executor: executor, file: file, line: line,
      main: main)
    if await !add(operation) { operation.storage.refuse() }
    return operation
  }

  /// Adds an operation with an asynchronous body.
  ///
  /// The parameters are those of ``AsyncOperation/init(name:queuePriority:taskPriority:executor:file:line:start:)``. Does not
  /// suspend. If the queue's scope has ended, the operation fails with ``OperationError/queueClosed``.
  @discardableResult
  public nonisolated(nonsending) func add<Output: Sendable>(
    name: String? = nil,
    queuePriority: QueuePriority = .normal,
    taskPriority: TaskPriority? = nil,
    executor: (any TaskExecutor)? = nil,
    file: StaticString = #fileID,
    line: UInt = #line,
    start: @escaping @Sendable () async throws -> Output
  ) async -> AsyncOperation<Output> {
    let operation = AsyncOperation(
      name: name, queuePriority: queuePriority, taskPriority: taskPriority, executor: executor, file: file, line: line,
      start: start)
    if await !add(operation) { operation.storage.refuse() }
    return operation
  }

  /// Adds an operation with a synchronous body, from synchronous code.
  ///
  /// If the queue's scope has ended, the operation fails with ``OperationError/queueClosed``.
  @discardableResult
  public nonisolated func add<Output: Sendable>(
    name: String? = nil,
    queuePriority: QueuePriority = .normal,
    taskPriority: TaskPriority? = nil,
    executor: (any TaskExecutor)? = nil,
    file: StaticString = #fileID,
    line: UInt = #line,
    main: @escaping @Sendable () throws -> Output
  ) -> AsyncOperation<Output> {
    let operation = AsyncOperation(
      name: name, queuePriority: queuePriority, taskPriority: taskPriority, executor: executor, file: file, line: line,
      main: main)
    if !add(operation) { operation.storage.refuse() }
    return operation
  }

  /// Adds an operation with an asynchronous body, from synchronous code.
  ///
  /// If the queue's scope has ended, the operation fails with ``OperationError/queueClosed``.
  @discardableResult
  public nonisolated func add<Output: Sendable>(
    name: String? = nil,
    queuePriority: QueuePriority = .normal,
    taskPriority: TaskPriority? = nil,
    executor: (any TaskExecutor)? = nil,
    file: StaticString = #fileID,
    line: UInt = #line,
    start: @escaping @Sendable () async throws -> Output
  ) -> AsyncOperation<Output> {
    let operation = AsyncOperation(
      name: name, queuePriority: queuePriority, taskPriority: taskPriority, executor: executor, file: file, line: line,
      start: start)
    if !add(operation) { operation.storage.refuse() }
    return operation
  }
}
