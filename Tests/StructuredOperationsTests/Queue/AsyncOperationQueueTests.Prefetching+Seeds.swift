import StructuredOperationsTesting
import TestSupport
import Testing

@testable import StructuredOperations

extension AsyncOperationQueueTests.Prefetching {
  @Test("What was chosen ahead, is blocked before it begins, and is ready again runs once")
  func blockedMeanwhile() throws {
    for seed in 0..<100 as Range<UInt64> {
      let executor = SeededExecutor(seed: seed ^ SeededExecutor.ownStream)
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

  @Test("Where slots are free all run that ends make ready, with completion blocks, and a body that waits goes on")
  func freeSlots() throws {
    for seed in 0..<200 as Range<UInt64> {
      let executor = SeededExecutor(seed: seed ^ SeededExecutor.ownStream)
      let (runs, blocks) = (Locked(0), Locked(0))
      let snapshot = try executor.run {
        let queue = AsyncOperationQueue(maxConcurrentOperationCount: 16, executor: executor)
        var layers: [[AsyncOperation<Void>]] = []
        for size in [1, 4, 3, 1, 4] {
          let layer = (0..<size).map { _ in AsyncOperation { () async in runs.withLock { $0 += 1 } } }
          for (index, operation) in layer.enumerated() {
            for dependency in layers.last ?? [] { try await operation.addDependency(dependency) }
            if index == size - 1 { await operation.setCompletionBlock { blocks.withLock { $0 += 1 } } }
          }
          layers.append(layer)
        }
        let waiting = AsyncOperation { [layers] () async in
          for layer in layers { await layer[0].waitUntilFinished() }
        }
        await queue.add([waiting] + layers.joined())
        try await queue.run { runs.withLock { $0 += 1 } }
        await queue.waitUntilAllOperationsAreFinished()
        return queue.snapshot
      }
      #expect(runs.withLock { $0 } == 14 && blocks.withLock { $0 } == 5, "seed \(seed)")
      #expect(snapshot.succeededCount == 15 && snapshot.executingCount == 0, "seed \(seed)")
    }
  }

  @Test("An operation that fails cancels all others of its scope, where its slot is left free, too")
  func failureWithFreeSlots() throws {
    for seed in 0..<200 as Range<UInt64> {
      let executor = SeededExecutor(seed: seed ^ SeededExecutor.ownStream)
      try executor.run {
        await #expect(throws: Failure.self, "seed \(seed)") {
          try await withOperationQueue(
            maxConcurrentOperationCount: 16, executor: executor, onFailure: .cancelAll
          ) { queue in
            let first = AsyncOperation {}
            let others = (0..<3).map { index in
              AsyncOperation { () async throws in if index == 2 { throw Failure() } }
            }
            for other in others { try await other.addDependency(first) }
            let endless = AsyncOperation { () async in await untilCancelled() }
            let blocked = AsyncOperation {}
            try await blocked.addDependency(endless)
            await queue.add([endless, blocked, first] + others)
          }
        }
      }
    }
  }
}
