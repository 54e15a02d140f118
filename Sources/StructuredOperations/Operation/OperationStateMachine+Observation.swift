// What those are told who observe the operation: readers of its states, and observers of events.
extension OperationStateMachine {
  /// What is to be told once the lock is released.
  struct News: ~Copyable, Sendable {
    /// Those who read the states.
    var readers: [ChangeChannel<OperationSnapshot>.Reader] = []
    var events = EventObservation.EventAction.nothing
  }

  /// What readers of the states have seen so far; nil where there are none.
  var snapshotForReaders: OperationSnapshot? { connections.exists && hasReaders ? observedSnapshot : nil }

  private var hasReaders: Bool {
    @inline(never) get { connections.read { $0.rare.read { !$0.readerList.isEmpty } ?? false } ?? false }
  }

  /// Whether anybody observes the operation.
  var isObserved: Bool { connections.exists && hasObservers }

  private var hasObservers: Bool {
    @inline(never) get {
      connections.read { $0.observation.exists || $0.rare.read { !$0.readerList.isEmpty } ?? false } ?? false
    }
  }

  /// Whether somebody observes its events.
  var hasEventObservers: Bool { connections.read { $0.observation.exists } ?? false }

  /// The operation may have changed.
  ///
  /// - Parameter before: What readers have seen.
  /// - Returns: Nil if there is nothing to tell.
  @inline(never)
  mutating func changed(since before: OperationSnapshot?) -> News? {
    let readers = offerChange(since: before)
    let stage = stage
    // Where it is not told it is freed here, under the lock: the outcome holds it still.
    let root = stage.isFinished && hasEventObservers ? state.failureRoot : nil
    let events = changeObservation { $0.changed(to: stage, root: root) } ?? .nothing
    return events.isNothing && readers.isEmpty ? nil : News(readers: readers, events: events)
  }

  /// Offers the snapshot to the readers, where it has changed.
  private mutating func offerChange(since before: OperationSnapshot?) -> [ChangeChannel<OperationSnapshot>.Reader] {
    guard hasReaders, let after = observedSnapshot, after != before else { return [] }
    return connections.changeIfPresent { connections in
      connections.rare.changeIfPresent { $0.readerList.offer(after, isLast: after.isFinished) }
    }?.flatMap(\.self) ?? []
  }

  // MARK: Events

  /// Changes what is kept for the observers of events; nil where there are none.
  mutating func changeObservation<Result: ~Copyable>(_ change: (inout EventObservation) -> Result) -> Result? {
    guard hasEventObservers else { return nil }
    return connections.change { $0.observation.change(change) }
  }

  /// The operation, while its observers are told of its end.
  var endingOperation: (any OperationProtocol)? {
    guard case .finishing = state else { return nil }
    return connections.read { $0.observation.read(\.operation) ?? nil } ?? nil
  }

  /// When the observers were told that the body begins; nil if there are none.
  var startedAt: ContinuousClock.Instant? {
    connections.read { $0.observation.read { $0.startedAt } ?? nil } ?? nil
  }

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
    case deliver(OperationEvent, ObserverPair)
    /// - released: What is to be freed outside of the lock: all of it, once the end has been told.
    case end(waiters: [EventObservation.Waiter], released: OnDemand<EventObservation>)
  }

  mutating func nextEvent() -> NextEventAction {
    connections.changeIfPresent { connections -> NextEventAction in
      switch connections.observation.change({ $0.next() }) {
      case .deliver(let event, let observers): .deliver(event, observers)
      case .end(let waiters, let isLast):
        .end(waiters: waiters, released: isLast ? connections.observation.take() : OnDemand())
      }
    } ?? .end(waiters: [], released: OnDemand())
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
