import Testing
import TestSupport

@testable import StructuredOperations

extension AsyncOperationQueueTests {
  @Suite("Limits and suspension")
  struct Limits {
    @Test("The limit changes at random under load, and its highest value is never exceeded")
    func changesUnderLoad() async throws {
      for seed in UInt64(0)..<10 {
        let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
        let recorder = Recorder<Int>()
        for number in 0..<300 {
          await queue.add {
            recorder.begin(number)
            await Task.yield()
            recorder.end(number)
          }
        }
        var random = SeededGenerator(seed: seed)
        for _ in 0..<100 {
          try await queue.setMaxConcurrentOperationCount(Int.random(in: 0...4, using: &random))
        }
        try await queue.setMaxConcurrentOperationCount(4)
        await queue.waitUntilAllOperationsAreFinished()
        #expect(recorder.peak <= 4, "seed \(seed)")
        #expect(recorder.ended.count == 300, "seed \(seed)")
      }
    }

    @Test("Suspended and resumed at random under load, every operation runs")
    func suspensionUnderLoad() async {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 3)
      let runs = Locked(0)
      async let adding: Void = {
        for _ in 0..<1_000 { await queue.add { runs.increment() } }
      }()
      for _ in 0..<200 {
        await queue.suspend()
        await Task.yield()
        await queue.resume()
      }
      await adding
      await queue.waitUntilAllOperationsAreFinished()
      #expect(runs.current == 1_000)
    }
  }
}
