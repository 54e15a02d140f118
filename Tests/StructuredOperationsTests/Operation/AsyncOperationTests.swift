import Testing

@testable import StructuredOperations

@Suite("AsyncOperation", .hangGuard)
struct AsyncOperationTests {
  @Test("LC-01 A new operation is ready, and nothing else")
  func defaults() async {
    let operation = AsyncOperation {}
    #expect(operation.snapshot == OperationSnapshot(state: .ready, isCancelled: false))
    #expect(operation.isReady && !operation.isExecuting && !operation.isFinished && !operation.isCancelled)
    #expect(!operation.isAsynchronous)
    #expect(operation.name == nil)
    #expect(operation.queuePriority == .normal)
    #expect(await operation.dependencies.isEmpty)
    #expect(operation.outcome == nil)
  }

  @Test("LC-06 The outcome tells a value, an error and a cancellation apart")
  func outcomes() async throws {
    let success = AsyncOperation { 1 }
    let failure = AsyncOperation { throw Failure(code: 2) }
    let cancelled = AsyncOperation { 3 }
    cancelled.cancel()
    await AsyncOperationQueue().addAndWait([success, failure, cancelled])
    #expect(try await success.value == 1)
    #expect(failure.outcome?.error as? Failure == Failure(code: 2))
    #expect(cancelled.outcome?.isCancelled == true)
    await #expect(throws: Failure(code: 2)) { try await failure.value }
    await #expect(throws: CancellationError.self) { try await cancelled.value }
  }

  @Test("A value that was produced although the operation was cancelled is a success")
  func valueInSpiteOfCancellation() async throws {
    let operation = AsyncOperation {
      AsyncOperation.current?.cancel()
      return Task.isCancelled
    }
    try await operation.start()
    #expect(operation.isCancelled)
    #expect(try await operation.value)
  }

  @Test("CancellationError is a cancellation where the operation was cancelled, and a failure where not")
  func cancellationErrors() async throws {
    let cancelled = AsyncOperation {
      AsyncOperation.current?.cancel()
      try Task.checkCancellation()
    }
    let failed = AsyncOperation { throw CancellationError() }
    let other = AsyncOperation {
      AsyncOperation.current?.cancel()
      throw Failure()
    }
    await AsyncOperationQueue().addAndWait([cancelled, failed, other])
    #expect(cancelled.outcome?.isCancelled == true)
    #expect(failed.outcome?.error is CancellationError)
    #expect(other.outcome?.error is Failure)
  }

  @Test("WT-01 Any number of tasks may wait, and all are let go")
  func manyWaiters() async throws {
    let blocker = Blocker()
    await AsyncOperationQueue().add(blocker.operation)
    let waiters = (0..<1_000).map { _ in Task { await blocker.operation.waitUntilFinished() } }
    let readers = (0..<100).map { _ in Task { try await blocker.operation.value } }
    blocker.release.open()
    for waiter in waiters { await waiter.value }
    for reader in readers { try await reader.value }
    await blocker.operation.waitUntilFinished()
  }

  @Test("WT-06 Cancelling a waiting task neither cancels the operation nor cuts the wait short")
  func cancelledWaiter() async throws {
    let blocker = Blocker()
    await AsyncOperationQueue().add(blocker.operation)
    await blocker.begun.wait()
    let waiter = Task {
      await blocker.operation.waitUntilFinished()
      return (blocker.operation.isFinished, Task.isCancelled)
    }
    waiter.cancel()
    #expect(!blocker.operation.isCancelled)
    blocker.release.open()
    #expect(await waiter.value == (true, true))
  }

  @Test("Waiters come in while the operation finishes, and none is forgotten")
  func waiterRace() async {
    let queue = AsyncOperationQueue()
    for _ in 0..<1_000 {
      let operation = AsyncOperation { await Task.yield() }
      await queue.add(operation)
      await withTaskGroup { group in
        for _ in 0..<3 { group.addTask { await operation.waitUntilFinished() } }
      }
      #expect(operation.isFinished)
    }
  }

  @Test("Operations of different outputs go into one array, and know one another by identity")
  func mixedOutputs() async {
    let number = AsyncOperation(name: "number", queuePriority: .high) { 1 }
    let text = AsyncOperation(name: "text") {
      await Task.yield(); return ""
    }
    let operations: [any OperationProtocol] = [number, text]
    #expect(operations.map(\.name) == ["number", "text"])
    #expect(operations.map(\.queuePriority) == [.high, .normal])
    #expect(operations.map(\.isAsynchronous) == [false, true])
    #expect(operations[0] === number)
    #expect(operations[0].core === number.core)
  }

  @Test("Inside a body, and in its child tasks, the operation is the current one; elsewhere there is none")
  func current() async throws {
    #expect(AsyncOperation.current == nil)
    let seen = Locked<[String?]>([])
    let operation = AsyncOperation(name: "current") {
      seen.append(AsyncOperation.current?.name)
      await withTaskGroup { group in
        group.addTask { seen.append(AsyncOperation.current?.name) }
      }
      await Task { seen.append(AsyncOperation.current?.name) }.value
      await Task.detached { seen.append(AsyncOperation.current?.name) }.value
    }
    try await operation.start()
    #expect(seen.current == ["current", "current", "current", nil])
  }

  @Test("PR-07 A finished operation keeps its priority")
  func priorityAfterwards() async throws {
    let operation = AsyncOperation(queuePriority: .low) {}
    await operation.setQueuePriority(.high)
    #expect(operation.queuePriority == .high)
    try await operation.start()
    await operation.setQueuePriority(.veryLow)
    #expect(operation.queuePriority == .high)
  }
}
