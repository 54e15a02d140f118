/// Who is told of an event.
struct EventAudience: Sendable {
  /// The observer of the operation alone, which is told first.
  var own: OperationObserverReference?
  /// Whether that of the queue is told, too, if there is one.
  var includesQueue = true

  func observe(_ event: OperationEvent) {
    own?.observe(event)
    if includesQueue { event.subject.queue?.observe(event) }
  }
}
