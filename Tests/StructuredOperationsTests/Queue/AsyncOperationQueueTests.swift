import Testing

@testable import StructuredOperations

@Suite("AsyncOperationQueue", .hangGuard)
struct AsyncOperationQueueTests {
  @Test("QC-01, QP-01, QI-09 A new queue has the default limit, is not suspended, and has a name")
  func defaults() async {
    let queue = AsyncOperationQueue()
    #expect(await queue.maxConcurrentOperationCount == -1)
    #expect(AsyncOperationQueue.defaultMaxConcurrentOperationCount == -1)
    #expect(await !queue.isSuspended)
    #expect(await queue.operations.isEmpty)
    #expect(await queue.operationCount == 0)
    #expect(!queue.name.isEmpty)
    #expect(queue.name != AsyncOperationQueue().name)
    #expect(AsyncOperationQueue(name: "images").name == "images")
  }

  @Test("What the initialiser is given holds")
  func initialiser() async {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 3, isSuspended: true)
    #expect(await queue.snapshot == QueueSnapshot(isSuspended: true, maxConcurrentOperationCount: 3))
  }

  @Test("QI-01, QI-02 Operations are listed and counted in the order of addition, whatever their priorities")
  func operations() async {
    let queue = AsyncOperationQueue(isSuspended: true)
    let operations = (0..<50).map { number in
      AsyncOperation(name: "\(number)", queuePriority: QueuePriority.allCases[number % 5]) {}
    }
    await queue.add(operations)
    #expect(await queue.operations.map(\.name) == (0..<50).map { "\($0)" })
    #expect(await queue.operationCount == 50)
    await queue.resume()
    await queue.waitUntilAllOperationsAreFinished()
    #expect(await queue.operations.isEmpty)
  }

  @Test("QI-11 Inside a body the queue is the current one, and a child task's, but not a detached one's")
  func current() async throws {
    #expect(AsyncOperationQueue.current == nil)
    let queue = AsyncOperationQueue()
    let asynchronous = await queue.add {
      let isCurrent = AsyncOperationQueue.current === queue
      let inChild = await Task { AsyncOperationQueue.current === queue }.value
      let inDetached = await Task.detached { AsyncOperationQueue.current === queue }.value
      return isCurrent && inChild && !inDetached
    }
    let synchronous = await queue.add { AsyncOperationQueue.current === queue }
    let callback = AsyncOperation<Bool> { $0.finish(returning: AsyncOperationQueue.current === queue) }
    await queue.add(callback)
    #expect(try await asynchronous.value)
    #expect(try await synchronous.value)
    #expect(try await callback.value)
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

  @Test("QI-14 Child tasks carry the queue's name and a number")
  func taskNames() async throws {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
    let queue = AsyncOperationQueue(name: "images", maxConcurrentOperationCount: 4)
    let rendezvous = Rendezvous(of: 4)
    let names = Locked<Set<String>>([])
    for _ in 0..<4 {
      await queue.add {
        names.withLock { $0.formUnion(Task.name.map { [$0] } ?? []) }
        rendezvous.arriveBlocking()
      }
    }
    await queue.waitUntilAllOperationsAreFinished()
    #expect(names.current == ["images_1", "images_2", "images_3", "images_4"])
  }

  @Test("LC-09 Operations never run on the thread that adds them, and a body may add to its own queue (QA-14)")
  func addFromBody() async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
    let recorder = Recorder<Int>()
    let first = await queue.add {
      recorder.begin(0)
      queue.add { recorder.note(1) }
      queue.add { recorder.note(2) }
      recorder.end(0)
    }
    try await first.value
    await queue.waitUntilAllOperationsAreFinished()
    #expect(recorder.ended == [0, 1, 2])
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

  @Test("QC-03 A limit below -1 stops the program in an initialiser")
  func invalidLimit() async {
    await #expect(processExitsWith: .failure) { _ = AsyncOperationQueue(maxConcurrentOperationCount: -2) }
  }
}
