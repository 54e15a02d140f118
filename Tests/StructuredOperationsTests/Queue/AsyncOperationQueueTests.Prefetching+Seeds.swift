import StructuredOperationsTesting
import TestSupport
import Testing

@testable import StructuredOperations

extension AsyncOperationQueueTests.Prefetching {
  @Test("What was chosen ahead, is blocked before it begins, and is ready again runs once")
  func blockedMeanwhile() throws {
    for seed in 0..<100 as Range<UInt64> {
      let executor = SeededExecutor(seed: seed)
      let count = Locked(0)
      try executor.run {
        let queue = AsyncOperationQueue(maxConcurrentOperationCount: 2, executor: executor, isSuspended: true)
        let ends = (0..<4).map { _ in AsyncOperation { () async in await Task.yield() } }
        let chosen = (0..<4).map { _ in AsyncOperation { () async in count.withLock { $0 += 1 } } }
        // So that each of them knows its place.
        let last = AsyncOperation {}
        for operation in chosen { try await last.addDependency(operation) }
        await queue.add(ends + chosen + [last])
        let changing = Task(executorPreference: executor) {
          for (operation, end) in zip(chosen, ends) { _ = try? await operation.addDependency(end) }
        }
        await queue.resume()
        await changing.value
        await queue.waitUntilAllOperationsAreFinished()
      }
      #expect(count.withLock { $0 } == 4, "seed \(seed)")
    }
  }
}
