extension AsyncOperation {
  /// Makes an operation that depends on others of one type and gets their outputs, with a synchronous body.
  ///
  /// ```swift
  /// let parts = urls.map { url in
  ///   AsyncOperation { try await fetch(url) }
  /// }
  /// let whole = AsyncOperation(after: parts) { parts in join(parts) }
  /// ```
  ///
  /// Without any it is ready at once, and its body gets an empty array. Everything else is as in
  /// ``init(after:_:name:queuePriority:taskPriority:executor:observer:file:line:main:)``.
  ///
  /// - Parameters:
  ///   - operations: Those that this one depends on.
  ///   - name: What the operation is called in messages.
  ///   - queuePriority: Its place among the ready operations of a queue.
  ///   - taskPriority: The priority of its task; the queue's where that is higher.
  ///   - executor: Where the body runs, as in ``init(name:queuePriority:taskPriority:executor:observer:file:line:main:)``.
  ///   - observer: Is told of all that happens to the operation.
  ///   - file: Where the operation is made, for messages about it if it has no name.
  ///   - line: The line of the file.
  ///   - main: The body, which gets the outputs in the order in which the operations were given.
  public init<Source: Sendable>(
    after operations: [AsyncOperation<Source>],
    name: String? = nil,
    queuePriority: QueuePriority = .normal,
    taskPriority: TaskPriority? = nil,
    executor: (any TaskExecutor)? = nil,
    observer: (any OperationObserver)? = nil,
    file: StaticString = #fileID,
    line: UInt = #line,
    main: @escaping @Sendable ([Source]) throws -> Output
  ) {
    let sources = operations.map(OutputSource.init)
    self.init(
      .main { try main(sources.map { try $0.output }) }, isAsynchronous: false, name: name,
      queuePriority: queuePriority, taskPriority: TaskPriority.raw(consume taskPriority),
      executor: executor, observer: .to(consume observer),
      madeAt: CreationSite(file: file, line: line))
    depend(on: operations, requiring: .success)
  }

  /// Makes an operation that depends on others of one type and gets their outputs, with an asynchronous body.
  ///
  /// Everything else is as in ``init(after:name:queuePriority:taskPriority:executor:observer:file:line:main:)-3js73``.
  ///
  /// - Parameters:
  ///   - operations: Those that this one depends on.
  ///   - name: What the operation is called in messages.
  ///   - queuePriority: Its place among the ready operations of a queue.
  ///   - taskPriority: The priority of its task; the queue's where that is higher.
  ///   - executor: Where the body runs; nil is the queue's executor or, where that has none, the cooperative pool.
  ///   - observer: Is told of all that happens to the operation.
  ///   - file: Where the operation is made, for messages about it if it has no name.
  ///   - line: The line of the file.
  ///   - start: The body, which gets the outputs in the order in which the operations were given. It must not block.
  public init<Source: Sendable>(
    after operations: [AsyncOperation<Source>],
    name: String? = nil,
    queuePriority: QueuePriority = .normal,
    taskPriority: TaskPriority? = nil,
    executor: (any TaskExecutor)? = nil,
    observer: (any OperationObserver)? = nil,
    file: StaticString = #fileID,
    line: UInt = #line,
    start: @escaping @Sendable ([Source]) async throws -> Output
  ) {
    let sources = operations.map(OutputSource.init)
    self.init(
      .start { try await start(sources.map { try $0.output }) }, isAsynchronous: true, name: name,
      queuePriority: queuePriority, taskPriority: TaskPriority.raw(consume taskPriority),
      executor: executor, observer: .to(consume observer),
      madeAt: CreationSite(file: file, line: line))
    depend(on: operations, requiring: .success)
  }
}
