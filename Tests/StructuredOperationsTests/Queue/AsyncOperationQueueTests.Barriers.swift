import Testing
import TestSupport

@testable import StructuredOperations

extension AsyncOperationQueueTests {
  @Suite("Barriers")
  struct Barriers {
    @Test("Several barriers in a row run one after another, and their blocks are freed")
    func severalInARow() async {
      let queue = AsyncOperationQueue()
      let recorder = Recorder<Int>()
      let gone = Gate()
      func add() async {
        let canary = Canary(gone)
        for number in 0..<10 {
          await queue.addBarrier {
            canary.sing()
            recorder.begin(number)
            await Task.yield()
            recorder.end(number)
          }
        }
      }
      await add()
      await queue.waitUntilAllOperationsAreFinished()
      #expect(recorder.ended == Array(0..<10))
      #expect(recorder.peak == 1)
      await gone.wait()
    }
  }
}
