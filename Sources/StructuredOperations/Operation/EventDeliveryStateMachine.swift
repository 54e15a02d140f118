/// Decides who delivers the events of one operation, so that they come one at a time and in their order.
///
/// Example: thread A cancels an operation, and delivers that; thread B is about to run the body. B leaves the event that it
/// has started to A, and waits until A has delivered it.
struct EventDeliveryStateMachine<Event: Sendable, Waiter: Sendable>: Sendable {
  private enum State: Equatable, Sendable {
    /// Can transition to held, delivering.
    case idle
    /// Nothing is delivered yet. Can transition to delivering.
    case held
    /// A thread delivers one event after the other. Can transition to idle.
    case delivering
  }

  private var state = State.idle
  private var events = FIFOQueue<Event>()
  /// Those who go on when everything has been delivered.
  private var waiters: [Waiter] = []

  mutating func happened(_ event: Event) { events.append(event) }

  /// Nothing is delivered until ``begin(isHolder:)`` is called by the holder, unless somebody delivers already.
  mutating func hold() { if state == .idle { state = .held } }

  /// What the caller of ``begin(isHolder:)`` does next.
  enum BeginAction: Equatable, Sendable {
    case nothing
    /// It takes one event after the other by ``next()``, until there is none.
    case deliver
    /// Another thread delivers what there is.
    case leave
  }

  mutating func begin(isHolder: Bool = false) -> BeginAction {
    switch state {
    case .delivering: return .leave
    case .held: if !isHolder { return .leave }
    case .idle: if events.isEmpty { return .nothing }
    }
    state = .delivering
    return .deliver
  }

  /// What the caller of ``next()`` does.
  enum NextAction: Sendable {
    case deliver(Event)
    /// Everything has been delivered: those who have waited go on.
    case end(waiters: [Waiter])
  }

  mutating func next() -> NextAction {
    if let event = events.popFirst() { return .deliver(event) }
    state = .idle
    return .end(waiters: waiters.removeEach())
  }

  /// - Returns: Whether the waiter will go on when everything has been delivered; false if it has been.
  mutating func wait(_ waiter: Waiter) -> Bool {
    if state == .idle { return false }
    waiters.append(waiter)
    return true
  }

  /// Takes out events that are not to be delivered after all.
  mutating func removeAll(where isUnwanted: (Event) -> Bool) -> [Event] {
    var removed: [Event] = []
    events.removeAll { event in
      if isUnwanted(event) { removed.append(event) }
      return isUnwanted(event)
    }
    return removed
  }
}
