extension AsyncOperation {
  /// Makes an operation of a synchronous body: the closures without an `await`.
  ///
  /// - Parameters:
  ///   - name: What the operation is called in messages.
  ///   - queuePriority: Its place among the ready operations of a queue.
  ///   - taskPriority: The priority of its task; the queue's where that is higher.
  ///   - executor: Where the body runs; nil is the queue's executor or, where that has none, ``OperationThreadPool``.
  ///   - observer: Is told of all that happens to the operation.
  ///   - file: Where the operation is made, for messages about it if it has no name.
  ///   - line: The line of the file.
  ///   - main: The body. It is called once, may block, and is freed when the operation finishes.
  public init(
    name: String? = nil,
    queuePriority: QueuePriority = .normal,
    taskPriority: TaskPriority? = nil,
    executor: (any TaskExecutor)? = nil,
    observer: (any OperationObserver)? = nil,
    file: StaticString = #fileID,
    line: UInt = #line,
    main: @escaping @Sendable () throws -> Output
  ) {
    self.init(
      .main(main), isAsynchronous: false, name: name, queuePriority: queuePriority,
      taskPriority: TaskPriority.raw(consume taskPriority), executor: executor,
      observer: .to(consume observer),
      madeAt: CreationSite(file: file, line: line))
  }

  /// Makes an operation of an asynchronous body: the closures with an `await`.
  ///
  /// - Parameters:
  ///   - name: What the operation is called in messages.
  ///   - queuePriority: Its place among the ready operations of a queue.
  ///   - taskPriority: The priority of its task; the queue's where that is higher.
  ///   - executor: Where the body runs; nil is the queue's executor or, where that has none, the cooperative pool.
  ///   - observer: Is told of all that happens to the operation.
  ///   - file: Where the operation is made, for messages about it if it has no name.
  ///   - line: The line of the file.
  ///   - start: The body. It is called once, must not block, and is freed when the operation finishes.
  public init(
    name: String? = nil,
    queuePriority: QueuePriority = .normal,
    taskPriority: TaskPriority? = nil,
    executor: (any TaskExecutor)? = nil,
    observer: (any OperationObserver)? = nil,
    file: StaticString = #fileID,
    line: UInt = #line,
    start: @escaping @Sendable () async throws -> Output
  ) {
    self.init(
      .start(start), isAsynchronous: true, name: name, queuePriority: queuePriority,
      taskPriority: TaskPriority.raw(consume taskPriority), executor: executor,
      observer: .to(consume observer),
      madeAt: CreationSite(file: file, line: line))
  }

  /// Makes an operation of a body that hands its work on and is called back at the end.
  ///
  /// - Parameters:
  ///   - name: What the operation is called in messages.
  ///   - queuePriority: Its place among the ready operations of a queue.
  ///   - taskPriority: The priority of its task; the queue's where that is higher.
  ///   - executor: Where the body is called; nil is the queue's executor or, where that has none, the cooperative pool.
  ///   - observer: Is told of all that happens to the operation.
  ///   - file: Where the operation is made, for messages about it if it has no name.
  ///   - line: The line of the file.
  ///   - callback: The body. It is called once and must return soon; the operation finishes when the completion that it
  ///     is given is called, or dropped.
  public init(
    name: String? = nil,
    queuePriority: QueuePriority = .normal,
    taskPriority: TaskPriority? = nil,
    executor: (any TaskExecutor)? = nil,
    observer: (any OperationObserver)? = nil,
    file: StaticString = #fileID,
    line: UInt = #line,
    callback: @escaping @Sendable (OperationCompletion<Output>) -> Void
  ) {
    self.init(
      .start { try await CompletionState.run(callback) }, isAsynchronous: true, name: name,
      queuePriority: queuePriority, taskPriority: TaskPriority.raw(consume taskPriority),
      executor: executor, observer: .to(consume observer),
      madeAt: CreationSite(file: file, line: line))
  }

  /// Makes an operation of a value whose type has a `main()`.
  ///
  /// - Parameters:
  ///   - name: What the operation is called in messages.
  ///   - queuePriority: Its place among the ready operations of a queue.
  ///   - taskPriority: The priority of its task; the queue's where that is higher.
  ///   - executor: Where the body runs; nil is the queue's executor or, where that has none, ``OperationThreadPool``.
  ///   - observer: Is told of all that happens to the operation.
  ///   - file: Where the operation is made, for messages about it if it has no name.
  ///   - line: The line of the file.
  ///   - body: The value, which the operation keeps until it finishes.
  public init(
    name: String? = nil,
    queuePriority: QueuePriority = .normal,
    taskPriority: TaskPriority? = nil,
    executor: (any TaskExecutor)? = nil,
    observer: (any OperationObserver)? = nil,
    file: StaticString = #fileID,
    line: UInt = #line,
    _ body: some SynchronousOperationBody<Output>
  ) {
    self.init(
      .main { try body.main() }, isAsynchronous: false, name: name, queuePriority: queuePriority,
      taskPriority: TaskPriority.raw(consume taskPriority), executor: executor,
      observer: .to(consume observer),
      madeAt: CreationSite(file: file, line: line))
  }

  /// Makes an operation of a value whose type has a `start()`.
  ///
  /// - Parameters:
  ///   - name: What the operation is called in messages.
  ///   - queuePriority: Its place among the ready operations of a queue.
  ///   - taskPriority: The priority of its task; the queue's where that is higher.
  ///   - executor: Where the body runs; nil is the queue's executor or, where that has none, the cooperative pool.
  ///   - observer: Is told of all that happens to the operation.
  ///   - file: Where the operation is made, for messages about it if it has no name.
  ///   - line: The line of the file.
  ///   - body: The value, which the operation keeps until it finishes.
  public init(
    name: String? = nil,
    queuePriority: QueuePriority = .normal,
    taskPriority: TaskPriority? = nil,
    executor: (any TaskExecutor)? = nil,
    observer: (any OperationObserver)? = nil,
    file: StaticString = #fileID,
    line: UInt = #line,
    _ body: some AsynchronousOperationBody<Output>
  ) {
    self.init(
      .start { try await body.start() }, isAsynchronous: true, name: name, queuePriority: queuePriority,
      taskPriority: TaskPriority.raw(consume taskPriority), executor: executor,
      observer: .to(consume observer),
      madeAt: CreationSite(file: file, line: line))
  }
}

extension AsyncOperation where Output == Void {
  /// Makes an operation of several blocks, which run at the same time.
  ///
  /// Blocks of another operation that executes or has finished, though it were without having run them, make it fail with
  /// ``OperationError/blocksSealed``.
  ///
  /// - Parameters:
  ///   - name: What the operation is called in messages.
  ///   - queuePriority: Its place among the ready operations of a queue.
  ///   - taskPriority: The priority of its task; the queue's where that is higher.
  ///   - executor: Where the blocks run; nil is the queue's executor or, where that has none, ``OperationThreadPool`` for synchronous blocks
  ///     and the cooperative pool for asynchronous ones.
  ///   - observer: Is told of all that happens to the operation.
  ///   - file: Where the operation is made, for messages about it if it has no name.
  ///   - line: The line of the file.
  ///   - blocks: The blocks. More can be added until the operation executes.
  public init(
    name: String? = nil,
    queuePriority: QueuePriority = .normal,
    taskPriority: TaskPriority? = nil,
    executor: (any TaskExecutor)? = nil,
    observer: (any OperationObserver)? = nil,
    file: StaticString = #fileID,
    line: UInt = #line,
    _ blocks: ExecutionBlocks
  ) {
    self.init(
      .blocks(blocks), isAsynchronous: false, name: name, queuePriority: queuePriority,
      taskPriority: TaskPriority.raw(consume taskPriority), executor: executor,
      observer: .to(consume observer),
      madeAt: CreationSite(file: file, line: line))
  }
}
