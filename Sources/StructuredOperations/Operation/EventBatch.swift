/// The events of one change of an operation.
struct EventBatch: Sequence, Sendable {
  let kinds: EventKinds
  let operation: any OperationProtocol
  let queue: (any OwningQueue)?
  /// What the first one comes from.
  let cause: (any OperationProtocol)?
  let observers: ObserverPair

  func makeIterator() -> Iterator { Iterator(batch: self, kinds: kinds.makeIterator()) }

  struct Iterator: IteratorProtocol {
    fileprivate let batch: EventBatch
    fileprivate var kinds: EventKinds.Iterator
    private var isFirst = true

    fileprivate init(batch: EventBatch, kinds: EventKinds.Iterator) {
      self.batch = batch
      self.kinds = kinds
    }

    mutating func next() -> OperationEvent? {
      guard let kind = kinds.next() else { return nil }
      defer { isFirst = false }
      return OperationEvent(
        kind: kind, operation: batch.operation, owningQueue: batch.queue, cause: isFirst ? batch.cause : nil)
    }
  }
}
