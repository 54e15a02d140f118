import Testing

@testable import StructuredOperations

extension AsyncOperationTests {
  @Suite("Cancelling")
  struct Cancelling {
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
      #expect(await queue.snapshot.completedCount == 1)
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

    @Test("The cancellation may come while the body ends: it hits this operation or none")
    func raceWithFinish() async {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      for round in 0..<1_000 {
        let told = Locked(0)
        let operation = AsyncOperation {
          await withTaskCancellationHandler {
            await Task.yield()
          } onCancel: {
            told.increment()
          }
          return Task.isCancelled
        }
        let next = AsyncOperation {
          await Task.yield()
          return Task.isCancelled
        }
        await queue.add(operation, next)
        if round.isMultiple(of: 2) { await Task.yield() }
        async let cancelled: Void = operation.cancel()
        #expect((try? await next.value) == false)
        await cancelled
        await operation.waitUntilFinished()
        #expect(told.current <= 1)
        switch operation.outcome {
        case .success(let wasCancelled): #expect(!wasCancelled || operation.isCancelled)
        case .cancelled: #expect(operation.isCancelled && told.current == 0)
        default: Issue.record("round \(round) ended with \(String(describing: operation.outcome))")
        }
      }
      #expect(await queue.snapshot.completedCount == 2_000)
    }

    @Test("Synchronous bodies end while several threads cancel them")
    func raceOnThreads() async {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 8)
      for _ in 0..<50 {
        let operations = (0..<40).map { _ in AsyncOperation { Task.isCancelled } }
        await queue.add(operations)
        await withTaskGroup { group in
          for _ in 0..<4 {
            group.addTask { for operation in operations { operation.cancel() } }
          }
        }
        for operation in operations {
          await operation.waitUntilFinished()
          if case .success(true) = operation.outcome { #expect(operation.isCancelled) }
          #expect(operation.outcome?.error == nil)
        }
      }
    }

    @Test("An operation does not finish while a handler of its body runs")
    func handlerRuns() async {
      let (begun, inHandler, release) = (Gate(), Gate(), Gate())
      let operation = AsyncOperation(executor: LabelledExecutor("body")) {
        await withTaskCancellationHandler {
          begun.open()
          await inHandler.wait()
        } onCancel: {
          inHandler.open()
          release.waitBlocking()
        }
      }
      let queue = AsyncOperationQueue()
      await queue.add(operation)
      await begun.wait()
      let canceller = await queue.add { operation.cancel() }
      await inHandler.wait()
      #expect(operation.isExecuting)
      #expect(!canceller.isFinished)
      release.open()
      await queue.waitUntilAllOperationsAreFinished()
      #expect(operation.isCancelled)
    }
  }
}
