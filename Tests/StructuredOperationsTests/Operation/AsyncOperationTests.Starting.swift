import Testing

@testable import StructuredOperations

extension AsyncOperationTests {
  @Suite("Starting")
  struct Starting {
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

    @Test("Starting and adding at once, exactly one of them runs it")
    func raceWithQueue() async {
      let queue = AsyncOperationQueue()
      for _ in 0..<500 {
        let runs = Locked(0)
        let operation = AsyncOperation { runs.increment() }
        async let isAdded = queue.add(operation)
        async let start: Void? = try? operation.start()
        let (wasAdded, wasStarted) = await (isAdded, start != nil)
        await operation.waitUntilFinished()
        #expect(runs.current == 1)
        #expect(wasAdded || wasStarted)
      }
      #expect(await queue.snapshot.operationCount == 0)
    }

    @Test("The body's error is its outcome, and not thrown by start()")
    func error() async throws {
      let operation = AsyncOperation { throw Failure(code: 3) }
      try await operation.start()
      #expect(operation.outcome?.error as? Failure == Failure(code: 3))
    }

    @Test(
      "Cancelling the calling task cancels the operation, before it begins and while it runs", arguments: [false, true])
    func callerCancelled(isEarly: Bool) async throws {
      let (begun, go) = (Gate(), Gate())
      let operation = AsyncOperation {
        begun.open()
        await withTaskCancellationHandler {
          await go.wait()
        } onCancel: {
          go.open()
        }
        try Task.checkCancellation()
      }
      let caller = Task {
        if isEarly { await go.wait() }
        try await operation.start()
      }
      if !isEarly { await begun.wait() }
      caller.cancel()
      if isEarly { go.open() }
      try await caller.value
      #expect(operation.isCancelled)
      #expect(operation.outcome?.isCancelled == true)
    }

    @Test("Cancelling the operation leaves the calling task alone")
    func callerNotCancelled() async throws {
      let operation = AsyncOperation { AsyncOperation.current?.cancel() }
      let caller = Task {
        try await operation.start()
        return Task.isCancelled
      }
      #expect(try await !caller.value)
      #expect(operation.isCancelled)
    }

    @Test("Where a dependency that had to succeed did not, the operation finishes unrun when it is started")
    func failedDependency() async throws {
      let dependency = AsyncOperation { throw Failure() }
      let runs = Locked(0)
      let operation = AsyncOperation { runs.increment() }
      try await operation.addDependency(dependency, requiring: .success)
      try await dependency.start()
      #expect(operation.snapshot == OperationSnapshot(state: .ready, isCancelled: false))
      try await operation.start()
      #expect((operation.outcome?.error as? OperationError)?.root?.operation === dependency)
      #expect(runs.current == 0)
    }

    @Test("ST-10 Started by hand there is a current operation, but no current queue")
    func noQueue() async throws {
      let operation = AsyncOperation {
        #expect(AsyncOperation.current != nil)
        #expect(AsyncOperationQueue.current == nil)
      }
      try await operation.start()
    }

    @Test("What is started by hand lets dependents in queues go")
    func dependents() async throws {
      let queue = AsyncOperationQueue()
      let dependency = AsyncOperation {}
      let operation = AsyncOperation {}
      try await operation.addDependency(dependency)
      await queue.add(operation)
      #expect(operation.state == .pending)
      try await dependency.start()
      await operation.waitUntilFinished()
    }
  }
}
