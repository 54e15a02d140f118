import Testing

@testable import StructuredOperations

extension DependencySemantics {
  @Test("DP-04 A dependency that would close a loop through a wait is refused like any loop")
  func loopThroughWait() async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
    let awaited = AsyncOperation(name: "awaited") { 1 }
    let waiting = AsyncOperation(name: "waiting") { try await awaited.value }
    // It begins when the slot has been lent.
    let next = AsyncOperation {}
    await queue.add(waiting, next)
    await next.waitUntilFinished()
    var loop: [String?]?
    do { try await awaited.addDependency(waiting) } catch { loop = (error as? OperationError)?.loop }
    #expect(loop == ["awaited", "waiting"])
    try await awaited.start()
    #expect(try await waiting.value == 1)
  }
}
