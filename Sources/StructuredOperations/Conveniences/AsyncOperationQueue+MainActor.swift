extension AsyncOperationQueue {
  /// Adds an operation whose body runs on the main actor.
  ///
  /// ```swift
  /// await queue.addOnMainActor { label.text = "done" }
  /// ```
  ///
  /// It is added as ``AsyncOperation/onMainActor(name:queuePriority:taskPriority:observer:file:line:_:)`` makes it. The
  /// closure is on the main actor also where the queue has an executor. Does not suspend. If the queue takes no more, the
  /// operation fails with ``OperationError/queueClosed``.
  ///
  /// - Parameters:
  ///   - name: What the operation is called in messages.
  ///   - queuePriority: Its place among the ready operations of a queue.
  ///   - taskPriority: The priority of its task; the queue's where that is higher.
  ///   - limits: The concurrency limits that it needs, at a cost of 1 each.
  ///   - file: Where the operation is made, for messages about it if it has no name.
  ///   - line: The line of the file.
  ///   - body: The body. It is called once, should not block, and is freed when the operation finishes.
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
  ///
  /// - Parameters:
  ///   - name: What the operation is called in messages.
  ///   - queuePriority: Its place among the ready operations of a queue.
  ///   - taskPriority: The priority of its task; the queue's where that is higher.
  ///   - limits: The concurrency limits that it needs, at a cost of 1 each.
  ///   - file: Where the operation is made, for messages about it if it has no name.
  ///   - line: The line of the file.
  ///   - body: The body. It is called once, should not block, and is freed when the operation finishes.
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
