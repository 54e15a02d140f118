import Testing
import TestSupport

@testable import StructuredOperations

extension AsyncOperationTests {
  @Suite("Starting")
  struct Starting {
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
      #expect(queue.snapshot.operationCount == 0)
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

    // Cancelling the calling task cancels that of the body, a child, before it cancels the operation. Here only the
    // task of the body is cancelled.
    @Test("A body that ends because its task is cancelled is cancelled, before the operation is told")
    func taskCancelled() async throws {
      let operation = AsyncOperation {
        withUnsafeCurrentTask { $0?.cancel() }
        throw CancellationError()
      }
      try await operation.start()
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

    @Test("An operation that is started without a queue makes its dependents in queues ready")
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

    @Test("Who waits for an operation that is started without a queue finds its dependents ready, also those in queues")
    func dependentsBeforeWaiters() async throws {
      let queue = AsyncOperationQueue(isSuspended: true)
      let (operation, dependent) = (AsyncOperation {}, AsyncOperation {})
      try await dependent.addDependency(operation)
      await queue.add(dependent)
      let isReady = OneShot<Bool>()
      // Waits already, and goes on where it is let go.
      Task(executorPreference: InlineExecutor()) {
        await operation.waitUntilFinished()
        isReady.fulfil(with: dependent.isReady)
      }

      try await operation.start()

      #expect(await isReady.value)
      await queue.resume()
      await dependent.waitUntilFinished()
    }
  }
}
