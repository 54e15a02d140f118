import Testing
import TestSupport

@testable import StructuredOperations

@Suite("CN Cancelling", .hangGuard)
struct CancellationSemantics {
  @Test("CN-01 A body that runs sees the cancellation in every way that tasks know")
  func seen() async throws {
    let (begun, told) = (Gate(), Gate())
    let operation = AsyncOperation {
      await withTaskCancellationHandler {
        begun.open()
        await told.wait()
      } onCancel: {
        told.open()
      }
      #expect(Task.isCancelled)
      try Task.checkCancellation()
    }
    await AsyncOperationQueue().add(operation)
    await begun.wait()
    operation.cancel()
    #expect(told.isOpen)
    await operation.waitUntilFinished()
    #expect(operation.outcome?.isCancelled == true)
  }

  @Test("CN-01 A synchronous body may ask for it")
  func synchronousBody() async throws {
    let (begun, go) = (Gate(), Gate())
    let operation = AsyncOperation {
      begun.open()
      go.waitBlocking()
      return Task.isCancelled
    }
    await AsyncOperationQueue().add(operation)
    await begun.wait()
    operation.cancel()
    go.open()
    #expect(try await operation.value)
  }

  @Test("CN-01 A body that does not ask goes on to its end, and its value counts")
  func advisory() async throws {
    let (begun, release) = (Gate(), Gate())
    let operation = AsyncOperation {
      begun.open()
      release.waitBlocking()
      return (0..<10).reduce(0, +)
    }
    await AsyncOperationQueue().add(operation)
    await begun.wait()
    operation.cancel()
    release.open()
    #expect(try await operation.value == 45)
    #expect(operation.isCancelled)
  }

  @Test("CN-02 Cancelling is for good, and told once, however many cancel")
  func once() async throws {
    let operation = AsyncOperation {}
    let history = operation.history()
    await withTaskGroup { group in
      for _ in 0..<8 { group.addTask { for _ in 0..<100 { operation.cancel() } } }
    }
    #expect(operation.isCancelled)
    try await operation.addDependency(AsyncOperation {})
    #expect(operation.isCancelled)
    try await operation.start()
    #expect(operation.isCancelled)
    #expect(await history.value.map(short) == ["ready", "ready*", "finished*"])
  }

  @Test("CN-03 A finished operation cannot be cancelled")
  func finished() async throws {
    let operation = AsyncOperation {}
    try await operation.start()
    operation.cancel()
    #expect(operation.snapshot == OperationSnapshot(state: .finished, isCancelled: false))
    #expect(operation.outcome?.isSuccess == true)
  }

  @Test("CN-04 In no queue a cancelled operation is ready and unfinished until it is started")
  func unqueued() async throws {
    let operation = AsyncOperation {}
    try await operation.addDependency(AsyncOperation {})
    operation.cancel()
    #expect(operation.snapshot == OperationSnapshot(state: .ready, isCancelled: true))
    try await operation.start()
    #expect(operation.isFinished)
  }

  @Test("CN-05 A cancelled operation can be added, and finishes unrun")
  func addedAfterwards() async {
    let runs = Locked(0)
    let operation = AsyncOperation { runs.increment() }
    operation.cancel()
    let queue = AsyncOperationQueue()
    #expect(await queue.add(operation))
    await operation.waitUntilFinished()
    #expect(runs.current == 0)
    #expect(queue.snapshot.completedCount == 1)
  }

  @Test("CN-06, CN-07 A pending or ready one leaves a full queue at once", arguments: [false, true])
  func fullQueue(isPending: Bool) async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
    let blocker = Blocker()
    await queue.add(blocker.operation)
    await blocker.begun.wait()
    let operation = AsyncOperation {}
    if isPending { try await operation.addDependency(AsyncOperation {}) }
    await queue.add(operation)
    operation.cancel()
    await operation.waitUntilFinished()
    #expect(blocker.operation.isExecuting)
    blocker.release.open()
  }

  @Test("CN-08 In a suspended queue it stays until that is resumed")
  func suspendedQueue() async {
    let queue = AsyncOperationQueue(isSuspended: true)
    let operation = AsyncOperation {}
    await queue.add(operation)
    operation.cancel()
    #expect(await queue.operations.count == 1)
    #expect(operation.snapshot == OperationSnapshot(state: .ready, isCancelled: true))
    await queue.resume()
    await operation.waitUntilFinished()
    #expect(operation.outcome?.isCancelled == true)
  }

  @Test("CN-09 One that executes keeps its slot and its state until its body returns")
  func executing() async {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
    let blocker = Blocker()
    let next = AsyncOperation {}
    let history = blocker.operation.history()
    await queue.add(blocker.operation, next)
    await blocker.begun.wait()
    blocker.operation.cancel()
    #expect(blocker.operation.snapshot == OperationSnapshot(state: .executing, isCancelled: true))
    #expect(queue.snapshot.executingCount == 1)
    #expect(next.state == .ready)
    blocker.release.open()
    await next.waitUntilFinished()
    #expect(await history.value.map(short) == ["ready", "executing", "executing*", "finished*"])
    #expect(blocker.operation.outcome?.isSuccess == true)
  }

  @Test("CN-10 A handler in the body may cancel its own operation again, others, and the whole queue")
  func fromHandler() async {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
    let (begun, told) = (Gate(), Gate())
    let other = AsyncOperation {}
    let operation = AsyncOperation {
      let current = AsyncOperation.current
      await withTaskCancellationHandler {
        begun.open()
        await told.wait()
      } onCancel: {
        current?.cancel()
        other.cancel()
        Task {
          await queue.cancelAllOperations()
          told.open()
        }
      }
    }
    await queue.add(operation, other)
    await begun.wait()
    operation.cancel()
    await queue.waitUntilAllOperationsAreFinished()
    #expect(operation.isCancelled)
    #expect(other.outcome?.isCancelled == true)
  }

  @Test("CN-10 A body may cancel its whole queue, itself included")
  func fromBody() async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
    let first = AsyncOperation {
      await queue.cancelAllOperations()
      return Task.isCancelled
    }
    let second = AsyncOperation {}
    await queue.add(first, second)
    #expect(try await first.value)
    await second.waitUntilFinished()
    #expect(second.outcome?.isCancelled == true)
  }

  @Test("CN-11 Dependents of a cancelled operation run")
  func dependents() async throws {
    let dependency = AsyncOperation {}
    let operation = AsyncOperation { 1 }
    try await operation.addDependency(dependency)
    dependency.cancel()
    #expect(operation.state == .pending)
    await AsyncOperationQueue().add(operation, dependency)
    #expect(try await operation.value == 1)
  }

  @Test("CN-12 The completion block of a cancelled operation runs", arguments: OperationStage.allCases)
  func completionBlock(stage: OperationStage) async throws {
    let queue = AsyncOperationQueue(isSuspended: true)
    let (blocker, done) = (Blocker(), Gate())
    let operation = blocker.operation
    if stage == .pending { try await operation.addDependency(AsyncOperation {}) }
    await operation.setCompletionBlock { [operation] in
      #expect(operation.isCancelled)
      done.open()
    }
    if stage == .idle { operation.cancel() }
    await queue.add(operation)
    if stage == .executing {
      await queue.resume()
      await blocker.begun.wait()
    }
    operation.cancel()
    blocker.release.open()
    await queue.resume()
    await done.wait()
    #expect(operation.isFinished)
  }

  @Test("CN-13 Waiters of a cancelled operation are let go when it leaves")
  func waiters() async {
    let queue = AsyncOperationQueue(isSuspended: true)
    let operation = AsyncOperation {}
    await queue.add(operation)
    let waiters = (0..<10).map { _ in Task { await operation.waitUntilFinished() } }
    operation.cancel()
    await queue.resume()
    for waiter in waiters { await waiter.value }
  }

  @Test("CN-13 Those who wait for a cancelled operation in no queue wait until somebody starts it")
  func waitersOfUnqueued() async throws {
    let operation = AsyncOperation {}
    operation.cancel()
    let returned = Gate()
    let waiter = Task {
      await operation.waitUntilFinished()
      returned.open()
    }
    await AsyncOperationQueue(maxConcurrentOperationCount: 1).addAndWait((0..<100).map { _ in AsyncOperation {} })
    #expect(!returned.isOpen)
    #expect(!operation.isFinished)
    try await operation.start()
    await waiter.value
  }

  @Test("CN-14 A callback body that was cancelled before is not called; one that was called has to finish all the same")
  func asynchronousBody() async throws {
    let (begun, calls) = (Gate(), Locked(0))
    let held = Locked<OperationCompletion<Int>?>(nil)
    func make() -> AsyncOperation<Int> {
      AsyncOperation { completion in
        calls.increment()
        held.withLock { $0 = completion }
        begun.open()
      }
    }
    let (early, late) = (make(), make())
    early.cancel()
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
    await queue.addAndWait([early])
    #expect(early.outcome?.isCancelled == true)
    #expect(calls.current == 0)
    await queue.add(late)
    await begun.wait()
    late.cancel()
    #expect(late.isExecuting)
    #expect(queue.operationCount == 1)
    held.current?.finish(throwing: CancellationError())
    await late.waitUntilFinished()
    #expect(late.outcome?.isCancelled == true)
  }

  @Test("CN-15 Cancelling a task that waits leaves the operation alone, however the task waits")
  func waitingTask() async throws {
    let blocker = Blocker()
    let queue = AsyncOperationQueue()
    await queue.add(blocker.operation)
    await blocker.begun.wait()
    let waiters = [
      Task { await blocker.operation.waitUntilFinished() },
      Task { _ = try? await blocker.operation.value },
      Task { await queue.addAndWait([blocker.operation]) },
      Task { await queue.waitUntilAllOperationsAreFinished() },
      Task { for await _ in blocker.operation.states {} },
    ]
    for waiter in waiters { waiter.cancel() }
    #expect(!blocker.operation.isCancelled)
    blocker.release.open()
    for waiter in waiters { await waiter.value }
    #expect(blocker.operation.snapshot == OperationSnapshot(state: .finished, isCancelled: false))
    #expect(blocker.operation.outcome?.isSuccess == true)
  }

  @Test("CN-16 Cancelled one by one from the end of a chain, none of it runs")
  func chainOneByOne() async throws {
    let queue = AsyncOperationQueue()
    let blocker = Blocker()
    var chain = [blocker.operation]
    let runs = Locked(0)
    for _ in 0..<20 {
      let next = AsyncOperation { runs.increment() }
      try await next.addDependency(chain[chain.count - 1])
      chain.append(next)
    }
    await queue.add(chain)
    await blocker.begun.wait()
    for operation in chain.reversed() { operation.cancel() }
    blocker.release.open()
    await queue.waitUntilAllOperationsAreFinished()
    #expect(runs.current == 0)
  }
}
