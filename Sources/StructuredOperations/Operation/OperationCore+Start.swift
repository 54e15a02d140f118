extension OperationCore {
  /// Runs the operation without a queue: see ``AsyncOperation/start()``.
  func start(as operation: any OperationProtocol) async throws {
    switch change({ $0.lifecycle.start() }) {
    case .doNothing: return
    case .notReady: throw OperationError.notReady
    case .alreadyEnqueued: throw OperationError.alreadyEnqueued
    case .alreadyExecuting: throw OperationError.alreadyExecuting
    case .conclude: finishAlone(conclude(nil))
    case .run:
      // The body of another operation that does this waits for the end like any that awaits it.
      let beginning = await BodyWait.begin(for: [operation])
      await withTaskCancellationHandler {
        // A child task, since cancelling the operation cancels the task of its body, and not the caller's.
        let priority = taskPriority == 0 ? nil : TaskPriority(rawValue: taskPriority)
        let end = await withTaskGroup { group in
          group.addTask(executorPreference: executor ?? defaultExecutor, priority: priority) {
            await ExecutionContext.$host.withValue(nil) { await self.run(as: operation) }
          }
          return await group.next()
        }
        guard let end else { preconditionFailure("a child task got lost") }
        finishAlone(end)
      } onCancel: {
        cancel()
      }
      if case .begun(let wait) = beginning { _ = await wait.untilGoingOn() }
    }
  }

  /// Ends an operation that nobody else knows, since its queue takes no more.
  func refuse() {
    finishAlone(conclude(.error(OperationError.queueClosed)))
  }

  /// Ends an operation that is in no queue.
  private func finishAlone(_ end: End) {
    for notice in end.tellDependents() { notice.deliver() }
    if let block = end.completionBlock { runUnstructured(block) }
    for wait in end.waits where wait.finishedOne() { wait.goOnWithSlot() }
    settle()
  }

  /// Runs a completion block where there is no queue to run it: unstructured, since the caller goes on meanwhile.
  ///
  /// It runs on the operation's executor or, where that has none, on that of the queue that it was in.
  func runUnstructured(_ block: @escaping CompletionBlock) {
    Task(executorPreference: executor ?? read { $0.queueExecutor }) { await block() }
  }
}
