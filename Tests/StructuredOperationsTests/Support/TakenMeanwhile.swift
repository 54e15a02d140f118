import Testing

@_spi(StructuredOperationsInternals) @testable import StructuredOperations

/// An operation of an array that another queue takes as soon as the one before it is in a batch.
actor TakenMeanwhile: OperationProtocol {
  private let before: any OperationProtocol
  private let taken: AsyncOperation<Void>
  private let other: AsyncOperationQueue

  init(_ taken: AsyncOperation<Void>, after before: any OperationProtocol, by other: AsyncOperationQueue) {
    (self.before, self.taken, self.other) = (before, taken, other)
  }

  nonisolated var reference: OperationReference {
    if !before.storage.isIdle { #expect(other.addNow(taken, taken.storage)) }
    return taken.reference
  }

  nonisolated var name: String? { taken.name }
  nonisolated var label: String { taken.label }
  nonisolated var snapshot: OperationSnapshot { taken.snapshot }
  nonisolated var isAsynchronous: Bool { taken.isAsynchronous }
  nonisolated var queuePriority: QueuePriority { taken.queuePriority }
  nonisolated var description: String { taken.description }
  nonisolated var debugDescription: String { taken.debugDescription }
  nonisolated func cancel() { taken.cancel() }
  nonisolated func waitUntilFinished() async { await taken.waitUntilFinished() }
  nonisolated func start() async throws { try await taken.start() }
}
