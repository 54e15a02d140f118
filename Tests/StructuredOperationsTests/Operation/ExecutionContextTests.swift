import TestSupport
import Testing

@testable import StructuredOperations

@Suite("ExecutionContext", .timeLimit(.minutes(5)), .hangGuard)
struct ExecutionContextTests {
  @Test("A child task stands in for the body's own task as long as the body waits for it, and no longer")
  func standIn() async throws {
    let body = await AsyncOperationQueue().add {
      let context = try #require(ExecutionContext.ofOwnTask)
      let kept = Locked<ExecutionContext?>(nil)
      await context.standingIn {
        #expect(ExecutionContext.ofOwnTask?.operation === context.operation)
        kept.withLock { $0 = ExecutionContext.current }
      }
      // As a task would see it that has inherited the context, and been allocated where the child task was.
      let inherited = try #require(kept.current)
      #expect(inherited.task == context.task)
      ExecutionContext.$current.withValue(inherited) {
        #expect(ExecutionContext.ofOwnTask == nil)
        #expect(AsyncOperation.current === context.operation)
      }
      #expect(ExecutionContext.ofOwnTask != nil)
    }
    try await body.value
  }

  @Test("While a child task stands in, other child tasks of the body do not")
  func others() async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
    let body = await queue.add {
      try await withOperationTimeout(.seconds(3_600)) {
        async let waiting = withLentSlot { queue.snapshot.waitingCount }
        return await (waiting, withLentSlot { queue.snapshot.waitingCount })
      }
    }
    let counts = try await body.value
    #expect(counts == (0, 1))
  }
}
