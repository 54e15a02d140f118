extension AsyncOperationQueue {
  /// Adds an operation whose body runs on the main actor.
  ///
  /// ```swift
  /// await queue.addOnMainActor { label.text = "done" }
  /// ```
  ///
  /// The parameters are those of ``AsyncOperation/onMainActor(name:queuePriority:taskPriority:observer:file:line:_:)``. The closure is
  /// on the main actor also where the queue has an executor. Does not suspend. If the queue takes no more, the
  /// operation fails with ``OperationError/queueClosed``.
  @discardableResult
  public nonisolated(nonsending) func addOnMainActor<Output: Sendable>(
    name: String? = nil,
    queuePriority: QueuePriority = .normal,
    taskPriority: TaskPriority? = nil,
    limits: [ConcurrencyLimit] = [],
    file: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping @MainActor @Sendable () async throws -> Output
  ) async -> AsyncOperation<Output> {
    addOrRefuse(
      .onMainActor(
        name: name, queuePriority: queuePriority, taskPriority: taskPriority, file: file, line: line, body),
      limits)
  }

  /// Adds an operation whose body runs on the main actor, from synchronous code.
  ///
  /// Everything else is as in the asynchronous form.
  @discardableResult
  public nonisolated func addOnMainActor<Output: Sendable>(
    name: String? = nil,
    queuePriority: QueuePriority = .normal,
    taskPriority: TaskPriority? = nil,
    limits: [ConcurrencyLimit] = [],
    file: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping @MainActor @Sendable () async throws -> Output
  ) -> AsyncOperation<Output> {
    addOrRefuse(
      .onMainActor(
        name: name, queuePriority: queuePriority, taskPriority: taskPriority, file: file, line: line, body),
      limits)
  }
}
