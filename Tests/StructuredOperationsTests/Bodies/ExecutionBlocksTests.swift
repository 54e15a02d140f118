import Testing
import TestSupport

@testable import StructuredOperations

@Suite("ExecutionBlocks", .hangGuard)
struct ExecutionBlocksTests {
  @Test("Blocks that one operation has run make another one fail, without running again")
  func secondUse() async throws {
    let runs = Locked(0)
    let blocks = ExecutionBlocks { runs.increment() }
    let (one, other) = (AsyncOperation(blocks), AsyncOperation(blocks))
    try await one.start()
    try await other.start()
    #expect(one.outcome?.isSuccess == true)
    #expect(other.outcome?.error as? OperationError == .blocksSealed)
    #expect(runs.current == 1)
  }

  @Test("Of two operations that race for the same blocks one runs them")
  func race() async {
    let queue = AsyncOperationQueue()
    for _ in 0..<200 {
      let runs = Locked(0)
      let blocks = ExecutionBlocks { runs.increment() }
      let operations = [AsyncOperation(blocks), AsyncOperation(blocks)]
      await queue.addAndWait(operations)
      #expect(operations.filter { $0.outcome?.isSuccess == true }.count == 1)
      #expect(runs.current == 1)
    }
  }

  @Test("Synchronous blocks run on the pool's threads, asynchronous ones do not, and an executor moves them all")
  func executors() async throws {
    let pool = Locked<[Bool]>([])
    let blocks = ExecutionBlocks { pool.append(PoolThread.current != nil) }
    try await AsyncOperation(blocks).start()
    #expect(pool.current == [true])

    let labels = Locked<[String?]>([])
    let executor = LabelledExecutor("blocks")
    let moved = ExecutionBlocks { labels.append(LabelledExecutor.currentLabel) }
    try moved.add {
      await Task.yield()
      labels.append(LabelledExecutor.currentLabel)
    }
    try await AsyncOperation(executor: executor, moved).start()
    #expect(labels.current == ["blocks", "blocks"])
  }
}
