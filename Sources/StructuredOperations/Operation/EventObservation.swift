/// What an operation keeps for its observers, from the moment at which it has one until they have been told of its end.
struct EventObservation: InitializableEmpty, Sendable {
  #if os(WASI)
    typealias Waiter = Never
  #else
    typealias Waiter = ThreadParker
  #endif
  typealias Delivery = EventDeliveryStateMachine<OperationEvent, Waiter>

  /// The observer of the operation alone.
  private var own: OperationObserverReference?
  /// The operation, while no queue holds it.
  private weak var unassigned: (any OperationProtocol)?
  /// What events name, once the operation is in a queue.
  private var subject: EventSubject?
  private var told = ToldEventsStateMachine()
  private var delivery = Delivery()
  /// The operation that causes the next event, `added` or `ready`; set in the same step.
  var cause: (any OperationProtocol)?
  /// The wait that the observers were told the beginning of.
  private var wait: BodyWait?
  /// When the observers were told that the body begins.
  private(set) var startedAt: ContinuousClock.Instant?

  /// The operation has been made with an observer of its own.
  mutating func made(_ operation: any OperationProtocol, observer: OperationObserverReference) {
    own = observer
    unassigned = operation
  }

  /// The operation has been put into a queue.
  ///
  /// - Parameters:
  ///   - isCancelled: Whether it was cancelled before, which nobody has observed if it has no observer of its own.
  ///   - isHeld: Whether nothing is delivered until ``release()`` is called.
  mutating func assigned(
    _ assignment: OperationStateMachine.Assignment,
    by cause: (any OperationProtocol)?,
    isCancelled: Bool,
    isHeld: Bool
  ) {
    if own == nil { told = ToldEventsStateMachine(isCancelled: isCancelled) }
    subject = EventSubject(assignment.operation, in: assignment.queue)
    self.cause = cause
    if isHeld { delivery.hold() }
  }

  /// The queue does not take the operation after all, and its observer is told nothing.
  ///
  /// In the same step nothing is held back any more: from now on another queue may hold events of its own.
  ///
  /// - Returns: What is to be freed outside of the lock, and whether the caller delivers what was held back.
  mutating func withdrawn() -> (released: [any Sendable], delivers: Bool) {
    let hasOwn = own != nil
    let removed = delivery.removeAll { event in
      switch event.kind {
      case .added, .ready, .blocked: true
      case .cancelled: !hasOwn
      case .started, .waitBegan, .waitEnded, .finished: false
      }
    }
    let released: [(any Sendable)?] = [subject, cause]
    (subject, cause) = (nil, nil)
    told.withdrawn()
    return (removed + released.compactMap(\.self), delivery.release())
  }

  // MARK: Events

  /// What the caller of ``changed(to:root:)`` does next.
  enum EventAction: ~Copyable, Sendable {
    case nothing
    /// It delivers these, and then what else has come up.
    case deliver(EventBatch)
    /// Another thread delivers them.
    case leave(isAwaited: Bool)

    var isNothing: Bool {
      switch self {
      case .nothing: true
      case .deliver: false
      case .leave: false
      }
    }
  }

  /// The operation stands differently.
  ///
  /// - Parameter root: The root of the failure that it has finished with; told where it has not run.
  mutating func changed(
    to stage: ToldEventsStateMachine.Stage,
    root: (any OperationProtocol)?
  ) -> EventAction {
    let wasStarted = told.isStarted
    let kinds = told.changed(to: stage)
    if kinds.isEmpty { return .nothing }
    if kinds.contains(.started) { startedAt = .now }
    return tell(kinds, kinds.contains(.finished) && !wasStarted ? root : cause.take())
  }

  /// The body's own task begins to wait.
  mutating func waitBegan(_ wait: BodyWait) -> EventAction {
    self.wait = wait
    return tell([.waitBegan], wait.awaitedOperation)
  }

  /// The body has its slot again.
  mutating func waitEnded(_ wait: BodyWait) -> EventAction {
    guard self.wait === wait else { return .nothing }
    self.wait = nil
    return tell([.waitEnded], nil)
  }

  /// Of the wait that the observers were told the beginning of: the queue, if everything in one is waited for.
  var awaitedQueue: (any OwningQueue)? { wait?.awaitedQueue }

  /// Nil where it is in no queue and is being freed.
  var operation: (any OperationProtocol)? { subject?.operation ?? unassigned }

  private mutating func tell(_ kinds: EventKinds, _ cause: (any OperationProtocol)?) -> EventAction {
    guard let subject = subject ?? unassigned.map({ EventSubject($0, in: nil) }) else { return .nothing }
    let batch = EventBatch(kinds: kinds, subject: subject, cause: cause, audience: EventAudience(own: own))
    if delivery.claim() { return .deliver(batch) }
    batch.forEach { delivery.happened($0) }
    return .leave(isAwaited: kinds.areAwaited)
  }

  // MARK: Delivery

  /// What the caller of ``next()`` does.
  enum NextAction: Sendable {
    case deliver(OperationEvent, EventAudience)
    /// - isLast: Whether the observers have been told the end of the operation.
    case end(waiters: [Waiter], isLast: Bool)
  }

  /// What the thread that delivers does after an event.
  ///
  /// Example: thread A delivers that an operation was cancelled, while thread B adds it to a queue, and holds its events. The
  /// operation finishes before A asks what comes next: that is nothing, and not the last, since B delivers the rest.
  mutating func next() -> NextAction {
    switch delivery.next() {
    // What happened before the operation was in this queue, as in one that has refused it, its own observer alone is told.
    case .deliver(let event):
      .deliver(event, EventAudience(own: own, includesQueue: event.subject === subject))
    case .end(let waiters, let isHeld): .end(waiters: waiters, isLast: told.isFinished && !isHeld)
    }
  }

  mutating func release() -> Bool { delivery.release() }

  #if !os(WASI)
    mutating func awaitDelivery(_ waiter: Waiter) -> Bool { delivery.wait(waiter) }
  #endif
}
