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

  /// Something happens.
  ///
  /// - Returns: Whether the caller delivers it, without having it queued, and then what else has come up: see ``next()``.
  ///   Otherwise ``happened(_:)`` has to follow: somebody else delivers it.
  mutating func claim() -> Bool {
    if state != .idle { return false }
    state = .delivering
    return true
  }

  mutating func happened(_ event: Event) { events.append(event) }

  /// Nothing is delivered until ``release()`` is called by the holder, unless somebody delivers already.
  mutating func hold() { if state == .idle { state = .held } }

  /// The holder holds nothing back any more.
  ///
  /// - Returns: Whether it delivers what has come up, by ``next()``; not where it never held anything.
  mutating func release() -> Bool {
    if state != .held { return false }
    state = .delivering
    return true
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
