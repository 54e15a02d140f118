import Testing
import TestSupport

@testable import StructuredOperations

@Suite("QA Adding to a queue", .hangGuard)
struct AddingSemantics {
  @Test("QA-01 An operation stays in its queue until it has finished, whatever happens to it")
  func stays() async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
    let blocker = Blocker()
    let dependency = AsyncOperation {}
    await queue.add(blocker.operation)
    #expect(await queue.operations.contains { $0 === blocker.operation })
    await blocker.begun.wait()
    blocker.operation.cancel()
    await blocker.operation.setQueuePriority(.low)
    try await blocker.operation.addDependency(dependency)
    await queue.suspend()
    #expect(await queue.operations.contains { $0 === blocker.operation })
    blocker.release.open()
    await blocker.operation.waitUntilFinished()
    #expect(await queue.operations.isEmpty)
  }

  @Test("QA-02, QA-03, QA-04 enqueue says why it cannot be")
  func strict() async throws {
    let queue = AsyncOperationQueue()
    let (waiting, blocker, finished) = (AsyncOperation {}, Blocker(), AsyncOperation {})
    let never = AsyncOperation {}
    try await waiting.addDependency(never)
    await queue.add(waiting, blocker.operation, finished)
    await blocker.begun.wait()
    await finished.waitUntilFinished()
    await #expect(throws: OperationError.alreadyEnqueued) { try await queue.enqueue(waiting) }
    await #expect(throws: OperationError.alreadyExecuting) { try await queue.enqueue(blocker.operation) }
    await #expect(throws: OperationError.alreadyFinished) { try await queue.enqueue(finished) }
    waiting.cancel()
    blocker.release.open()
  }

  @Test("QA-02 Nor can it be added to another queue than the one it is in")
  func otherQueue() async throws {
    let (queue, other) = (AsyncOperationQueue(isSuspended: true), AsyncOperationQueue())
    let runs = Locked(0)
    let operation = AsyncOperation { runs.increment() }
    try await queue.enqueue(operation)
    await #expect(throws: OperationError.alreadyEnqueued) { try await queue.enqueue(operation) }
    await #expect(throws: OperationError.alreadyEnqueued) { try await other.enqueue(operation) }
    #expect(await !other.add(operation))
    await queue.resume()
    await operation.waitUntilFinished()
    #expect(runs.current == 1)
    #expect(other.snapshot.totalCount == 0)
  }

  @Test("QA-05 A cancelled operation is accepted by every form of adding, and counted")
  func cancelled() async throws {
    let queue = AsyncOperationQueue(isSuspended: true)
    let operations = (0..<6).map { _ in AsyncOperation { Issue.record("it ran") } as AsyncOperation<Void> }
    for operation in operations { operation.cancel() }
    #expect(await queue.add(operations[0]))
    #expect(await queue.add(operations[1], operations[2]) == 2)
    #expect(await queue.add([operations[3]]) == 1)
    try await queue.enqueue(operations[4])
    try await queue.enqueue([operations[5]])
    #expect(queue.operationCount == 6)
    await queue.resume()
    await queue.waitUntilAllOperationsAreFinished()
    #expect(operations.allSatisfy { $0.outcome?.isCancelled == true })
  }

  @Test("QA-07, QA-08 A batch with a fault in it adds none, and the others can be added afterwards")
  func atomicBatch() async throws {
    let queue = AsyncOperationQueue()
    let finished = AsyncOperation {}
    try await finished.start()
    let good = (0..<3).map { _ in AsyncOperation {} }
    await #expect(throws: OperationError.alreadyFinished) { try await queue.enqueue(good + [finished]) }
    await #expect(throws: OperationError.alreadyEnqueued) { try await queue.enqueue(good + [good[0]]) }
    #expect(queue.snapshot.totalCount == 0)
    #expect(good.allSatisfy { $0.state == .ready })
    try await queue.enqueue(good)
    await queue.waitUntilAllOperationsAreFinished()
    #expect(queue.snapshot.completedCount == 3)
  }

  @Test("QA-09 An empty batch is nothing")
  func emptyBatch() async throws {
    let queue = AsyncOperationQueue()
    #expect(await queue.add([]) == 0)
    try await queue.enqueue([])
    await queue.addAndWait([])
    #expect(queue.snapshot.totalCount == 0)
  }

  @Test("QA-09 Waiting for an empty batch does not wait for what the queue holds")
  func emptyBatchAmongOthers() async {
    let queue = AsyncOperationQueue()
    let blocker = Blocker()
    await queue.add(blocker.operation)
    await queue.addAndWait([])
    #expect(!blocker.operation.isFinished)
    blocker.release.open()
    await queue.waitUntilAllOperationsAreFinished()
  }

  @Test("QA-10 addAndWait waits for the given operations, and for no other")
  func addAndWait() async {
    let queue = AsyncOperationQueue()
    let blocker = Blocker()
    await queue.add(blocker.operation)
    let operations = (0..<5).map { _ in AsyncOperation {} }
    await queue.addAndWait(operations)
    #expect(operations.allSatisfy { $0.isFinished })
    #expect(!blocker.operation.isFinished)
    blocker.release.open()
    await queue.addAndWait(operations + [blocker.operation])
  }

  @Test("QA-11 A closure becomes an operation, which is returned, of the kind that its await tells")
  func kinds() async throws {
    let queue = AsyncOperationQueue()
    let main = await queue.add { 1 }
    let start = await queue.add {
      await Task.yield()
      return 2
    }
    #expect(!main.isAsynchronous)
    #expect(start.isAsynchronous)
    #expect(try await main.value + start.value == 3)
    #expect(queue.snapshot.totalCount == 2)
  }

  /// From a function that is not asynchronous the synchronous forms are chosen.
  private func addSynchronously(_ numbers: Range<Int>, to queue: AsyncOperationQueue, _ recorder: Recorder<Int>) {
    let operations = numbers.map { number in AsyncOperation { recorder.note(number) } }
    #expect(queue.add(operations[0]))
    #expect(queue.add(operations[1], operations[2], operations[3]) == 3)
    #expect(queue.add(Array(operations[4...])) == operations.count - 4)
  }

  @Test("QA-12 Operations added by one task keep their order, whichever form adds them")
  func order() async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
    let recorder = Recorder<Int>()
    for round in 0..<20 {
      let base = 20 * round
      addSynchronously(base..<base + 6, to: queue, recorder)
      let operations = (6..<12).map { number in AsyncOperation { recorder.note(base + number) } }
      #expect(await queue.add(operations[0]))
      #expect(await queue.add(operations[1], operations[2]) == 2)
      #expect(await queue.add([operations[3], operations[4]]) == 2)
      try await queue.enqueue(operations[5])
      await queue.add { recorder.note(base + 12) }
      let value = await queue.add {
        await Task.yield()
        recorder.note(base + 13)
        return 1
      }
      await queue.add(after: value) { _ in recorder.note(base + 14) }
      await queue.add(AsyncOperation(ExecutionBlocks { recorder.note(base + 15) }))
      try await queue.enqueue([
        AsyncOperation { recorder.note(base + 16) }, AsyncOperation { recorder.note(base + 17) },
      ])
      await queue.addBarrier { recorder.note(base + 18) }
      try await queue.run { recorder.note(base + 19) }
    }
    await queue.waitUntilAllOperationsAreFinished()
    #expect(recorder.begun == Array(0..<400))
  }

  @Test("QA-13 A suspended queue accepts operations of every kind, and runs them when it resumes")
  func suspended() async throws {
    let queue = AsyncOperationQueue(isSuspended: true)
    let runs = Locked(0)
    await queue.add { runs.increment() }
    await queue.add {
      await Task.yield()
      runs.increment()
    }
    await queue.addBarrier { runs.increment() }
    try await queue.enqueue(AsyncOperation { runs.increment() })
    #expect(queue.snapshot.executingCount == 0)
    #expect(queue.operationCount == 3)
    #expect(runs.current == 0)
    await queue.resume()
    await queue.waitUntilAllOperationsAreFinished()
    #expect(runs.current == 4)
  }

  @Test("QA-14 A body may add to its own full queue without waiting for itself")
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

  @Test("QA-15 Who waits for all waits for what is added before the last of them has ended, too")
  func drained() async {
    let queue = AsyncOperationQueue()
    let (blocker, late) = (Blocker(), Blocker())
    await queue.add(blocker.operation)
    await blocker.begun.wait()
    let waiter = Task {
      await queue.waitUntilAllOperationsAreFinished()
      return late.operation.isFinished
    }
    await queue.add(late.operation)
    blocker.release.open()
    await blocker.operation.waitUntilFinished()
    late.release.open()
    #expect(await waiter.value)
  }
}
