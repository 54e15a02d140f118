/// The events of one change of an operation; not copyable, since a copy would retain all that they name.
struct EventBatch: ~Copyable, Sendable {
  let kinds: EventKinds
  let subject: EventSubject
  /// What the first one comes from.
  let cause: (any OperationProtocol)?
  let audience: EventAudience

  /// Tells the observers; not under a lock.
  func deliver() { forEach { audience.observe($0) } }

  /// Makes the events one after the other of one value, since each copy would retain all that it names.
  func forEach(_ body: (OperationEvent) -> Void) {
    var rest = kinds.makeIterator()
    guard let first = rest.next() else { return }
    var event = OperationEvent(kind: first, subject: subject, cause: cause)
    body(event)
    event.cause = nil
    while let kind = rest.next() {
      event.kind = kind
      body(event)
    }
  }
}
