import Testing
import TestSupport

@testable import StructuredOperations

extension AsyncOperationQueueTests {
  @Suite("Cancelling and waiting for all")
  struct Cancelling {
    @Test("cancelAll comes at any time under load, and nothing hangs or runs twice")
    func underLoad() async {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 3)
      let runs = Locked(0)
      let all = Locked<[AsyncOperation<Void>]>([])
      async let adding: Void = {
        for _ in 0..<1_000 {
          let operation = AsyncOperation {
            runs.increment()
            await Task.yield()
          }
          all.append(operation)
          await queue.add(operation)
        }
      }()
      for _ in 0..<50 {
        await Task.yield()
        await queue.cancelAllOperations()
      }
      await adding
      await queue.waitUntilAllOperationsAreFinished()
      let succeeded = all.current.filter { $0.outcome?.isSuccess == true }.count
      #expect(succeeded == runs.current)
      #expect(all.current.allSatisfy { $0.isFinished })
      #expect(queue.snapshot.completedCount == 1_000)
    }

    @Test("Many tasks wait for all while others add: each wait finds its own operation finished")
    func waitersUnderLoad() async {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 4)
      await withTaskGroup { group in
        for _ in 0..<4 {
          group.addTask {
            for _ in 0..<100 {
              let operation = await queue.add { await Task.yield() }
              await queue.waitUntilAllOperationsAreFinished()
              #expect(operation.isFinished)
            }
          }
        }
      }
    }
  }
}
