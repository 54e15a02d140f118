/// What an operation knows of the queue that it is in.
protocol OperationHost: AnyObject, Sendable {
  /// The raw value of the least priority of its operations' tasks; 0 where it has none.
  nonisolated var rawTaskPriority: UInt8 { get }

  /// Where everything of the queue runs; nil where each body says so itself.
  nonisolated var executor: (any TaskExecutor)? { get }

  /// Something that matters to the queue has changed; called from any thread, outside of locks.
  ///
  /// The queue reads how the operation stands when it gets to it, so no change is lost where several come at once.
  nonisolated func operationChanged(_ core: OperationCore, _ change: OperationChange)

  /// A body's own task begins to wait: others may have its slot, unless the wait is over already.
  func lendSlot(for wait: BodyWait) async

  /// The wait is over, and the body goes on as soon as it has a slot again; called from any thread, outside of locks.
  nonisolated func bodyReturns(_ wait: BodyWait)

  /// The body that waits for the end of the queue's scope would wait for ever; called from any thread, outside of locks.
  nonisolated func scopeNeverEnds()

  /// The graph has got edges since the queue found that nothing of its can go on; called from any thread, outside of
  /// locks.
  nonisolated func graphChanged()
}

/// What has changed about an operation that waits in a queue, which asks how it stands when it gets to it.
enum OperationChange: Sendable {
  /// It became ready, or has to leave.
  case standing
  /// It goes to the end of another level.
  case priority
  /// A task of higher priority awaits it.
  case donation
}
