extension AsyncOperationQueue {
  /// Adds an operation with a synchronous body.
  ///
  /// The parameters are those of ``AsyncOperation/init(name:queuePriority:taskPriority:executor:observer:file:line:main:)``, and the
  /// concurrency limits that it needs, at a cost of 1 each. Does not suspend. If the queue takes no more, the operation fails with ``OperationError/queueClosed``.
  @discardableResult
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
  /// The parameters are those of ``AsyncOperation/init(name:queuePriority:taskPriority:executor:observer:file:line:start:)``, and the
  /// concurrency limits that it needs, at a cost of 1 each. Does not suspend. If the queue takes no more, the operation fails with ``OperationError/queueClosed``.
  @discardableResult
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
  @discardableResult
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
  @discardableResult
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
  nonisolated func addOrRefuse<Output>(
    _ operation: AsyncOperation<Output>,
    _ limits: [ConcurrencyLimit]
  ) -> AsyncOperation<Output> {
    operation.storage.addLimits(limits)
    if !add(operation) { operation.storage.refuse() }
    return operation
  }
}
