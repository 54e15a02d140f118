/// An operation of a queue that is ready, and needs nothing but a slot: how the queue knows it, and where it comes.
struct ReadyEntry: Equatable, Sendable {
  /// The queue's identifier for the operation.
  let id: Int
  let position: QueuePosition
}
