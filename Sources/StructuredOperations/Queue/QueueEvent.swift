/// An input of a queue, applied by ``QueueState/apply(_:_:)`` in a turn of the queue.
///
/// Those that come from outside of the actor wait in the ``QueueMailbox`` for the next turn.
enum QueueEvent: Sendable {
  // MARK: Operations

  case added(OperationStorage)
  /// Several operations, which one turn admits together.
  case severalAdded([OperationStorage])
  /// An operation whose body runs in a caller's task, which waits for the answer.
  case callAdded(OperationStorage, OneShot<CallAnswer>)
  /// - caller: Who waits for the answer, where the body runs in a caller's task.
  case barrierAdded(OperationStorage, caller: OneShot<CallAnswer>?)
  case changed(OperationStorage, OperationChange)
  /// A worker has not begun with an operation that was chosen ahead, since that is not ready any more or
  /// stands in line for its limits.
  case notBegun(Int, OperationStorage, OperationReadiness)
  /// An operation is published as finished.
  ///
  /// - followUps: The operation, where there may be follow-ups to take.
  case finished(Int, followUps: (any OperationProtocol)?, OutcomeKind)
  /// A completion block was set after the end of its operation.
  ///
  /// Indirect, since events wait in memory and most are smaller.
  indirect case completionBlockAdded(CompletionBlock.Call)
  case completionBlockEnded(QueueState.BlockID)
  case allCancelled
  /// The call that waits for an operation would have waited for ever: it is cancelled, and a barrier does not keep its place.
  case callWithdrawn(OperationStorage)

  // MARK: Waits of bodies

  /// An executing body waits, and its slot is free for others.
  case slotReleased(BodyWait)
  /// A wait is over whose body has released its slot.
  case slotRequested(BodyWait)
  /// A body waits for everything in the queue.
  case wholeQueueWaitBegan(BodyWait)
  /// Something outside of the queue may unblock it since a stall analysis found nothing: it has to look again.
  case graphChanged

  /// An operation may have all of its concurrency limits now.
  case concurrencyLimitsChanged

  // MARK: Settings

  case widthChanged(Int)
  /// Indirect, as above.
  indirect case startRateChanged(OperationStartRate?)
  case suspended
  /// Suspended for a time, which is more than zero.
  case suspendedFor(Duration)
  case resumed

  // MARK: Time

  /// A timer has gone off.
  case timerEnded(Int)
  /// An operation that was chosen, and counted by the start rate at that time, has not begun after all.
  case leftUnrun(Duration)

  // MARK: The scope

  /// The closure of the queue's scope has ended.
  case scopeEnded(isCancelled: Bool)
  /// The task around the queue's scope was cancelled.
  case scopeCancelled
  /// The end of the queue's scope would never come, since what is left waits for the body that waits for it.
  case scopeNeverEnds
}

extension QueueEvent {
  /// The operation that it moves to the end of a level.
  var movedOperation: ObjectIdentifier? {
    if case .changed(let storage, .priority) = self { ObjectIdentifier(storage) } else { nil }
  }

  /// Whether it brings operations or a barrier into the queue.
  var isAddition: Bool {
    var scheduler = QueueScheduler<OperationStorage>(maxConcurrentOperationCount: 0, defaultWidth: 0)
    list(in: &scheduler)
    return !scheduler.isEmpty
  }

  /// Adds the operations and barriers of the event to a scheduler, which is only to be asked for their order.
  func list(in scheduler: inout QueueScheduler<OperationStorage>) {
    switch self {
    case .added(let storage), .callAdded(let storage, _):
      scheduler.add(storage, priority: .normal, readiness: .blocked)
    case .severalAdded(let storages):
      for storage in storages { scheduler.add(storage, priority: .normal, readiness: .blocked) }
    case .barrierAdded(let storage, _): scheduler.addBarrier(storage, readiness: .blocked)
    case .changed, .notBegun, .finished, .completionBlockAdded, .completionBlockEnded, .allCancelled, .callWithdrawn,
      .slotReleased, .slotRequested, .wholeQueueWaitBegan, .graphChanged, .concurrencyLimitsChanged, .widthChanged,
      .startRateChanged, .suspended, .suspendedFor, .resumed, .timerEnded, .leftUnrun, .scopeEnded, .scopeCancelled,
      .scopeNeverEnds:
      break
    }
  }
}

/// An operation that a queue has given to a worker, or to a caller of `run` or `runBarrier`.
struct WorkItem: Sendable {
  /// The queue's identifier for the operation.
  let id: Int
  let storage: OperationStorage
  /// Whether it was chosen ahead, so that it is claimed only when the worker begins with it.
  var isPrefetched = false
  /// Whether its queue has taken its concurrency limits for it, since it was in line for them.
  var hasTaken = false
  /// When a start rate counts it as begun; nil where none does.
  var startTime: Duration?
}

/// What the caller of `run` or `runBarrier` is told.
enum CallAnswer: Sendable {
  case run(WorkItem)
  /// The operation has finished without running, or will: a barrier that was cancelled.
  case skipped
}
