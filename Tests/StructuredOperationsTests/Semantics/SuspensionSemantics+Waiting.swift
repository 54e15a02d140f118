import Testing

@testable import StructuredOperations

extension SuspensionSemantics {
  @Test("QP-02 A body whose wait ends while its queue is suspended goes on, as all that runs does", arguments: [0, 1])
  func waitEnds(limit: Int) async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
    let awaited = AsyncOperation { 1 }
    let waiting = AsyncOperation { try await awaited.value }
    let next = AsyncOperation {}
    await queue.add(waiting, next)
    // It begins when the slot has been lent.
    await next.waitUntilFinished()
    await queue.suspend()
    try await queue.setMaxConcurrentOperationCount(limit)
    try await awaited.start()
    #expect(try await waiting.value == 1)
    #expect(queue.isSuspended)
  }
}
