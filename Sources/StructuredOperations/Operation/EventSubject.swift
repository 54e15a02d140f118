/// What the events of an operation name: it, and the queue that it is in.
///
/// An object of the operation's own: whoever hands an event on holds this one, and neither the queue nor its observer, which several
/// threads would hold and release at once, each of them taking the count from the other one's cache. It is made when the operation is
/// added; outside of queues for each batch, since it would keep an operation that never runs.
final class EventSubject: Sendable {
  let operation: any OperationProtocol
  /// Nil where it is in none.
  let queue: (any OwningQueue)?

  init(_ operation: any OperationProtocol, in queue: (any OwningQueue)?) {
    self.operation = operation
    self.queue = queue
  }
}
