@testable import StructuredOperations

// Brings an operation to a state step by step, without any body being run. Whoever does so finishes the operation.
extension AsyncOperation<Void> {
  nonisolated func enqueue(in queue: any OwningQueue) {
    _ = storage.enqueue(self, in: queue)
  }

  /// Marks the operation as executing in the calling task.
  ///
  /// - Returns: The context of its body.
  nonisolated func begin(in queue: any OwningQueue) throws -> ExecutionContext {
    enqueue(in: queue)
    guard let task = BodyTask.current, case .run(_, let context) = storage.begin(in: task, isPrefetched: true) else {
      throw Unexpected("not begun")
    }
    return context
  }

  /// Finishes the operation, which is executing or not ready, and tells everyone.
  nonisolated func finish() {
    if storage.unclaimedReadiness != nil {
      cancel()
      storage.apply { _ = $0.claim() }
    }
    storage.finishAlone(storage.publishFinish(), as: self)
  }
}

extension ExecutionContext {
  /// A wait of the body, which its queue runs.
  func wait(for subject: BodyWait.Subject, runsAwaited: Bool = false, in queue: (any OwningQueue)?) -> BodyWait {
    ExecutionContext.$queue.withValue(queue) { BodyWait(of: self, for: subject, runsAwaited: runsAwaited) }
  }
}
