/// What reaches a queue from outside of its turns.
enum QueueMail: Sendable {
  case operation(QueuedOperation)
  case barrier(QueuedOperation)
  case change(OperationCore, OperationChange)
  /// The task around the queue's scope was cancelled.
  case scopeCancelled
}
