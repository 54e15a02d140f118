import Testing
import TestSupport

@testable import StructuredOperations

@Suite("AsyncOperationQueue", .hangGuard)
struct AsyncOperationQueueTests {
  @Test("What the initialiser is given holds")
  func initialiser() async {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 3, isSuspended: true)
    #expect(await queue.snapshot == QueueSnapshot(isSuspended: true, maxConcurrentOperationCount: 3))
  }

  @Test("The current operation and queue are those of the body, also where a child task runs one after another")
  func currentOfEach() async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
    let operations = (0..<100).map { number in
      AsyncOperation(name: "\(number)") { AsyncOperation.current?.name == "\(number)" }
    }
    await queue.add(operations)
    for operation in operations { #expect(try await operation.value) }
  }

  @Test("A long row of operations at width 1 runs in order, each after the end of the one before")
  func longRow() async {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
    let recorder = Recorder<Int>()
    for number in 0..<5_000 {
      await queue.add {
        recorder.begin(number)
        recorder.end(number)
      }
    }
    await queue.waitUntilAllOperationsAreFinished()
    #expect(recorder.ended == Array(0..<5_000))
    #expect(recorder.peak == 1)
  }
}
