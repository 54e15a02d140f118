extension AsyncOperation {
  /// Makes an operation whose body runs on the main actor.
  ///
  /// ```swift
  /// let show = AsyncOperation.onMainActor(name: "show") {
  ///   model.pages.append(page)
  /// }
  /// ```
  ///
  /// The closure may be synchronous or asynchronous. It reaches what belongs to the main actor without `await`, and is on the
  /// main actor again after each of its own. While it suspends the main actor is free for others; what it awaits runs
  /// where that belongs, and not on the main actor. The operation takes a slot of its queue as any other, from the moment
  /// it is chosen, also while it waits for the main actor. That is the difference to ``AsyncOperationQueue/main``, whose
  /// operations run one at a time, but for those that have lent their slots.
  ///
  /// - Parameters:
  ///   - name: What the operation is called in messages.
  ///   - queuePriority: Its place among the ready operations of a queue.
  ///   - taskPriority: The priority of its task; the queue's where that is higher.
  ///   - observer: Is told of all that happens to the operation.
  ///   - file: Where the operation is made, for messages about it if it has no name.
  ///   - line: The line of the file.
  ///   - body: The body. It is called once, should not block, and is freed when the operation finishes.
  public static func onMainActor(
    name: String? = nil,
    queuePriority: QueuePriority = .normal,
    taskPriority: TaskPriority? = nil,
    observer: (any OperationObserver)? = nil,
    file: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping @MainActor @Sendable () async throws -> Output
  ) -> AsyncOperation {
    AsyncOperation(
      .start(body), isAsynchronous: true, name: name, queuePriority: queuePriority,
      taskPriority: TaskPriority.raw(taskPriority), executor: nil,
      observer: .to(observer),
      madeAt: CreationSite(file: file, line: line))
  }
}
