import Testing

@testable import StructuredOperations

extension AsyncOperationQueue {
  /// Assigns an operation to the queue, as adding a batch does, before the batch is posted.
  @discardableResult
  nonisolated func assign(_ operation: any OperationProtocol) throws -> Batch {
    #expect(shared.beginBatch())
    guard case .enqueued(let enqueued) = operation.storage.enqueue(operation, in: self, holdsEvents: true) else {
      throw Unexpected("not enqueued")
    }
    var batch = Batch()
    batch.append(operation.storage, enqueued)
    return batch
  }
}
