/// What an operation knows of the queue that it is in.
protocol OperationHost: AnyObject, Sendable {
  /// Where everything of the queue runs; nil where each body says so itself.
  nonisolated var executor: (any TaskExecutor)? { get }

  /// Something that matters to the queue has changed; called from any thread, outside of locks.
  ///
  /// The queue reads how the operation stands when it gets to it, so no change is lost where several come at once.
  nonisolated func operationChanged(_ core: OperationCore, _ change: OperationChange)
}

/// What has changed about an operation that waits in a queue.
enum OperationChange: Sendable {
  /// It became ready, or has to leave.
  case standing
  /// It goes to the end of another level.
  case priority(QueuePriority)
}
