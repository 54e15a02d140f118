extension OperationCore {
  /// Runs the operation without a queue: see ``AsyncOperation/start()``.
  func start(as operation: any OperationProtocol) async throws {
    switch change({ $0.lifecycle.start() }) {
    case .doNothing: return
    case .notReady: throw OperationError.notReady
    case .alreadyEnqueued: throw OperationError.alreadyEnqueued
    case .alreadyExecuting: throw OperationError.alreadyExecuting
    case .conclude: finishAlone(nil)
    case .run:
      await withTaskCancellationHandler {
        // A child task, since cancelling the operation cancels the task of its body, and not the caller's.
        let result = await withTaskGroup { group in
          group.addTask(executorPreference: executor ?? defaultExecutor, priority: taskPriority) {
            await self.run(as: operation, in: nil, under: nil)
          }
          return await group.next() ?? nil
        }
        finishAlone(result)
      } onCancel: {
        cancel()
      }
    }
  }

  /// Ends an operation that is in no queue.
  private func finishAlone(_ result: Result<any Sendable, any Error>?) {
    let end = conclude(result)
    for dependent in end.dependents {
      dependent.core.dependencyFinished(dependent.key, hasSucceeded: end.hasSucceeded)?.deliver()
    }
    if let block = end.completionBlock { Self.runUnstructured(block) }
    settle()
  }

  /// Runs a completion block where there is no queue to run it: unstructured, since the caller goes on meanwhile.
  static func runUnstructured(_ block: @escaping CompletionBlock) {
    Task { await block() }
  }
}
