import Testing
import TestSupport

@testable import StructuredOperations

extension AsyncOperationQueueTests {
  @Suite("Adding")
  struct Adding {
    @Test("D-1 add says whether it enqueued; what is somewhere already runs once all the same")
    func lenient() async throws {
      let (queue, other) = (AsyncOperationQueue(isSuspended: true), AsyncOperationQueue())
      let runs = Locked(0)
      let operation = AsyncOperation { runs.increment() }
      #expect(await queue.add(operation))
      #expect(await !queue.add(operation))
      #expect(await !other.add(operation))
      #expect(await other.add([operation, operation]) == 0)
      #expect(queue.operationCount == 1)
      await queue.resume()
      await operation.waitUntilFinished()
      #expect(await !queue.add(operation))
      #expect(runs.current == 1)
      let twice = AsyncOperation {}
      #expect(await queue.add(twice, twice) == 1)
      #expect(other.snapshot.totalCount == 0)
      await queue.waitUntilAllOperationsAreFinished()
    }

    @Test("An operation that was cancelled while a faulty batch held it is neither lost nor stuck")
    func cancelledInFaultyBatch() async throws {
      let queue = AsyncOperationQueue()
      for _ in 0..<300 {
        let (good, shared) = (AsyncOperation {}, AsyncOperation {})
        async let batch: Void? = try? queue.enqueue([good, shared])
        async let single = queue.add(shared)
        async let cancelled: Void = good.cancel()
        let (isBatch, isSingle, _) = await (batch != nil, single, cancelled)
        #expect(isBatch != isSingle)
        await shared.waitUntilFinished()
        if !isBatch { #expect(await queue.add(good)) }
        await good.waitUntilFinished()
      }
    }

    @Test("A batch whose last operation another queue has taken meanwhile leaves the others and the queue as they were")
    func takenMeanwhile() async throws {
      let (queue, other) = (AsyncOperationQueue(), AsyncOperationQueue(isSuspended: true))
      let (good, taken) = (AsyncOperation {}, AsyncOperation {})

      await #expect(throws: OperationError.alreadyEnqueued) {
        try await queue.enqueue([good, TakenMeanwhile(taken, after: good, by: other)])
      }

      #expect(!queue.shared.isAdding && good.storage.isIdle)
      await other.resume()
      await taken.waitUntilFinished()
      await queue.addAndWait([good])
    }

    @Test("What is withdrawn from a batch stands in no line for its limits", arguments: [false, true])
    func withdrawn(isNextInSameQueue: Bool) async throws {
      let (queue, limit, operation) = (AsyncOperationQueue(), ConcurrencyLimit(1), AsyncOperation {})
      try await operation.addLimit(limit)
      try queue.assign(operation)
      let next = await (isNextInSameQueue ? queue : AsyncOperationQueue()).add(limits: [limit]) {}
      // A turn, which finds the other one in line before it.
      await queue.process()
      #expect(next.state == .ready)

      operation.storage.withdraw()
      queue.perform(queue.shared.endAdding())

      await next.waitUntilFinished()
    }

    @Test("One of a batch that is cancelled before that is posted leaves a full queue at once")
    func cancelledBeforePosting() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      let (blocker, operation) = (Blocker(), AsyncOperation {})
      await queue.add(blocker.operation)
      await blocker.begun.wait()
      let batch = try queue.assign(operation)
      operation.cancel()
      // A turn that hears of it too early.
      await queue.process()

      queue.post(batch)

      await operation.waitUntilFinished()
      #expect(blocker.operation.isExecuting)
      blocker.release.open()
    }

    @Test("Four queues take the same operation at once: exactly one gets it, and it runs once")
    func race() async {
      let queues = (0..<4).map { _ in AsyncOperationQueue() }
      for round in 0..<500 {
        let runs = Locked(0)
        let operation = AsyncOperation { runs.increment() }
        let winners = await withTaskGroup { group in
          for queue in queues {
            group.addTask {
              round.isMultiple(of: 2) ? await queue.add(operation) : (try? await queue.enqueue(operation)) != nil
            }
          }
          return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        await operation.waitUntilFinished()
        #expect(winners == 1)
        #expect(runs.current == 1)
      }
      var total = 0
      for queue in queues { total += queue.snapshot.completedCount }
      #expect(total == 500)
    }
  }
}
