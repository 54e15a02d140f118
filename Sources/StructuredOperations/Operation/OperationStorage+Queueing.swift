// How an operation comes into a queue and out of it again, and what of it is asked by its place there.
extension OperationStorage {
  /// Puts the operation into a queue, which admits it in a turn of its own.
  ///
  /// - Parameters:
  ///   - isBarrier: Whether it is a barrier, which is not due yet, so that it stands in no line for limits.
  ///   - isQueueObserved: Whether the queue has an observer of events.
  ///   - holdsEvents: Whether observers are told nothing until ``deliverHeldEvents()`` or ``withdraw()`` is called.
  ///   - post: Has the queue take the operation, under the lock, so that it is never seen in a queue that refuses it, and no
  ///     change of it is told to the queue before itself. Returns false where the queue refuses it.
  ///   - posted: Sees to the rest of that outside of the lock, before observers are told: they may take their time.
  @inline(__always)
  func enqueue(
    _ operation: any OperationProtocol,
    in queue: any OwningQueue,
    isBarrier: Bool = false,
    isQueueObserved: Bool = false,
    holdsEvents: Bool = false,
    post: (Machine.Enqueued) -> Bool = { _ in true },
    posted: () -> Void = {}
  ) -> Machine.EnqueueAction {
    var withdrawn: Machine.Withdrawn?
    var news: Machine.News?
    let action = applyUnderLock(&news) { machine -> Machine.EnqueueAction in
      let action = machine.enqueue(Machine.Assignment(operation, in: queue), order: LimitTable.nextOrder) {
        needs, rank in
        isBarrier || !queue.hasFreeSlot ? nil : LimitTable.stand(needs, as: rank, of: queue)
      }
      guard case .enqueued(let enqueued) = action else { return action }
      if isQueueObserved || isEverObserved { observe(&machine, holdsEvents: holdsEvents) }
      if post(enqueued) { return action }
      withdrawn = machine.withdraw()
      return .refused
    }
    if let inLine = withdrawn?.inLine { leave(inLine, queue) }
    guard case .enqueued = action else { return action }
    guard let news else {
      posted()
      return action
    }
    // Marked as delivering, so that it waits for nobody: nothing that is told here is awaited.
    DeliveringThread.perform {
      posted()
      deliver(news.events)
    }
    news.resumeReaders()
    return action
  }

  /// Undoes ``enqueue(_:in:isBarrier:isQueueObserved:holdsEvents:post:posted:)`` before the queue has admitted the operation.
  func withdraw() {
    // What is returned is freed here, where the lock is released.
    let withdrawn = apply { $0.withdraw() }
    if let inLine = withdrawn.inLine { leave(inLine, withdrawn.assignment.queue) }
    if withdrawn.deliversEvents { deliverReleasedEvents() }
  }

  /// Others of the same queue may have stood behind it, in lines that nothing has changed in.
  private func leave(_ inLine: Machine.InLine, _ queue: any OwningQueue) {
    LimitTable.remove(inLine.demand, by: nil).tell()
    queue.concurrencyLimitsChanged()
  }

  /// The queue's identifier for the operation and its readiness; nil if this queue has not admitted it yet, where it
  /// is claimed, or has finished.
  func entryAndReadiness(in queue: any OwningQueue) -> (entry: Int, readiness: OperationReadiness)? {
    let queue = ObjectIdentifier(queue)
    return read { machine in
      guard machine.state.isEnqueued(in: queue), let entry = machine.state.entryIfEnqueued else { return nil }
      return (entry, machine.readiness)
    }
  }

  /// The queue's identifier for the operation; nil if this queue has not admitted it yet, or has it no more.
  func entry(in queue: any OwningQueue) -> Int? {
    read { machine in
      guard let assignment = machine.assignment, assignment.queue === queue else { return nil }
      return assignment.entry
    }
  }

  /// Whether the operation is in no queue and nobody has started it.
  var isIdle: Bool { read { if case .idle = $0.state { true } else { false } } }

  /// Where the operation stands among those of its queue.
  var rankedPriority: QueuePriority { read { $0.rankedPriority } }

  /// The name of the queue that the operation is in.
  var queueName: String? { read { $0.assignment?.queue }?.name }

  /// The operation, while it is in a queue.
  var enqueuedOperation: (any OperationProtocol)? { read { $0.state.operationInQueue } }
}
