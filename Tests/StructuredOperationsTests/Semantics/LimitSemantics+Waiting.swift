import Testing

@testable import StructuredOperations

extension LimitSemantics {
  @Test("QC-07 A body that waits for an operation does not count; it executes all the same")
  func waitingBody() async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
    let awaited = AsyncOperation {}
    let waiting = AsyncOperation { await awaited.waitUntilFinished() }
    let next = AsyncOperation {}
    await queue.add(waiting, next)
    await next.waitUntilFinished()
    #expect(waiting.isExecuting)
    try await awaited.start()
    await waiting.waitUntilFinished()
    #expect(queue.operationCount == 0)
  }

  @Test("QC-08 Bodies that go on after their waits keep to the limit, too", arguments: [1, 2, 4])
  func afterWaits(limit: Int) async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: limit)
    let recorder = Recorder<Int>()
    let outer = (0..<20).map { number in
      AsyncOperation {
        for step in 0..<5 {
          let inner = await queue.add {
            recorder.begin(1_000 + 10 * number + step)
            recorder.end(1_000 + 10 * number + step)
          }
          await inner.waitUntilFinished()
          recorder.begin(number)
          await Task.yield()
          recorder.end(number)
        }
      }
    }
    await queue.add(outer)
    await queue.waitUntilAllOperationsAreFinished()
    #expect(recorder.ended.count == 200)
    #expect(recorder.peak <= limit)
  }
}
