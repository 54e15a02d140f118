import Testing
import TestSupport

@testable import StructuredOperations

@Suite("ST Starting by hand", .hangGuard)
struct StartSemantics {
  @Test("ST-01 When start() returns the operation has finished, whatever its body")
  func finishes() async throws {
    let operations: [any OperationProtocol] = [
      AsyncOperation {},
      AsyncOperation { await Task.yield() },
      AsyncOperation<Void> { completion in Task.detached { completion.finish() } },
      AsyncOperation(ExecutionBlocks {}),
    ]
    for operation in operations {
      try await operation.start()
      #expect(operation.isFinished)
    }
  }

  @Test("ST-01 Started by hand an operation executes, finishes, and runs its completion block")
  func readyOperation() async throws {
    let done = Gate()
    let operation = AsyncOperation { 1 }
    let history = operation.history()
    await operation.setCompletionBlock { done.open() }
    try await operation.start()
    await done.wait()
    #expect(await history.value.map(short) == ["ready", "executing", "finished"])
    #expect(try await operation.value == 1)
  }

  @Test("ST-02 An operation that is not ready says so, stays unharmed, and can be started later")
  func notReady() async throws {
    let runs = Locked(0)
    let operation = AsyncOperation { runs.increment() }
    let dependency = AsyncOperation {}
    try await operation.addDependency(dependency)
    await #expect(throws: OperationError.notReady) { try await operation.start() }
    #expect(operation.state == .pending)
    try await dependency.start()
    try await operation.start()
    #expect(runs.current == 1)
  }

  @Test("ST-03 One that executes says so")
  func executing() async throws {
    let blocker = Blocker()
    async let start: Void = blocker.operation.start()
    await blocker.begun.wait()
    await #expect(throws: OperationError.alreadyExecuting) { try await blocker.operation.start() }
    blocker.release.open()
    try await start
  }

  @Test("ST-04 On a finished one nothing happens, not even where it got a new dependency")
  func finished() async throws {
    let runs = Locked(0)
    let operation = AsyncOperation { runs.increment() }
    try await operation.start()
    try await operation.addDependency(AsyncOperation {})
    try await operation.start()
    #expect(runs.current == 1)
  }

  @Test("ST-05 A cancelled one finishes unrun, also with unfinished dependencies", arguments: [false, true])
  func cancelled(isPending: Bool) async throws {
    let runs = Locked(0)
    let operation = AsyncOperation { runs.increment() }
    if isPending { try await operation.addDependency(AsyncOperation {}) }
    operation.cancel()
    #expect(!operation.isFinished)
    try await operation.start()
    #expect(operation.outcome?.isCancelled == true)
    #expect(runs.current == 0)
  }

  @Test("ST-06 One in a queue says so, while it waits and while it executes")
  func enqueued() async throws {
    let queue = AsyncOperationQueue(isSuspended: true)
    let blocker = Blocker()
    await queue.add(blocker.operation)
    await #expect(throws: OperationError.alreadyEnqueued) { try await blocker.operation.start() }
    await queue.resume()
    await blocker.begun.wait()
    await #expect(throws: OperationError.alreadyExecuting) { try await blocker.operation.start() }
    blocker.release.open()
    await blocker.operation.waitUntilFinished()
  }

  @Test("ST-07 Of several that start it at once exactly one runs it")
  func race() async {
    for _ in 0..<500 {
      let runs = Locked(0)
      let misses = Locked(0)
      let operation = AsyncOperation {
        runs.increment()
        await Task.yield()
      }
      await withTaskGroup { group in
        for _ in 0..<4 {
          group.addTask {
            do { try await operation.start() } catch { misses.increment() }
          }
        }
      }
      #expect(runs.current == 1)
      #expect(misses.current <= 3)
    }
  }

  @Test("ST-07 The one that comes second is told that the operation executes")
  func loser() async throws {
    let blocker = Blocker()
    let results = (0..<2).map { _ in Task { try await blocker.operation.start() } }
    await blocker.begun.wait()
    let errors = Locked<[OperationError]>([])
    await withTaskGroup { group in
      for result in results {
        group.addTask {
          do { try await result.value } catch let error as OperationError { errors.append(error) } catch {}
          // The one that throws does so before the other can end.
          blocker.release.open()
        }
      }
    }
    #expect(errors.current == [.alreadyExecuting])
  }

  @Test("ST-08 What was started by hand cannot be added, while it executes and afterwards")
  func addedAfterwards() async throws {
    let queue = AsyncOperationQueue()
    let blocker = Blocker()
    async let start: Void = blocker.operation.start()
    await blocker.begun.wait()
    #expect(await !queue.add(blocker.operation))
    await #expect(throws: OperationError.alreadyExecuting) { try await queue.enqueue(blocker.operation) }
    blocker.release.open()
    try await start
    #expect(await !queue.add(blocker.operation))
    await #expect(throws: OperationError.alreadyFinished) { try await queue.enqueue(blocker.operation) }
    #expect(queue.snapshot.totalCount == 0)
  }

  private struct Body: AsynchronousOperationBody {
    let calls: Locked<[String]>

    func start() async throws {
      calls.append(AsyncOperation.current.map { short($0.snapshot) } ?? "none")
      await Task.yield()
      try Task.checkCancellation()
    }
  }

  @Test("ST-09 A start() of one's own keeps no books: it finds itself executing, and its return is the finish")
  func ownStart() async throws {
    let calls = Locked<[String]>([])
    let (operation, cancelled) = (AsyncOperation(Body(calls: calls)), AsyncOperation(Body(calls: calls)))
    let histories = (operation.history(), cancelled.history())
    cancelled.cancel()
    try await operation.start()
    try await cancelled.start()
    #expect(calls.current == ["executing"], "the cancelled one is not called")
    #expect(await histories.0.value.map(short) == ["ready", "executing", "finished"])
    #expect(await histories.1.value.map(short).suffix(2) == ["ready*", "finished*"])
  }

  @Test("ST-10 Started by hand there is a current operation, but no current queue")
  func noQueue() async throws {
    let operation = AsyncOperation {
      #expect(AsyncOperation.current != nil)
      #expect(AsyncOperationQueue.current == nil)
    }
    try await operation.start()
  }

  @Test("ST-10 Started by hand an operation needs no slot, no rank, and has its caller's task priority")
  func noPolicy() async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
    let blocker = Blocker(queuePriority: .veryHigh)
    await queue.add(blocker.operation)
    await blocker.begun.wait()
    let operation = AsyncOperation(queuePriority: .veryLow) { Task.basePriority }
    try await Task(priority: .low) { try await operation.start() }.value
    #expect(try await operation.value == .low)
    #expect(blocker.operation.isExecuting)
    blocker.release.open()
    await blocker.operation.waitUntilFinished()
  }
}
