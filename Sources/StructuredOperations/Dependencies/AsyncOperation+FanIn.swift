extension AsyncOperation {
  /// Makes an operation that depends on others and gets their outputs, with a synchronous body.
  ///
  /// ```swift
  /// let download = AsyncOperation { try await fetch(url) }
  /// let style = AsyncOperation { try readStyle() }
  /// let page = AsyncOperation(after: download, style) { text, style in
  ///   try render(text, style)
  /// }
  /// ```
  ///
  /// Each of them has to succeed: where one fails or is cancelled, this one finishes without running, with
  /// ``OperationError/dependencyFailed(on:underlying:)``, and does not wait for the others. Where
  /// ``OperationProtocol/removeDependency(_:)-z1a3`` takes one of them away before it has finished, there is nothing to hand to the body, and the
  /// operation fails with ``OperationError/notReady``. The operations are not added to a queue by this. One that is given
  /// twice hands its output over twice.
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
  ///   - main: The body, which gets the outputs in the order in which the operations were given.
  /// - Complexity: O(number of operations).
  public init<First: Sendable, each Other: Sendable>(
    after first: AsyncOperation<First>,
    _ others: repeat AsyncOperation<each Other>,
    name: String? = nil,
    queuePriority: QueuePriority = .normal,
    taskPriority: TaskPriority? = nil,
    executor: (any TaskExecutor)? = nil,
    observer: (any OperationObserver)? = nil,
    file: StaticString = #fileID,
    line: UInt = #line,
    main: @escaping @Sendable (First, repeat each Other) throws -> Output
  ) {
    let firstSource = OutputSource(first)
    let otherSources = (repeat OutputSource(each others))
    self.init(
      .main { try main(firstSource.output, repeat (each otherSources).output) }, isAsynchronous: false, name: name,
      queuePriority: queuePriority, taskPriority: TaskPriority.raw(consume taskPriority),
      executor: executor, observer: .to(consume observer),
      madeAt: CreationSite(file: file, line: line))
    depend(on: first, repeat each others, requiring: .success)
  }

  /// Makes an operation that depends on others and gets their outputs, with an asynchronous body.
  ///
  /// Everything else is as in ``init(after:_:name:queuePriority:taskPriority:executor:observer:file:line:main:)``.
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
  ///   - start: The body, which gets the outputs in the order in which the operations were given. It must not block.
  public init<First: Sendable, each Other: Sendable>(
    after first: AsyncOperation<First>,
    _ others: repeat AsyncOperation<each Other>,
    name: String? = nil,
    queuePriority: QueuePriority = .normal,
    taskPriority: TaskPriority? = nil,
    executor: (any TaskExecutor)? = nil,
    observer: (any OperationObserver)? = nil,
    file: StaticString = #fileID,
    line: UInt = #line,
    start: @escaping @Sendable @concurrent (First, repeat each Other) async throws -> Output
  ) {
    let firstSource = OutputSource(first)
    let otherSources = (repeat OutputSource(each others))
    self.init(
      .start { try await start(firstSource.output, repeat (each otherSources).output) }, isAsynchronous: true,
      name: name,
      queuePriority: queuePriority, taskPriority: TaskPriority.raw(consume taskPriority),
      executor: executor, observer: .to(consume observer),
      madeAt: CreationSite(file: file, line: line))
    depend(on: first, repeat each others, requiring: .success)
  }

  /// Makes an operation that depends on another and gets its output, with a body that is called back at the end.
  ///
  /// ```swift
  /// let image = AsyncOperation<Image>(
  ///   after: download,
  ///   callback: { data, completion in
  ///     decoder.decode(data) { result in
  ///       completion.finish(with: result)
  ///     }
  ///   })
  /// ```
  ///
  /// Everything else is as in ``init(after:_:name:queuePriority:taskPriority:executor:observer:file:line:main:)``, and for the
  /// body as in ``init(name:queuePriority:taskPriority:executor:observer:file:line:callback:)``.
  ///
  /// - Parameters:
  ///   - first: An operation that this one depends on.
  ///   - name: What the operation is called in messages.
  ///   - queuePriority: Its place among the ready operations of a queue.
  ///   - taskPriority: The priority of its task; the queue's where that is higher.
  ///   - executor: Where the body is called; nil is the queue's executor or, where that has none, the cooperative
  ///     pool.
  ///   - observer: Is told of all that happens to the operation.
  ///   - file: Where the operation is made, for messages about it if it has no name.
  ///   - line: The line of the file.
  ///   - callback: The body, which gets the output and what it calls at the end. It must return soon.
  public init<First: Sendable>(
    after first: AsyncOperation<First>,
    name: String? = nil,
    queuePriority: QueuePriority = .normal,
    taskPriority: TaskPriority? = nil,
    executor: (any TaskExecutor)? = nil,
    observer: (any OperationObserver)? = nil,
    file: StaticString = #fileID,
    line: UInt = #line,
    callback: @escaping @Sendable (First, OperationCompletion<Output>) -> Void
  ) {
    let source = OutputSource(first)
    let body: @Sendable () async throws -> Output = {
      let output = try source.output
      return try await CompletionState.run { callback(output, $0) }
    }
    self.init(
      .start(body), isAsynchronous: true, name: name,
      queuePriority: queuePriority, taskPriority: TaskPriority.raw(consume taskPriority),
      executor: executor, observer: .to(consume observer),
      madeAt: CreationSite(file: file, line: line))
    depend(on: first, requiring: .success)
  }
}

// MARK: After an operation without an output

extension AsyncOperation {
  /// Makes an operation that depends on another one without an output, with a synchronous body.
  ///
  /// ```swift
  /// let setUp = AsyncOperation { try createFolders() }
  /// let download = AsyncOperation(after: setUp) { try readArchive() }
  /// ```
  ///
  /// Everything else is as in ``init(after:_:name:queuePriority:taskPriority:executor:observer:file:line:main:)``.
  ///
  /// - Parameters:
  ///   - first: An operation that this one depends on.
  ///   - name: What the operation is called in messages.
  ///   - queuePriority: Its place among the ready operations of a queue.
  ///   - taskPriority: The priority of its task; the queue's where that is higher.
  ///   - executor: Where the body runs; nil is the queue's executor or, where that has none, ``OperationThreadPool``.
  ///   - observer: Is told of all that happens to the operation.
  ///   - file: Where the operation is made, for messages about it if it has no name.
  ///   - line: The line of the file.
  ///   - main: The body, which may block.
  public init(
    after first: AsyncOperation<Void>,
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
      after: first, name: name, queuePriority: queuePriority, taskPriority: taskPriority, executor: executor,
      observer: observer,
      file: file, line: line, main: { _ in try main() })
  }

  /// Makes an operation that depends on another one without an output, with an asynchronous body.
  ///
  /// Everything else is as in ``init(after:_:name:queuePriority:taskPriority:executor:observer:file:line:main:)``.
  ///
  /// - Parameters:
  ///   - first: An operation that this one depends on.
  ///   - name: What the operation is called in messages.
  ///   - queuePriority: Its place among the ready operations of a queue.
  ///   - taskPriority: The priority of its task; the queue's where that is higher.
  ///   - executor: Where the body runs; nil is the queue's executor or, where that has none, the cooperative pool.
  ///   - observer: Is told of all that happens to the operation.
  ///   - file: Where the operation is made, for messages about it if it has no name.
  ///   - line: The line of the file.
  ///   - start: The body, which must not block.
  public init(
    after first: AsyncOperation<Void>,
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
      after: first, name: name, queuePriority: queuePriority, taskPriority: taskPriority, executor: executor,
      observer: observer,
      file: file, line: line, start: { _ in try await start() })
  }
}

// MARK: Helpers

extension AsyncOperation {
  /// Adds dependencies to this operation while it is being made, when nothing can depend on it.
  ///
  /// Inlined, because a call with a parameter pack also passes the types of its elements: a tenth of what making takes.
  @inline(__always)
  nonisolated func depend<each Source>(
    on sources: repeat AsyncOperation<each Source>,
    requiring requirement: DependencyRequirement
  ) {
    storage.readOutputs()
    repeat depend(on: each sources, requiring: requirement)
  }

  /// The same for operations of one type.
  nonisolated func depend<Source>(on sources: [AsyncOperation<Source>], requiring requirement: DependencyRequirement) {
    storage.readOutputs()
    for source in sources { depend(on: source, requiring: requirement) }
  }

  private nonisolated func depend(on source: any OperationProtocol, requiring requirement: DependencyRequirement) {
    do {
      try DependencyGraph.add(source, to: self, requirement: requirement)
    } catch {
      preconditionFailure("a new operation was part of a loop: \(error)")
    }
  }
}
