import TestSupport
import Testing

@testable import StructuredOperations

extension AsyncOperationQueueTests {
  @Suite("Order")
  struct Order {
    @Test("Levels change at random while operations run, and each runs once")
    func changesUnderLoad() async {
      for seed in UInt64(0)..<20 {
        let queue = AsyncOperationQueue(maxConcurrentOperationCount: 2)
        let recorder = Recorder<Int>()
        let operations = (0..<100).map { number in
          AsyncOperation {
            await Task.yield()
            recorder.note(number)
          }
        }
        await queue.add(operations)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<300 {
          let priority = QueuePriority.allCases.randomElement(using: &random) ?? .normal
          await operations[Int.random(in: 0..<100, using: &random)].setQueuePriority(priority)
        }
        await queue.waitUntilAllOperationsAreFinished()
        #expect(recorder.begun.sorted() == Array(0..<100), "seed \(seed)")
      }
    }

    @Test("Operations that each take the newest request as they begin do so in the reverse order of requests")
    func newestFirst() async throws {
      let wanted = Locked<[Int]>([])
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      await queue.suspend()
      var operations: [AsyncOperation<Int>] = []
      for number in 0..<5 {
        wanted.withLock { $0.append(number) }
        operations.append(await queue.add { wanted.withLock { $0.removeLast() } })
      }
      await queue.resume()
      var taken: [Int] = []
      for operation in operations { taken.append(try await operation.value) }
      #expect(taken == [4, 3, 2, 1, 0])
    }
  }
}
