import Testing
import TestSupport

@testable import StructuredOperations

extension AsyncOperationTests {
  @Suite("Cancelling")
  struct Cancelling {
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
      #expect(queue.snapshot.completedCount == 2_000)
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

    @Test(
      "What is cancelled before it could run is a cancelled one, also where a dependency has failed that had to succeed",
      arguments: [false, true])
    func failedDependency(isInQueue: Bool) async throws {
      let (failed, operation) = (AsyncOperation { throw Failure() }, AsyncOperation {})
      try await failed.start()
      try await operation.addDependency(failed, requiring: .success)
      operation.cancel()
      if isInQueue { await AsyncOperationQueue().addAndWait([operation]) } else { try await operation.start() }
      #expect(operation.outcome?.isCancelled == true)
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
