import Dispatch
import StructuredOperations
import TestSupport
import Testing

extension WithOperationQueueTests {
  @Suite("withOperationQueue, on an executor of the user's", .hangGuard)
  struct Executors {
    private typealias Gate = TestSupport.Gate

    @Test("A failed scope cancels a body that holds the only thread of its executor until then")
    func heldThread() async {
      let executor = LabelledExecutor("only thread")
      let (isWaiting, mayHold, isHolding) = (Gate(), Gate(), Gate())
      await #expect(throws: Failure()) {
        try await withOperationQueue(maxConcurrentOperationCount: 1, executor: executor) { queue in
          await queue.add {
            isWaiting.open()
            await mayHold.wait()
            isHolding.open()
            await Self.holdThreadUntilCancelled()
          }
          await isWaiting.wait()
          // The runner has nothing to do any more, and sleeps.
          for _ in 0..<5 { await Task(executorPreference: executor) {}.value }
          mayHold.open()
          await isHolding.wait()
          throw Failure()
        }
      }
    }

    private static func holdThreadUntilCancelled() async {
      let cancelled = DispatchSemaphore(value: 0)
      await withTaskCancellationHandler {
        wait(for: cancelled)
      } onCancel: {
        cancelled.signal()
      }
    }

    private static func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }
  }
}
