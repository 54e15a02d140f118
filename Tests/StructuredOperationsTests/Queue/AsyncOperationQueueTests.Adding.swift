import Testing

@testable import StructuredOperations

extension AsyncOperationQueueTests {
  @Suite("Adding")
  struct Adding {
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

    @Test("PR-08 A batch is ranked as a whole before any of it starts")
    func batch() async {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      for _ in 0..<100 {
        let recorder = Recorder<QueuePriority>()
        await queue.addAndWait(
          QueuePriority.allCases.map { priority in
            AsyncOperation(queuePriority: priority) { recorder.note(priority) }
          })
        #expect(recorder.begun == QueuePriority.allCases.reversed())
      }
    }

    @Test("QA-09 An empty batch is nothing")
    func emptyBatch() async throws {
      let queue = AsyncOperationQueue()
      #expect(await queue.add([]) == 0)
      try await queue.enqueue([])
      await queue.addAndWait([])
      #expect(await queue.snapshot.totalCount == 0)
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

    @Test("D-1 add says whether it enqueued; what is somewhere already runs once all the same")
    func lenient() async throws {
      let (queue, other) = (AsyncOperationQueue(isSuspended: true), AsyncOperationQueue())
      let runs = Locked(0)
      let operation = AsyncOperation { runs.increment() }
      #expect(await queue.add(operation))
      #expect(await !queue.add(operation))
      #expect(await !other.add(operation))
      #expect(await other.add([operation, operation]) == 0)
      #expect(await queue.operationCount == 1)
      await queue.resume()
      await operation.waitUntilFinished()
      #expect(await !queue.add(operation))
      #expect(runs.current == 1)
      let twice = AsyncOperation {}
      #expect(await queue.add(twice, twice) == 1)
      #expect(await other.snapshot.totalCount == 0)
      await queue.waitUntilAllOperationsAreFinished()
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

    @Test("QA-07, QA-08 A batch with a fault in it adds none, and the others can be added afterwards")
    func atomicBatch() async throws {
      let queue = AsyncOperationQueue()
      let finished = AsyncOperation {}
      try await finished.start()
      let good = (0..<3).map { _ in AsyncOperation {} }
      await #expect(throws: OperationError.alreadyFinished) { try await queue.enqueue(good + [finished]) }
      await #expect(throws: OperationError.alreadyEnqueued) { try await queue.enqueue(good + [good[0]]) }
      #expect(await queue.snapshot.totalCount == 0)
      #expect(good.allSatisfy { $0.state == .ready })
      try await queue.enqueue(good)
      await queue.waitUntilAllOperationsAreFinished()
      #expect(await queue.snapshot.completedCount == 3)
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
      for queue in queues { total += await queue.snapshot.completedCount }
      #expect(total == 500)
    }

    @Test("RD-06 A dependency that finishes while its dependent is added wakes it, 5 000 times")
    func lostWakeup() async throws {
      let (queue, other) = (AsyncOperationQueue(), AsyncOperationQueue(maxConcurrentOperationCount: 1))
      for round in 0..<5_000 {
        let dependency = AsyncOperation {}
        let operation = AsyncOperation {}
        try await operation.addDependency(dependency)
        await queue.add(dependency)
        if round.isMultiple(of: 3) { await Task.yield() }
        await (round.isMultiple(of: 2) ? queue : other).add(operation)
        await operation.waitUntilFinished()
        if round.isMultiple(of: 500) { HangGuard.progress() }
      }
      #expect(await queue.operationCount == 0)
    }

    @Test("RD-06 Several tasks add while operations finish, and every one runs")
    func addsUnderLoad() async {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 3)
      let runs = Locked(0)
      await withTaskGroup { group in
        for _ in 0..<4 {
          group.addTask {
            for number in 0..<1_000 {
              if number.isMultiple(of: 2) {
                await queue.add { runs.increment() }
              } else {
                let operation = AsyncOperation {
                  await Task.yield(); runs.increment()
                }
                await queue.add(operation)
                if number.isMultiple(of: 7) { await operation.waitUntilFinished() }
              }
            }
          }
        }
      }
      await queue.waitUntilAllOperationsAreFinished()
      #expect(runs.current == 4_000)
      #expect(await queue.snapshot.completedCount == 4_000)
    }
  }
}
