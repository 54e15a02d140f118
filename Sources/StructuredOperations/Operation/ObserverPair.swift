/// The observers of one operation.
struct ObserverPair: Sendable {
  /// That of the operation alone, which is told first.
  var own: OperationObserverReference?
  var ofQueue: OperationObserverReference?

  func observe(_ event: OperationEvent) {
    own?.observer.observe(event)
    ofQueue?.observer.observe(event)
  }
}
