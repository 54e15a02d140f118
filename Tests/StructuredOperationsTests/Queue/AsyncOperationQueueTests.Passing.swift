import Testing
import TestSupport

@testable import StructuredOperations

extension AsyncOperationQueueTests {
  @Suite("Passing barriers")
  struct Passing {
    private let recorder = Recorder<String>()

    private func operation(_ name: String, _ priority: QueuePriority = .normal) -> AsyncOperation<Void> {
      AsyncOperation(name: name, queuePriority: priority) { recorder.note(name) }
    }

    private func addBarrier(to queue: AsyncOperationQueue, _ name: String = "barrier") async {
      await queue.addBarrier { recorder.note(name) }
    }

    /// An operation that depends on others.
    private func dependent(
      _ name: String,
      after others: any OperationProtocol...
    ) async throws -> AsyncOperation<Void> {
      let operation = operation(name)
      for other in others { try await operation.addDependency(other) }
      return operation
    }

    @Test("A chain of blocked operations through other queues, suspended ones too, and none, lets the last one pass")
    func chain() async throws {
      let (queue, other, held) = (AsyncOperationQueue(), AsyncOperationQueue(), AsyncOperationQueue(isSuspended: true))
      let late = operation("late")
      let third = try await dependent("third", after: late)
      let second = try await dependent("second", after: third)
      let first = try await dependent("first", after: second)
      await queue.add(try await dependent("early", after: first))
      await addBarrier(to: queue)
      await queue.add(operation("behind"), late)
      await other.add(first)
      await held.add(third)
      await late.waitUntilFinished()
      #expect(await queue.becomesQuiescent())
      #expect(recorder.ended == ["late"])
      await held.resume()
      await third.waitUntilFinished()
      try await second.start()
      await queue.waitUntilAllOperationsAreFinished()
      #expect(recorder.ended == ["late", "third", "second", "first", "early", "barrier", "behind"])
    }

    @Test("What is added behind the barrier when the queue is quiescent passes, too")
    func addedAtRest() async throws {
      let queue = AsyncOperationQueue()
      let late = operation("late")
      await queue.add(try await dependent("early", after: late))
      await addBarrier(to: queue)
      await queue.add(operation("behind"))
      #expect(await queue.becomesQuiescent())
      await queue.add(late)
      await queue.waitUntilAllOperationsAreFinished()
      #expect(recorder.ended == ["late", "early", "barrier", "behind"])
    }

    @Test("So does what one on the way depends on from later on", arguments: [false, true])
    func dependencyAddedAtRest(isInQueue: Bool) async throws {
      let (queue, gate) = (AsyncOperationQueue(), AsyncOperation {})
      let late = operation("late")
      let middle = try await dependent("middle", after: gate)
      let early = try await dependent("early", after: middle)
      await queue.add(early)
      if isInQueue { await AsyncOperationQueue().add(middle) }
      await addBarrier(to: queue)
      await queue.add(late)
      #expect(await queue.becomesQuiescent())
      try await middle.addDependency(late)
      await late.waitUntilFinished()
      try await gate.start()
      if !isInQueue { try await middle.start() }
      await queue.waitUntilAllOperationsAreFinished()
      #expect(recorder.ended == ["late", "middle", "early", "barrier"])
    }

    @Test("Several that pass several barriers keep their priorities and their order, and others stay")
    func order() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      let late = [operation("low", .low), operation("1"), operation("2"), operation("high", .high)]
      let early = try await dependent("early", after: late[3], late[2], late[1], late[0])
      await queue.suspend()
      await queue.add(early)
      for (number, operation) in late.enumerated() {
        await addBarrier(to: queue, "barrier \(number)")
        await queue.add(self.operation("other \(number)", .veryHigh), operation)
      }
      await queue.resume()
      await queue.waitUntilAllOperationsAreFinished()
      let rest = (0..<4).flatMap { ["barrier \($0)", "other \($0)"] }
      #expect(recorder.ended == ["high", "1", "2", "low", "early"] + rest)
    }

    @Test("One that passes lets what it depends on pass, through any number of barriers")
    func chainBehind() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      let later = operation("later")
      let late = try await dependent("late", after: later)
      await queue.add(try await dependent("early", after: late))
      await addBarrier(to: queue, "1")
      await queue.add(late)
      await addBarrier(to: queue, "2")
      await queue.add(later)
      await queue.waitUntilAllOperationsAreFinished()
      #expect(recorder.ended == ["later", "late", "early", "1", "2"])
    }

    @Test("Each barrier is passed in its turn where each part of the queue depends on the next")
    func eachBarrier() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 2)
      var expected: [String] = []
      for number in 0..<50 {
        let late = operation("late \(number)")
        await queue.add(try await dependent("early \(number)", after: late))
        await addBarrier(to: queue, "barrier \(number)")
        await queue.add(late)
        expected += ["late \(number)", "early \(number)", "barrier \(number)"]
      }
      await queue.waitUntilAllOperationsAreFinished()
      #expect(recorder.ended == expected)
    }

    @Test("In a suspended queue nothing passes, nor at limit 0", arguments: [false, true])
    func heldUp(isSuspended: Bool) async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: isSuspended ? 1 : 0, isSuspended: isSuspended)
      let late = operation("late")
      await queue.add(try await dependent("early", after: late))
      await addBarrier(to: queue)
      await queue.add(late)
      #expect(await queue.becomesQuiescent())
      #expect(await queue.state.scheduler.aheadOfBarrier.count == 1)
      #expect(recorder.begun == [])
      if isSuspended { await queue.resume() } else { try await queue.setMaxConcurrentOperationCount(1) }
      await queue.waitUntilAllOperationsAreFinished()
      #expect(recorder.ended == ["late", "early", "barrier"])
    }

    @Test("An operation that is cancelled behind the barrier is skipped, and whoever depends on it runs, or fails")
    func cancelled() async throws {
      let queue = AsyncOperationQueue(isSuspended: true)
      let late = operation("late")
      let early = try await dependent("early", after: late)
      let strict = operation("strict")
      try await strict.addDependency(late, requiring: .success)
      await queue.add(early, strict)
      await addBarrier(to: queue)
      await queue.add(late)
      late.cancel()
      await queue.resume()
      await queue.waitUntilAllOperationsAreFinished()
      #expect(recorder.ended == ["early", "barrier"])
      #expect((strict.outcome?.error as? OperationError)?.root?.operation === late)
    }

    @Test("One that fails after it has passed fails those that require its success")
    func failing() async throws {
      let queue = AsyncOperationQueue()
      let late = AsyncOperation<Void> { throw Failure(code: 1) }
      let early = operation("early")
      try await early.addDependency(late, requiring: .success)
      await queue.add(early)
      await addBarrier(to: queue)
      await queue.add(late)
      await queue.waitUntilAllOperationsAreFinished()
      #expect(recorder.ended == ["barrier"])
      #expect((early.outcome?.error as? OperationError)?.root?.operation === late)
    }

    @Test(
      "Where the one ahead is cancelled, or does not depend on it any more, nothing passes", arguments: [false, true])
    func neededNoMore(isCancelled: Bool) async throws {
      let queue = AsyncOperationQueue(isSuspended: true)
      let late = operation("late")
      let early = try await dependent("early", after: late)
      await queue.add(early)
      await addBarrier(to: queue)
      await queue.add(late)
      if isCancelled { early.cancel() } else { await early.removeDependency(late) }
      await queue.resume()
      await queue.waitUntilAllOperationsAreFinished()
      #expect(recorder.ended == (isCancelled ? ["barrier", "late"] : ["early", "barrier", "late"]))
    }

    @Test("Nothing passes that a body waits for, nor what only one behind the barrier depends on")
    func notNeeded() async throws {
      let queue = AsyncOperationQueue()
      let awaited = AsyncOperation { 1 }
      let late = operation("late")
      await queue.suspend()
      let waiting = await queue.add { try await awaited.valueOrDeadlock() }
      await addBarrier(to: queue)
      await queue.add(try await dependent("behind", after: late))
      await addBarrier(to: queue, "second")
      await queue.add(late, awaited)
      await queue.resume()
      await queue.waitUntilAllOperationsAreFinished()
      #expect(try await waiting.value == -1)
      #expect(recorder.ended == ["barrier", "late", "behind", "second"])
    }

    @Test("A body that waits ahead of the barrier lets pass what others there depend on")
    func besideWaits() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1, isSuspended: true)
      let late = operation("late")
      let early = try await dependent("early", after: late)
      let waiting = AsyncOperation {
        await early.waitUntilFinished()
        recorder.note("waiting")
      }
      await queue.add(waiting, early)
      await addBarrier(to: queue)
      await queue.add(late)
      await queue.resume()
      await queue.waitUntilAllOperationsAreFinished()
      #expect(recorder.ended == ["late", "early", "waiting", "barrier"])
    }

    @Test("Callers of run() wait behind the barrier for what passes it")
    func caller() async throws {
      let queue = AsyncOperationQueue()
      let late = operation("late")
      await queue.add(try await dependent("early", after: late))
      await addBarrier(to: queue)
      let caller = Task { try await queue.run { recorder.note("caller") } }
      #expect(await eventually { queue.operationCount == 2 })
      await queue.add(late)
      try await caller.value
      #expect(recorder.ended == ["late", "early", "barrier", "caller"])
    }

    @Test("Cancelling everything lets a queue go whose front depends on what is behind its barrier")
    func cancelAll() async throws {
      // Without a free slot, or else what is behind the barrier might have passed it before.
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      let blocker = Blocker()
      let late = operation("late")
      await queue.add(blocker.operation)
      await blocker.begun.wait()
      await queue.add(try await dependent("early", after: late))
      await addBarrier(to: queue)
      await queue.add(late)
      await queue.cancelAllOperations()
      blocker.release.open()
      await queue.waitUntilAllOperationsAreFinished()
      #expect(recorder.ended == [])
    }
  }
}
