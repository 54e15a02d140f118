/// An observer that many operations refer to.
final class OperationObserverReference: Sendable {
  let observer: any OperationObserver

  init(_ observer: any OperationObserver) { self.observer = observer }

  /// Consuming, so that nothing is copied.
  @inline(__always)
  static func to(_ observer: consuming (any OperationObserver)?) -> OperationObserverReference? {
    switch consume observer {
    case let observer?: OperationObserverReference(observer)
    case nil: nil
    }
  }
}
