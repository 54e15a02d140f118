/// Decides who delivers the events of one operation, so that they come one at a time and in their order.
///
/// Example: thread A cancels an operation, and delivers that; thread B is about to run the body. B leaves the event that it
/// has started to A, and waits until A has delivered it.
struct EventDeliveryStateMachine<Event: Sendable, Waiter: Sendable>: Sendable {
  /// Whether a thread delivers one event after the other.
  private var isDelivering = false
  /// Whether nothing is delivered before the holder says so.
  private var isHeld = false
  private var events = FIFOQueue<Event>()
  /// Those who go on when everything has been delivered.
  private var waiters: [Waiter] = []

  /// Something happens.
  ///
  /// - Returns: Whether the caller delivers it, without having it queued, and then what else has come up: see ``next()``.
  ///   Otherwise ``happened(_:)`` has to follow: somebody else delivers it.
  mutating func claim() -> Bool {
    if isDelivering || isHeld { return false }
    isDelivering = true
    return true
  }

  mutating func happened(_ event: Event) { events.append(event) }

  /// Nothing that comes up from now on is delivered until ``release()`` is called by the holder.
  mutating func hold() { isHeld = true }

  /// The holder holds nothing back any more.
  ///
  /// - Returns: Whether it delivers what has come up, by ``next()``; not where another thread does, or it held nothing.
  mutating func release() -> Bool {
    guard isHeld else { return false }
    isHeld = false
    if isDelivering { return false }
    isDelivering = true
    return true
  }

  /// What the caller of ``next()`` does.
  enum NextAction: Sendable {
    case deliver(Event)
    /// Everything has been delivered: those who have waited go on. Where events are held, the holder delivers the rest.
    case end(waiters: [Waiter], isHeld: Bool)
  }

  mutating func next() -> NextAction {
    if !isHeld, let event = events.popFirst() { return .deliver(event) }
    isDelivering = false
    return .end(waiters: isHeld ? [] : waiters.removeEach(), isHeld: isHeld)
  }

  /// - Returns: Whether the waiter will go on when everything has been delivered; false if it has been.
  mutating func wait(_ waiter: Waiter) -> Bool {
    if !isDelivering, !isHeld { return false }
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
