/// What an operation keeps for its observers, from the moment at which it has one until they have been told of its end.
struct Observation: InitializableEmpty, Sendable {
  #if os(WASI)
    typealias Waiter = Never
  #else
    typealias Waiter = ThreadParker
  #endif
  typealias Delivery = EventDeliveryStateMachine<OperationEvent, Waiter>

  /// The observer of the operation alone.
  var ownObserver: (any OperationObserver)?
  private(set) var queueObserver: (any OperationObserver)?
  /// The operation, while no queue holds it.
  weak var unassigned: (any OperationProtocol)?
  /// The same and its queue, once it is in one.
  private(set) var assignment: OperationStateMachine.Assignment?
  var told = ToldEventsStateMachine()
  var delivery = Delivery()
  /// What the next event comes from.
  var cause: (any OperationProtocol)?
  /// The wait that the observers were told the beginning of.
  var wait: BodyWait?
  /// When the observers were told that the body begins.
  private(set) var startedAt: ContinuousClock.Instant?

  /// The operation has been put into a queue.
  ///
  /// - Parameter isCancelled: Whether it was cancelled before, which nobody has observed if it has no observer of its own.
  mutating func assigned(
    _ assignment: OperationStateMachine.Assignment,
    observer: (any OperationObserver)?,
    isCancelled: Bool
  ) {
    if ownObserver == nil { told = ToldEventsStateMachine(isCancelled: isCancelled) }
    queueObserver = observer
    self.assignment = assignment
  }

  /// The queue does not take the operation after all, and its observer is told nothing.
  ///
  /// - Returns: What is to be freed outside of the lock.
  mutating func withdrawn() -> [any Sendable] {
    let removed = delivery.removeAll { event in
      switch event.kind {
      case .added, .ready, .blocked: true
      case .started, .waitBegan, .waitEnded, .cancelled, .finished: false
      }
    }
    let released: [(any Sendable)?] = [queueObserver, assignment, cause]
    (queueObserver, assignment, cause) = (nil, nil, nil)
    told.withdrawn()
    return removed + released.compactMap(\.self)
  }

  /// The operation stands differently.
  ///
  /// - Parameter root: The root of the failure, where it has finished without running because of one.
  /// - Returns: Whether there is something to deliver; whether the caller waits until that is done.
  mutating func changed(
    to stage: ToldEventsStateMachine.Stage,
    root: (any OperationProtocol)?
  ) -> (hasEvents: Bool, isAwaited: Bool) {
    let wasStarted = told.isStarted
    let kinds = told.changed(to: stage)
    for kind in kinds { happened(kind, kind == .finished && !wasStarted ? root : cause.take()) }
    return (!kinds.isEmpty, kinds.contains { $0 == .started || $0 == .finished })
  }

  mutating func happened(_ kind: OperationEvent.Kind, _ cause: (any OperationProtocol)?) {
    if kind == .started { startedAt = .now }
    guard let operation = assignment?.operation ?? unassigned else { return }
    delivery.happened(
      OperationEvent(kind: kind, operation: operation, owningQueue: assignment?.queue, cause: cause))
  }

  /// Those who are told of each event, in this order.
  var observers: [any OperationObserver] { [ownObserver, queueObserver].compactMap(\.self) }
}
