extension AsyncOperationQueue {
  /// Adds an operation whose synchronous body gets the outputs of other operations.
  ///
  /// ```swift
  /// let text = await queue.add { try readText() }
  /// let style = await queue.add { try readStyle() }
  /// let page = await queue.add(after: text, style) { text, style in
  ///   try render(text, style)
  /// }
  /// ```
  ///
  /// It is added as
  /// ``AsyncOperation/init(after:_:name:queuePriority:taskPriority:executor:observer:file:line:main:)`` makes it. The other
  /// operations are not added; they may be in any queue, and may be added later. Does not suspend. If the queue takes no
  /// more, the new operation fails with ``OperationError/queueClosed``. There is no form for synchronous code, which makes
  /// the operation and adds it.
  ///
  /// - Parameters:
  ///   - first: An operation that this one depends on.
  ///   - others: More of them.
  ///   - name: What the operation is called in messages.
  ///   - queuePriority: Its place among the ready operations of a queue.
  ///   - taskPriority: The priority of its task; the queue's where that is higher.
  ///   - executor: Where the body runs; nil is the queue's executor or, where that has none, ``OperationThreadPool``.
  ///   - limits: The concurrency limits that it needs, at a cost of 1 each.
  ///   - file: Where the operation is made, for messages about it if it has no name.
  ///   - line: The line of the file.
  ///   - main: The body, which gets the outputs in the order in which the operations were given. It may block.
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
  ///
  /// - Parameters:
  ///   - first: An operation that this one depends on.
  ///   - others: More of them.
  ///   - name: What the operation is called in messages.
  ///   - queuePriority: Its place among the ready operations of a queue.
  ///   - taskPriority: The priority of its task; the queue's where that is higher.
  ///   - executor: Where the body runs; nil is the queue's executor or, where that has none, the cooperative pool.
  ///   - limits: The concurrency limits that it needs, at a cost of 1 each.
  ///   - file: Where the operation is made, for messages about it if it has no name.
  ///   - line: The line of the file.
  ///   - start: The body, which gets the outputs in the order in which the operations were given. It must not block.
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
  /// let total = await queue.add(after: counts) { counts in
  ///   counts.reduce(0, +)
  /// }
  /// ```
  ///
  /// Otherwise the same as after single operations.
  ///
  /// - Parameters:
  ///   - operations: Those that this one depends on.
  ///   - name: What the operation is called in messages.
  ///   - queuePriority: Its place among the ready operations of a queue.
  ///   - taskPriority: The priority of its task; the queue's where that is higher.
  ///   - executor: Where the body runs; nil is the queue's executor or, where that has none, ``OperationThreadPool``.
  ///   - limits: The concurrency limits that it needs, at a cost of 1 each.
  ///   - file: Where the operation is made, for messages about it if it has no name.
  ///   - line: The line of the file.
  ///   - main: The body, which gets the outputs in the order in which the operations were given. It may block.
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
  ///
  /// - Parameters:
  ///   - operations: Those that this one depends on.
  ///   - name: What the operation is called in messages.
  ///   - queuePriority: Its place among the ready operations of a queue.
  ///   - taskPriority: The priority of its task; the queue's where that is higher.
  ///   - executor: Where the body runs; nil is the queue's executor or, where that has none, the cooperative pool.
  ///   - limits: The concurrency limits that it needs, at a cost of 1 each.
  ///   - file: Where the operation is made, for messages about it if it has no name.
  ///   - line: The line of the file.
  ///   - start: The body, which gets the outputs in the order in which the operations were given. It must not block.
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
