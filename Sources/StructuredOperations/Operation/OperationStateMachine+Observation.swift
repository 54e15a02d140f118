// What those are told who observe the operation: readers of its states, and observers of events.
extension OperationStateMachine {
  /// What is to be told once the lock is released.
  struct News: ~Copyable, Sendable {
    /// Those who read the states.
    var readers: [ChangeChannel<OperationSnapshot>.Reader] = []
    var events = EventObservation.EventAction.nothing

    func resumeReaders() { for reader in readers { reader.resume() } }
  }

  /// What readers of the states have seen so far; nil where there are none.
  var snapshotForReaders: OperationSnapshot? { hasReaders ? observedSnapshot : nil }

  /// Whether anybody observes the operation.
  var isObserved: Bool { observation.exists || hasReaders }

  private var hasReaders: Bool { connections.exists && hasReadersInConnections }

  private var hasReadersInConnections: Bool {
    @inline(never) get { connections.read { $0.rare.read { !$0.readerList.isEmpty } ?? false } ?? false }
  }

  /// The operation may have changed.
  ///
  /// - Parameter before: What readers have seen.
  /// - Returns: Nil if there is nothing to tell.
  @inline(never)
  mutating func changed(since before: OperationSnapshot?) -> News? {
    let readers = hasReaders ? offerChange(since: before) : []
    let stage = stage
    // Where it is not told it is freed here, under the lock: the outcome holds it still.
    let root = stage.isFinished && observation.exists ? state.failureRoot : nil
    let events = changeObservation { $0.changed(to: stage, root: root) } ?? .nothing
    return events.isNothing && readers.isEmpty ? nil : News(readers: readers, events: events)
  }

  /// Offers the snapshot to the readers, where it has changed.
  private mutating func offerChange(since before: OperationSnapshot?) -> [ChangeChannel<OperationSnapshot>.Reader] {
    guard let after = observedSnapshot, after != before else { return [] }
    return connections.changeIfPresent { connections in
      connections.rare.changeIfPresent { $0.readerList.offer(after, isLast: after.isFinished) }
    }?.flatMap(\.self) ?? []
  }

  // MARK: Events

  /// Changes what is kept for the observers of events; nil where there are none.
  mutating func changeObservation<Result: ~Copyable>(_ change: (inout EventObservation) -> Result) -> Result? {
    guard observation.exists else { return nil }
    return observation.change(change)
  }

  /// The operation, while its observers are told of its end.
  var endingOperation: (any OperationProtocol)? {
    guard case .finishing = state else { return nil }
    return observation.read(\.operation) ?? nil
  }

  /// The queue everything in which the body waits for, as the observers were told last.
  var awaitedQueue: (any OwningQueue)? { observation.read(\.awaitedQueue) ?? nil }

  /// When the observers were told that the body begins; nil if there are none.
  var startedAt: ContinuousClock.Instant? { observation.read { $0.startedAt } ?? nil }

  /// The body's own task begins to wait, unless what it waits for is over already.
  mutating func tellWaitBegan(_ wait: BodyWait) -> EventObservation.EventAction {
    wait.isOver ? .nothing : changeObservation { $0.waitBegan(wait) } ?? .nothing
  }

  /// The body has its slot again, after a wait whose beginning was told.
  mutating func tellWaitEnded(_ wait: BodyWait) -> EventObservation.EventAction {
    changeObservation { $0.waitEnded(wait) } ?? .nothing
  }

  /// What the caller of ``nextEvent()`` does.
  enum NextEventAction: Sendable {
    case deliver(OperationEvent, EventAudience)
    /// - released: What is to be freed outside of the lock: all of it, once the end has been told.
    case end(waiters: [EventObservation.Waiter], released: OnDemand<EventObservation>)
  }

  mutating func nextEvent() -> NextEventAction {
    guard let next = changeObservation({ $0.next() }) else { return .end(waiters: [], released: OnDemand()) }
    switch next {
    case .deliver(let event, let audience): return .deliver(event, audience)
    case .end(let waiters, let isLast):
      return .end(waiters: waiters, released: isLast ? observation.take() : OnDemand())
    }
  }

  /// How the operation stands, for those who observe its events.
  private var stage: ToldEventsStateMachine.Stage {
    typealias Stage = ToldEventsStateMachine.Stage
    return switch state {
    case .idle: Stage(isCancelled: isCancelled)
    case .enqueued: Stage(isAdded: true, readiness: readiness, isCancelled: isCancelled)
    // Where it is in a queue, the input that put it there has told so.
    case .claimed: Stage(isCancelled: isCancelled)
    case .executing: Stage(isStarted: true, isCancelled: isCancelled)
    case .finishing, .finished: Stage(isCancelled: isCancelled, isFinished: true)
    }
  }
}

extension OperationStateMachine.State {
  /// The root of the failure that the outcome names: that of a dependency, also where the body has thrown it on.
  fileprivate var failureRoot: (any OperationProtocol)? {
    borrowing get {
      switch self {
      case .finishing(let end): end.failureRoot
      case .finished(let end): end.failureRoot
      case .idle, .enqueued, .claimed, .executing: nil
      }
    }
  }
}

extension OperationStateMachine.End {
  fileprivate var failureRoot: (any OperationProtocol)? {
    guard case .failure(OperationError.dependencyFailed(let root, _)) = outcome else { return nil }
    return root
  }
}
