import Dispatch
import StructuredOperations
import TestSupport
import Testing

import class StructuredOperationsTesting.ManualExecutor

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

    @Test("What was chosen and has not begun when its scope is cancelled does not run")
    func chosenBeforeCancellation() async throws {
      let executor = ManualExecutor()
      let (known, hasRun, release, isOver) = (Locked<AsyncOperationQueue?>(nil), Locked(false), Gate(), Gate())
      let operation = AsyncOperation { () async in hasRun.withLock { $0 = true } }
      let scope = Task {
        defer { isOver.open() }
        try await withOperationQueue(executor: executor) { queue in
          await queue.add(operation)
          known.withLock { $0 = queue }
          await release.wait()
        }
      }
      #expect(await eventually { known.current != nil })
      let queue = try #require(known.current)
      #expect(
        await eventually {
          executor.step()
          return queue.snapshot.executingCount == 1
        })
      #expect(!hasRun.current)

      scope.cancel()
      release.open()

      #expect(
        await eventually {
          executor.runUntilIdle()
          return isOver.isOpen
        })
      #expect(!hasRun.current && operation.outcome?.isCancelled == true)
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
