import Testing

@testable import StructuredOperations

extension AsyncOperationQueue {
  /// Assigns an operation to the queue, as adding a batch does, before the batch is posted.
  @discardableResult
  nonisolated func assign(_ operation: any OperationProtocol) throws -> Additions {
    #expect(shared.beginAdding())
    guard case .enqueued(let enqueued) = operation.storage.enqueue(operation, in: self, holdsEvents: true) else {
      throw Unexpected("not enqueued")
    }
    var additions = Additions()
    additions.append(operation.storage, enqueued)
    return additions
  }
}
