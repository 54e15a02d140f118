import TestSupport
import Testing

import class StructuredOperationsTesting.VirtualClock

@testable import StructuredOperations

@Suite("ExecutionContext", .timeLimit(.minutes(15)), .hangGuard)
struct ExecutionContextTests {
  @Test("A child task stands in for the body's own task as long as the body waits for it, and no longer")
  func standIn() async throws {
    let body = await AsyncOperationQueue().add {
      let context = try #require(ExecutionContext.ofOwnTask)
      // The task itself is in the place of the child task, as one may be that is allocated there after its end.
      let child = TimeoutTask(caller: context.task, timeEnd: .init(after: .seconds(1), on: VirtualClock()))
      let (task, timerID) = child.begin()
      let standing = ExecutionContext(operation: context.operation, task: task, standIn: child)
      ExecutionContext.$current.withValue(standing) {
        #expect(ExecutionContext.ofOwnTask?.operation === context.operation)
      }
      #expect(child.end(timerID))
      ExecutionContext.$current.withValue(standing) {
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
