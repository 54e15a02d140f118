/// An observer behind one pointer, so that nothing is copied to call it.
final class OperationObserverReference: Sendable {
  private let observer: any OperationObserver

  init(_ observer: any OperationObserver) { self.observer = observer }

  func observe(_ event: OperationEvent) { observer.observe(event) }

  /// Consuming, so that nothing is copied.
  @inline(__always)
  static func to(_ observer: consuming (any OperationObserver)?) -> OperationObserverReference? {
    switch consume observer {
    case let observer?: OperationObserverReference(observer)
    case nil: nil
    }
  }
}
