extension AsyncOperation {
  /// Makes an operation that depends on others and gets their outputs, with a synchronous body.
  ///
  /// Each of them has to succeed: where one fails or is cancelled, this one finishes without running, with
  /// ``OperationError/dependencyFailed(on:underlying:)``. Where ``removeDependency(_:)`` takes one of them away before
  /// it has finished, there is nothing to hand to the body, and the operation fails with ``OperationError/notReady``.
  ///
  /// - Parameters:
  ///   - first: An operation that this one depends on.
  ///   - others: More of them.
  ///   - name: What the operation is called in messages.
  ///   - queuePriority: Its place among the ready operations of a queue.
  ///   - taskPriority: The priority of its task; the queue's where that is higher.
  ///   - executor: Where the body runs, as in ``init(name:queuePriority:taskPriority:executor:file:line:main:)``.
  ///   - file: Where the operation is made, for messages about it if it has no name.
  ///   - line: The line of the file.
  ///   - main: The body, which gets the outputs in the order in which the operations were given.
  public init<First: Sendable, each Other: Sendable>(
    after first: AsyncOperation<First>,
    _ others: repeat AsyncOperation<each Other>,
    name: String? = nil,
    queuePriority: QueuePriority = .normal,
    taskPriority: TaskPriority? = nil,
    executor: (any TaskExecutor)? = nil,
    file: StaticString = #fileID,
    line: UInt = #line,
    main: @escaping @Sendable (First, repeat each Other) throws -> Output
  ) {
    let firstSource = OutputSource(first)
    let otherSources = (repeat OutputSource(each others))
    self.init(
      .main { try main(firstSource.output, repeat (each otherSources).output) }, isAsynchronous: false,
      name: name,
      queuePriority: queuePriority, taskPriority: taskPriority?.rawValue, executor: executor,
      madeAt: CreationSite(file: file, line: line))
    dependOnSuccess(of: first)
    repeat dependOnSuccess(of: each others)
  }

  /// Makes an operation that depends on others and gets their outputs, with an asynchronous body.
  ///
  /// Everything else is as in ``init(after:_:name:queuePriority:taskPriority:executor:file:line:main:)``.
  public init<First: Sendable, each Other: Sendable>(
    after first: AsyncOperation<First>,
    _ others: repeat AsyncOperation<each Other>,
    name: String? = nil,
    queuePriority: QueuePriority = .normal,
    taskPriority: TaskPriority? = nil,
    executor: (any TaskExecutor)? = nil,
    file: StaticString = #fileID,
    line: UInt = #line,
    start: @escaping @Sendable @concurrent (First, repeat each Other) async throws -> Output
  ) {
    let firstSource = OutputSource(first)
    let otherSources = (repeat OutputSource(each others))
    self.init(
      .start { try await start(firstSource.output, repeat (each otherSources).output) }, isAsynchronous: true,
      name: name,
      queuePriority: queuePriority, taskPriority: taskPriority?.rawValue, executor: executor,
      madeAt: CreationSite(file: file, line: line))
    dependOnSuccess(of: first)
    repeat dependOnSuccess(of: each others)
  }
}

extension AsyncOperation {
  /// Adds a dependency to this operation while it is being made, when nothing can depend on it.
  private nonisolated func dependOnSuccess(of dependency: any OperationProtocol) {
    do {
      try DependencyGraph.add(dependency, to: self, requirement: .success)
    } catch {
      preconditionFailure("a new operation was part of a loop: \(error)")
    }
  }
}
