import StructuredOperations
import TestSupport

/// Keeps what it is told, but not the queue, which keeps its observer.
final class EventRecorder: OperationObserver {
  struct Entry: Sendable {
    let kind: OperationEvent.Kind
    let operation: any OperationProtocol
    let cause: (any OperationProtocol)?
    let isInQueue: Bool
  }

  private let entries = Locked<[Entry]>([])
  private let onEvent: (@Sendable (OperationEvent) -> Void)?

  init(_ onEvent: (@Sendable (OperationEvent) -> Void)? = nil) { self.onEvent = onEvent }

  func observe(_ event: OperationEvent) {
    let entry = Entry(
      kind: event.kind, operation: event.operation, cause: event.cause, isInQueue: event.queue != nil)
    entries.withLock { $0.append(entry) }
    onEvent?(event)
  }

  var all: [Entry] { entries.current }

  func kinds(of operation: any OperationProtocol) -> [OperationEvent.Kind] {
    all.filter { $0.operation === operation }.map(\.kind)
  }

  func cause(of kind: OperationEvent.Kind, of operation: any OperationProtocol) -> (any OperationProtocol)? {
    all.first { $0.operation === operation && $0.kind == kind }?.cause
  }
}
