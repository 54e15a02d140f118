import Testing
import TestSupport

@testable import StructuredOperations

@Suite("AsyncOperationQueue", .hangGuard)
struct AsyncOperationQueueTests {
  @Test("What the initialiser is given holds")
  func initialiser() async {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 3, isSuspended: true)
    #expect(queue.snapshot == QueueSnapshot(isSuspended: true, maxConcurrentOperationCount: 3))
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

  @Test("It is told by its name, what it holds, its limit, and what keeps it from running")
  func descriptions() async throws {
    let queue = AsyncOperationQueue(name: "images")
    #expect("\(queue)" == "AsyncOperationQueue \"images\" (0 executing, 0 waiting, limit default)")
    try await queue.setMaxConcurrentOperationCount(2)
    let blockers = (0..<2).map { _ in Blocker() }
    await queue.add(blockers.map(\.operation))
    for blocker in blockers { await blocker.begun.wait() }
    for _ in 0..<3 { await queue.add {} }
    #expect("\(queue)" == "AsyncOperationQueue \"images\" (2 executing, 3 waiting, limit 2)")
    await queue.suspend()
    #expect("\(queue)" == "AsyncOperationQueue \"images\" (2 executing, 3 waiting, limit 2, suspended)")
    await queue.resume()
    for blocker in blockers { blocker.release.open() }
    await queue.waitUntilAllOperationsAreFinished()
    #expect(String(reflecting: queue).hasSuffix("limit 2), 5 succeeded, 0 failed, 0 cancelled"))
    #expect(Mirror(reflecting: queue).children.compactMap(\.label) == ["name", "snapshot", "isClosed"])
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
