extension OperationExplanation {
  /// Something that keeps an operation from finishing.
  public enum Reason: Sendable {
    /// It depends on an operation that has not finished.
    case dependency(any OperationProtocol)
    /// It is in no queue, and nobody has started it.
    case notAdded
    /// Its queue is suspended.
    case suspended(AsyncOperationQueue)
    /// The limit of its queue is 0.
    case limitIsZero(AsyncOperationQueue)
    /// All slots of its queue are taken.
    ///
    /// `place` is its number in line, from 1 on; bodies that return from a wait come first. What lacks a concurrency limit counts, though
    /// others go ahead of it if that is so when a slot is free. The holders have the slots.
    case noSlot(AsyncOperationQueue, place: Int, holders: [any OperationProtocol])
    /// It comes after a barrier that has not finished. Where the barrier depends on it, it will pass that, once what is ahead has finished.
    case behindBarrier(any OperationProtocol)
    /// It is a barrier, and these come before it; where there is another barrier before them, that is a reason of its own.
    case operationsAhead([any OperationProtocol])
    /// A concurrency limit has no room for it.
    ///
    /// The holders have the limit or, where there is room, are ahead in line for it. None where the count is too low for
    /// the operation, and where they had finished when their queues were asked, or had begun to lend it.
    case concurrencyLimit(ConcurrencyLimit, holders: [any OperationProtocol])
    /// The start rate of its queue lets nothing begin for that long, and then the first in line.
    case startRate(AsyncOperationQueue, Duration)
    /// It has what it needs, and its task has not begun with the body yet.
    case beginning
    /// Its body runs, and has not returned, or it has finished, and its observers are being told, which its queue and its
    /// dependents wait for. The moment at which it began is nil where nothing observes the operation, or it has not run.
    case executing(since: ContinuousClock.Instant?)
    /// Its body waits for operations; where that is not the body's own task, the slot is lent by ``withLentSlot(_:)`` alone. A task that the
    /// body has started by `Task { }` counts like its child tasks, which cannot be told apart, though the body may end before it.
    case waiting(for: [any OperationProtocol], isSlotLent: Bool)
    /// Its body waits for all that is in a queue: for its operations, or for the end of its scope.
    case waitingForQueue(AsyncOperationQueue, isSlotLent: Bool)
    /// Its body has waited, and needs a slot of its queue again, which others hold.
    case returning(AsyncOperationQueue, holders: [any OperationProtocol])
    /// Its body has returned, and its completion has not been called.
    case callback
    /// It will leave its queue without running: it was cancelled, or a dependency did not succeed.
    case leaving
  }
}
