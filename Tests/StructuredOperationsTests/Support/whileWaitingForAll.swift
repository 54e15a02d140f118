import Testing

@testable import StructuredOperations

/// Runs something while a body, which has nothing to do with it, waits for everything in a queue.
func whileWaitingForAll(_ body: () async throws -> Void) async throws {
  let queues = [AsyncOperationQueue(), AsyncOperationQueue()]
  let (gate, blocked) = (AsyncOperation {}, AsyncOperation {})
  try await blocked.addDependency(gate)
  await queues[0].add(blocked)
  await queues[1].add { await queues[0].waitUntilAllOperationsAreFinished() }
  #expect(await queues[1].becomesQuiescent(waiting: 1))
  try await body()
  try await gate.start()
}
