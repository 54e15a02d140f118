// What those are told who observe the operation: readers of its states, and observers of events.
extension OperationStateMachine {
  /// What is to be told once the lock is released.
  struct News: Sendable {
    /// Those who read the states.
    var readers: [ChangeChannel<OperationSnapshot>.Reader] = []
    /// Whether there are events to deliver.
    var hasEvents = false
    /// Whether the change has an effect only when the events have been delivered.
    var isAwaited = false
  }

  /// Whether anybody observes the operation.
  var isObserved: Bool { connections.exists && hasObservers }

  private var hasObservers: Bool {
    @inline(never) get {
      connections.read { $0.rare.read { !$0.observers.isEmpty || $0.observation.exists } ?? false } ?? false
    }
  }

  /// Whether somebody observes its events.
  var hasEventObservers: Bool { connections.read { $0.rare.read(\.observation.exists) ?? false } ?? false }

  /// What is kept for the observers of events, which exists from the first access on.
  var observation: Observation {
    get { connections.value.rare.value.observation.value }
    _modify { yield &connections.value.rare.value.observation.value }
  }

  /// The operation may have changed.
  ///
  /// - Parameter before: What readers have seen.
  /// - Returns: Nil if there is nothing to tell.
  @inline(never)
  mutating func changed(since before: OperationSnapshot?) -> News? {
    var news = News(readers: offerChange(since: before))
    if hasEventObservers {
      (news.hasEvents, news.isAwaited) = observation.changed(to: stage, root: rootOfFailure)
    }
    return news.readers.isEmpty && !news.hasEvents ? nil : news
  }

  /// Offers the snapshot to the readers, where it has changed.
  private mutating func offerChange(since before: OperationSnapshot?) -> [ChangeChannel<OperationSnapshot>.Reader] {
    guard let after = observedSnapshot, after != before else { return [] }
    return connections.changeIfPresent { connections in
      connections.rare.changeIfPresent { $0.observers.offer(after, isLast: after.isFinished) }
    }?.flatMap(\.self) ?? []
  }

  // MARK: Events

  /// When the observers were told that the body begins; nil if there are none.
  var startedAt: ContinuousClock.Instant? {
    connections.read { $0.rare.read { $0.observation.read(\.startedAt) ?? nil } ?? nil } ?? nil
  }

  /// The body's own task begins to wait, unless what it waits for is over already.
  ///
  /// - Returns: Whether there is an event to deliver.
  mutating func tellWaitBegan(_ wait: BodyWait) -> Bool {
    guard hasEventObservers, !wait.isOver else { return false }
    observation.wait = wait
    observation.happened(.waitBegan, wait.awaitedOperation)
    return true
  }

  /// The body has its slot again, after a wait whose beginning was told.
  ///
  /// - Returns: Whether there is an event to deliver.
  mutating func tellWaitEnded(_ wait: BodyWait) -> Bool {
    guard hasEventObservers, observation.wait === wait else { return false }
    observation.wait = nil
    observation.happened(.waitEnded, nil)
    return true
  }

  /// What the caller of ``nextEvent()`` does.
  enum NextEventAction: Sendable {
    case deliver(OperationEvent, [any OperationObserver])
    /// - released: What is to be freed outside of the lock: all of it, once the end has been told.
    case end(waiters: [Observation.Waiter], released: OnDemand<Observation>)
  }

  mutating func nextEvent() -> NextEventAction {
    switch observation.delivery.next() {
    case .deliver(let event): return .deliver(event, observation.observers)
    case .end(let waiters):
      let released = observation.told.isFinished ? connections.value.rare.value.observation.take() : OnDemand()
      return .end(waiters: waiters, released: released)
    }
  }

  /// How the operation stands, for those who observe its events.
  private var stage: ToldEventsStateMachine.Stage {
    typealias Stage = ToldEventsStateMachine.Stage
    return switch state {
    case .idle: Stage(isCancelled: isCancelled)
    case .enqueued: Stage(isAdded: true, readiness: readiness, isCancelled: isCancelled)
    case .claimed(_, let assignment): Stage(isAdded: assignment != nil, isCancelled: isCancelled)
    case .executing(let execution):
      Stage(isAdded: execution.assignment != nil, isStarted: true, isCancelled: isCancelled)
    case .finishing, .finished: Stage(isCancelled: isCancelled, isFinished: true)
    }
  }

  private var rootOfFailure: (any OperationProtocol)? {
    guard case .failure(OperationError.dependencyFailed(let root, _)) = outcome else { return nil }
    return root
  }
}
