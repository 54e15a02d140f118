extension AsyncOperationQueue {
  /// Adds an operation whose synchronous body gets the outputs of other operations.
  ///
  /// ```swift
  /// let text = await queue.add { try readText() }
  /// let style = await queue.add { try readStyle() }
  /// let page = await queue.add(after: text, style) { text, style in try render(text, style) }
  /// ```
  ///
  /// The parameters are those of ``AsyncOperation/init(after:_:name:queuePriority:taskPriority:executor:observer:file:line:main:)``. The
  /// other operations are not added; they may be in any queue, and may be added later. Does not suspend. If the queue
  /// takes no more, the new operation fails with ``OperationError/queueClosed``. There is no form for synchronous code,
  /// which makes the operation and adds it.
  @discardableResult
  public nonisolated(nonsending) func add<First: Sendable, each Other: Sendable, Output: Sendable>(
    after first: AsyncOperation<First>,
    _ others: repeat AsyncOperation<each Other>,
    name: String? = nil,
    queuePriority: QueuePriority = .normal,
    taskPriority: TaskPriority? = nil,
    executor: (any TaskExecutor)? = nil,
    limits: [ConcurrencyLimit] = [],
    file: StaticString = #fileID,
    line: UInt = #line,
    main: @escaping @Sendable (First, repeat each Other) throws -> Output
  ) async -> AsyncOperation<Output> {
    addOrRefuse(
      AsyncOperation(
        after: first, repeat each others, name: name, queuePriority: queuePriority, taskPriority: taskPriority,
        executor: executor, file: file, line: line, main: main),
      limits)
  }

  /// Adds an operation whose asynchronous body gets the outputs of other operations.
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
    limits: [ConcurrencyLimit] = [],
    file: StaticString = #fileID,
    line: UInt = #line,
    start: @escaping @Sendable @concurrent (First, repeat each Other) async throws -> Output
  ) async -> AsyncOperation<Output> {
    addOrRefuse(
      AsyncOperation(
        after: first, repeat each others, name: name, queuePriority: queuePriority, taskPriority: taskPriority,
        executor: executor, file: file, line: line, start: start),
      limits)
  }

  /// Adds an operation whose synchronous body gets the outputs of other operations of one type, as an array.
  ///
  /// ```swift
  /// let total = await queue.add(after: counts) { counts in counts.reduce(0, +) }
  /// ```
  ///
  /// The parameters are those of ``AsyncOperation/init(after:name:queuePriority:taskPriority:executor:observer:file:line:main:)``.
  /// Otherwise the same as after single operations.
  @discardableResult
  public nonisolated(nonsending) func add<Source: Sendable, Output: Sendable>(
    after operations: [AsyncOperation<Source>],
    name: String? = nil,
    queuePriority: QueuePriority = .normal,
    taskPriority: TaskPriority? = nil,
    executor: (any TaskExecutor)? = nil,
    limits: [ConcurrencyLimit] = [],
    file: StaticString = #fileID,
    line: UInt = #line,
    main: @escaping @Sendable ([Source]) throws -> Output
  ) async -> AsyncOperation<Output> {
    addOrRefuse(
      AsyncOperation(
        after: operations, name: name, queuePriority: queuePriority, taskPriority: taskPriority,
        executor: executor, file: file, line: line, main: main),
      limits)
  }

  /// Adds an operation whose asynchronous body gets the outputs of other operations of one type, as an array.
  ///
  /// Otherwise the same as with a synchronous body.
  @discardableResult
  public nonisolated(nonsending) func add<Source: Sendable, Output: Sendable>(
    after operations: [AsyncOperation<Source>],
    name: String? = nil,
    queuePriority: QueuePriority = .normal,
    taskPriority: TaskPriority? = nil,
    executor: (any TaskExecutor)? = nil,
    limits: [ConcurrencyLimit] = [],
    file: StaticString = #fileID,
    line: UInt = #line,
    start: @escaping @Sendable ([Source]) async throws -> Output
  ) async -> AsyncOperation<Output> {
    addOrRefuse(
      AsyncOperation(
        after: operations, name: name, queuePriority: queuePriority, taskPriority: taskPriority,
        executor: executor, file: file, line: line, start: start),
      limits)
  }
}

// Closures that forget their parameters, as for the initialisers.
extension AsyncOperationQueue {
  /// Unavailable: the closure takes the outputs of the operations it comes after.
  @available(
    *, unavailable, message: "the closure takes the outputs of the operations it comes after: { output in … }"
  )
  @discardableResult
  public nonisolated(nonsending) func add<First: Sendable, each Other: Sendable, Output: Sendable>(
    after first: AsyncOperation<First>,
    _ others: repeat AsyncOperation<each Other>,
    name: String? = nil,
    queuePriority: QueuePriority = .normal,
    taskPriority: TaskPriority? = nil,
    executor: (any TaskExecutor)? = nil,
    limits: [ConcurrencyLimit] = [],
    file: StaticString = #fileID,
    line: UInt = #line,
    main: @escaping @Sendable () throws -> Output
  ) async -> AsyncOperation<Output> {
    fatalError()
  }

  /// Unavailable: the closure takes the outputs of the operations it comes after.
  @available(
    *, unavailable, message: "the closure takes the outputs of the operations it comes after: { output in … }"
  )
  @discardableResult
  public nonisolated(nonsending) func add<First: Sendable, each Other: Sendable, Output: Sendable>(
    after first: AsyncOperation<First>,
    _ others: repeat AsyncOperation<each Other>,
    name: String? = nil,
    queuePriority: QueuePriority = .normal,
    taskPriority: TaskPriority? = nil,
    executor: (any TaskExecutor)? = nil,
    limits: [ConcurrencyLimit] = [],
    file: StaticString = #fileID,
    line: UInt = #line,
    start: @escaping @Sendable () async throws -> Output
  ) async -> AsyncOperation<Output> {
    fatalError()
  }
}
