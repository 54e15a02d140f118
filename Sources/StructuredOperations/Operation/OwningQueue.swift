/// Who gives an executing operation what it lends while its body waits: a queue gives a slot.
protocol SlotOwner: AnyObject, Sendable {
  /// A body's own task begins to wait: it releases its slot to others, unless the wait is over already.
  func releaseSlot(for wait: BodyWait) async

  /// The wait is over, and the body continues as soon as it has a slot again; called from any thread, outside of locks.
  nonisolated func reacquireSlot(for wait: BodyWait)
}

/// What an operation knows of the queue that it is in.
protocol OwningQueue: SlotOwner, LimitOwner {
  nonisolated var name: String { get }

  /// The raw value of the least priority of its operations' tasks; 0 where it has none.
  nonisolated var rawTaskPriority: UInt8 { get }

  /// Where everything of the queue runs; nil if each body says so itself.
  nonisolated var executor: (any TaskExecutor)? { get }

  /// Whether the last turn has left a slot free, so that another turn comes for what is added.
  nonisolated var hasFreeSlot: Bool { get }

  /// Whether a barrier of the queue has not finished.
  nonisolated var hasBarriers: Bool { get }

  /// What runs completion blocks of operations that have left the queue.
  nonisolated var completionBlockRunner: any CompletionBlockRunner { get }

  /// Tells the observer of the queue, if there is one, what has happened to an operation; called from any thread, outside of locks.
  nonisolated func observe(_ event: OperationEvent)

  /// An operation of the queue is published as failed; called under its lock, so that whatever fails by that comes later.
  ///
  /// - Parameter error: As it is kept.
  nonisolated func operationFailed(_ error: any Error)

  /// The call of `run` or `runBarrier` that waits for an operation would have waited for ever: the operation is to be cancelled, and a
  /// barrier not to keep its place; called from any thread, outside of locks.
  nonisolated func callWithdrawn(_ storage: OperationStorage)

  /// Something that matters to the queue has changed; called from any thread, outside of locks.
  ///
  /// The queue reads how the operation stands when it applies the event, so no change is lost where several coincide.
  nonisolated func operationChanged(_ storage: OperationStorage, _ change: OperationChange)

  /// The body that waits for the end of the queue's scope would wait for ever; called from any thread, outside of locks.
  nonisolated func scopeNeverEnds()

  /// The queue may be unblocked by something outside of it since a stall analysis found nothing, and has to look again; called from any
  /// thread, outside of locks.
  nonisolated func graphChanged()
}

/// What an operation knows of the queue that it was in, once it has finished: what runs completion blocks, and does not
/// keep the queue.
protocol CompletionBlockRunner: AnyObject, Sendable {
  /// Where everything of the queue runs; nil if each body says so itself.
  var executor: (any TaskExecutor)? { get }

  /// Runs a completion block that was set after the end of its operation; called from any thread, outside of locks.
  ///
  /// - Returns: Whether the queue runs it; false if nothing of the queue runs any more.
  func run(_ call: CompletionBlock.Call) -> Bool
}

/// What has changed about an operation in a queue.
enum OperationChange: Sendable {
  case readiness
  /// It moves to the end of another level: somebody has set its priority, or a task of high priority awaits it.
  case priority
  /// It needs more limits than before.
  case limits
}
