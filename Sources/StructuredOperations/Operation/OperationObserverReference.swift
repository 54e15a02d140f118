/// An observer that many operations refer to.
final class OperationObserverReference: Sendable {
  let observer: any OperationObserver

  init(_ observer: any OperationObserver) { self.observer = observer }
}
