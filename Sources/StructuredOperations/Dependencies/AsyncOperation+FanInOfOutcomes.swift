extension AsyncOperation {
  /// Makes an operation that waits for others, whatever their outcomes, and gets those, with a synchronous body.
  ///
  /// It is the place for what has to happen in any case, and for a value to fall back to:
  ///
  /// ```swift
  /// let download = AsyncOperation { try await fetch(url) }
  /// let text = AsyncOperation(afterOutcomesOf: download) { outcome in
  ///   if case .success(let data) = outcome { data } else { Data() }
  /// }
  /// ```
  ///
  /// It runs once all of them have finished, be it with a failure or by cancellation; only its own cancellation keeps it
  /// from running. Where ``OperationProtocol/removeDependency(_:)-z1a3`` takes one of them away before it has finished, there is no outcome to hand to
  /// the body, and the operation fails with ``OperationError/notReady``. The operations are not added to a queue by this. One
  /// that is given twice hands its outcome over twice.
  ///
  /// - Parameters:
  ///   - first: An operation that this one depends on.
  ///   - others: More of them.
  ///   - name: What the operation is called in messages.
  ///   - queuePriority: Its place among the ready operations of a queue.
  ///   - taskPriority: The priority of its task; the queue's where that is higher.
  ///   - executor: Where the body runs, as in ``init(name:queuePriority:taskPriority:executor:observer:file:line:main:)``.
  ///   - observer: Is told of all that happens to the operation.
  ///   - file: Where the operation is made, for messages about it if it has no name.
  ///   - line: The line of the file.
  ///   - main: The body, which gets the outcomes in the order in which the operations were given.
  /// - Complexity: O(number of operations).
  public init<First: Sendable, each Other: Sendable>(
    afterOutcomesOf first: AsyncOperation<First>,
    _ others: repeat AsyncOperation<each Other>,
    name: String? = nil,
    queuePriority: QueuePriority = .normal,
    taskPriority: TaskPriority? = nil,
    executor: (any TaskExecutor)? = nil,
    observer: (any OperationObserver)? = nil,
    file: StaticString = #fileID,
    line: UInt = #line,
    main: @escaping @Sendable (OperationOutcome<First>, repeat OperationOutcome<each Other>) throws -> Output
  ) {
    let firstSource = OutputSource(first)
    let otherSources = (repeat OutputSource(each others))
    self.init(
      .main { try main(firstSource.outcome, repeat (each otherSources).outcome) }, isAsynchronous: false, name: name,
      queuePriority: queuePriority, taskPriority: TaskPriority.raw(consume taskPriority),
      executor: executor, observer: .to(consume observer),
      madeAt: CreationSite(file: file, line: line))
    depend(on: first, repeat each others, requiring: .completion)
  }

  /// Makes an operation that waits for others, whatever their outcomes, and gets those, with an asynchronous body.
  ///
  /// Everything else is as in ``init(afterOutcomesOf:_:name:queuePriority:taskPriority:executor:observer:file:line:main:)``.
  ///
  /// - Parameters:
  ///   - first: An operation that this one depends on.
  ///   - others: More of them.
  ///   - name: What the operation is called in messages.
  ///   - queuePriority: Its place among the ready operations of a queue.
  ///   - taskPriority: The priority of its task; the queue's where that is higher.
  ///   - executor: Where the body runs; nil is the queue's executor or, where that has none, the cooperative pool.
  ///   - observer: Is told of all that happens to the operation.
  ///   - file: Where the operation is made, for messages about it if it has no name.
  ///   - line: The line of the file.
  ///   - start: The body, which gets the outcomes in the order in which the operations were given. It must not block.
  public init<First: Sendable, each Other: Sendable>(
    afterOutcomesOf first: AsyncOperation<First>,
    _ others: repeat AsyncOperation<each Other>,
    name: String? = nil,
    queuePriority: QueuePriority = .normal,
    taskPriority: TaskPriority? = nil,
    executor: (any TaskExecutor)? = nil,
    observer: (any OperationObserver)? = nil,
    file: StaticString = #fileID,
    line: UInt = #line,
    start:
      @escaping @Sendable @concurrent (OperationOutcome<First>, repeat OperationOutcome<each Other>)
      async throws -> Output
  ) {
    let firstSource = OutputSource(first)
    let otherSources = (repeat OutputSource(each others))
    self.init(
      .start { try await start(firstSource.outcome, repeat (each otherSources).outcome) }, isAsynchronous: true,
      name: name,
      queuePriority: queuePriority, taskPriority: TaskPriority.raw(consume taskPriority),
      executor: executor, observer: .to(consume observer),
      madeAt: CreationSite(file: file, line: line))
    depend(on: first, repeat each others, requiring: .completion)
  }

  /// Makes an operation that waits for others of one type, whatever their outcomes, and gets those, with a synchronous
  /// body.
  ///
  /// Without any it is ready at once, and its body gets an empty array. Everything else is as in
  /// ``init(afterOutcomesOf:_:name:queuePriority:taskPriority:executor:observer:file:line:main:)``.
  ///
  /// - Parameters:
  ///   - operations: Those that this one depends on.
  ///   - name: What the operation is called in messages.
  ///   - queuePriority: Its place among the ready operations of a queue.
  ///   - taskPriority: The priority of its task; the queue's where that is higher.
  ///   - executor: Where the body runs; nil is the queue's executor or, where that has none, ``OperationThreadPool``.
  ///   - observer: Is told of all that happens to the operation.
  ///   - file: Where the operation is made, for messages about it if it has no name.
  ///   - line: The line of the file.
  ///   - main: The body, which gets the outcomes in the order in which the operations were given. It may block.
  public init<Source: Sendable>(
    afterOutcomesOf operations: [AsyncOperation<Source>],
    name: String? = nil,
    queuePriority: QueuePriority = .normal,
    taskPriority: TaskPriority? = nil,
    executor: (any TaskExecutor)? = nil,
    observer: (any OperationObserver)? = nil,
    file: StaticString = #fileID,
    line: UInt = #line,
    main: @escaping @Sendable ([OperationOutcome<Source>]) throws -> Output
  ) {
    let sources = operations.map(OutputSource.init)
    self.init(
      .main { try main(sources.map { try $0.outcome }) }, isAsynchronous: false, name: name,
      queuePriority: queuePriority, taskPriority: TaskPriority.raw(consume taskPriority),
      executor: executor, observer: .to(consume observer),
      madeAt: CreationSite(file: file, line: line))
    depend(on: operations, requiring: .completion)
  }

  /// Makes an operation that waits for others of one type, whatever their outcomes, and gets those, with an asynchronous
  /// body.
  ///
  /// Everything else is as in ``init(afterOutcomesOf:name:queuePriority:taskPriority:executor:observer:file:line:main:)``.
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
  ///   - start: The body, which gets the outcomes in the order in which the operations were given. It must not block.
  public init<Source: Sendable>(
    afterOutcomesOf operations: [AsyncOperation<Source>],
    name: String? = nil,
    queuePriority: QueuePriority = .normal,
    taskPriority: TaskPriority? = nil,
    executor: (any TaskExecutor)? = nil,
    observer: (any OperationObserver)? = nil,
    file: StaticString = #fileID,
    line: UInt = #line,
    start: @escaping @Sendable ([OperationOutcome<Source>]) async throws -> Output
  ) {
    let sources = operations.map(OutputSource.init)
    self.init(
      .start { try await start(sources.map { try $0.outcome }) }, isAsynchronous: true, name: name,
      queuePriority: queuePriority, taskPriority: TaskPriority.raw(consume taskPriority),
      executor: executor, observer: .to(consume observer),
      madeAt: CreationSite(file: file, line: line))
    depend(on: operations, requiring: .completion)
  }
}
