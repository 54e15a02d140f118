/// What reaches a queue from outside of its turns.
enum QueueMail: Sendable {
  case operation(OperationCore)
  /// Several operations, added as one batch.
  case operations([OperationCore])
  /// An operation whose body runs in a caller's task.
  case call(OperationCore, RunTicket)
  case barrier(OperationCore)
  case change(OperationCore, OperationChange)
  /// A wait is over whose body has lent its slot.
  case returned(BodyWait)
  /// The graph has got edges since nothing could go on.
  case graphChanged
  /// The end of the queue's scope would never come.
  case scopeGivenUp
  /// The task around the queue's scope was cancelled.
  case scopeCancelled
}
