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
  }
}
