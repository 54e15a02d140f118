import Testing
import TestSupport

@testable import StructuredOperations

extension AsyncOperationQueueTests {
  @Suite("Waiting for all in a body")
  struct WaitingForAll {
    private let recorder = Recorder<String>()

    private func waiting(for queue: AsyncOperationQueue, name: String = "waiting") -> AsyncOperation<Void> {
      AsyncOperation(name: name) {
        await queue.waitUntilAllOperationsAreFinished()
        recorder.note(name)
      }
    }

    @Test("QX-05 It does not wait for what depends on it, through any number of steps", arguments: [1, 2, 5])
    func dependents(steps: Int) async throws {
      // Suspended until the other one is there: without it there would be nothing to wait for.
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1, isSuspended: true)
      let waiting = waiting(for: queue)
      var chain: [any OperationProtocol] = [waiting]
      for number in 0..<steps {
        let next = AsyncOperation { recorder.note("\(number)") }
        try await next.addDependency(chain[number])
        chain.append(next)
      }
      await queue.add(chain)
      await queue.add { recorder.note("other") }
      await queue.resume()
      await queue.waitUntilAllOperationsAreFinished()
      #expect(recorder.ended == ["other", "waiting"] + (0..<steps).map { "\($0)" })
    }

    @Test("QX-05 It does not wait for a body that waits for it already")
    func awaited() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      let go = Gate()
      let waiting = AsyncOperation {
        await go.wait()
        await queue.waitUntilAllOperationsAreFinished()
        return 42
      }
      let (one, other) = (AsyncOperation { try await waiting.value }, AsyncOperation { try await waiting.value })
      let wide = AsyncOperationQueue()
      await wide.add(one)
      try await queue.setMaxConcurrentOperationCount(2)
      await queue.add(waiting, other)
      #expect(await wide.hasWaitingBodies(1))
      #expect(await queue.hasWaitingBodies(1))
      go.open()
      #expect(try await other.value == 42)
      #expect(try await one.value == 42)
    }

    @Test("QX-05 It does not wait for a barrier behind it, nor for what is behind that")
    func barrier() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 2)
      let waiting = waiting(for: queue)
      await queue.suspend()
      await queue.add { recorder.note("ahead") }
      await queue.add(waiting)
      await queue.addBarrier { recorder.note("barrier") }
      await queue.add { recorder.note("behind") }
      await queue.resume()
      await queue.waitUntilAllOperationsAreFinished()
      #expect(recorder.ended == ["ahead", "waiting", "barrier", "behind"])
    }

    @Test("The block of a barrier waits for nothing behind it")
    func inBarrier() async throws {
      let queue = AsyncOperationQueue(isSuspended: true)
      await queue.add { recorder.note("ahead") }
      await queue.addBarrier {
        await queue.waitUntilAllOperationsAreFinished()
        recorder.note("barrier")
      }
      await queue.add { recorder.note("behind") }
      await queue.resume()
      await queue.waitUntilAllOperationsAreFinished()
      #expect(recorder.ended == ["ahead", "barrier", "behind"])
    }

    @Test("It waits for what passes a barrier")
    func passing() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1, isSuspended: true)
      let (early, late) = (AsyncOperation { recorder.note("early") }, AsyncOperation { recorder.note("late") })
      try await early.addDependency(late)
      await queue.add(waiting(for: queue), early)
      await queue.addBarrier { recorder.note("barrier") }
      await queue.add(late)
      await queue.resume()
      await queue.waitUntilAllOperationsAreFinished()
      #expect(recorder.ended == ["late", "early", "waiting", "barrier"])
    }

    @Test("It waits for what others add meanwhile")
    func addedMeanwhile() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      @Sendable func chain(_ depth: Int) async {
        recorder.note("\(depth)")
        if depth > 0 { await queue.add { await chain(depth - 1) } }
      }
      await queue.add { await chain(5) }
      await queue.addAndWait([waiting(for: queue)])
      #expect(recorder.ended == ["5", "4", "3", "2", "1", "0", "waiting"])
    }

    @Test("It waits for callers of run(), and for bodies that wait for something else")
    func others() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 3)
      let blocker = Blocker()
      let release = Gate()
      let (begun, awaiting) = (
        Gate(),
        AsyncOperation {
          await blocker.operation.waitUntilFinished()
          recorder.note("awaiting")
        }
      )
      let caller = Task {
        try await queue.run {
          begun.open()
          await release.wait()
          recorder.note("caller")
        }
      }
      await begun.wait()
      await queue.add(awaiting, waiting(for: queue))
      #expect(await queue.hasWaitingBodies(2))
      release.open()
      try await caller.value
      #expect(await queue.becomesQuiescent(waiting: 2))
      try await blocker.operation.start(after: blocker.release)
      await queue.waitUntilAllOperationsAreFinished()
      #expect(recorder.ended == ["caller", "awaiting", "waiting"])
    }

    @Test("In a body of another queue it waits for all, and not for what depends on that body")
    func otherQueue() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      let other = AsyncOperationQueue(maxConcurrentOperationCount: 1, isSuspended: true)
      let waiting = waiting(for: other)
      let dependent = AsyncOperation { recorder.note("dependent") }
      try await dependent.addDependency(waiting)
      await other.add { recorder.note("1") }
      await other.add(dependent)
      await other.add { try await queue.run { recorder.note("2") } }
      await queue.add(waiting)
      #expect(await queue.hasWaitingBodies(1))
      #expect(recorder.ended == [])
      await other.resume()
      await other.waitUntilAllOperationsAreFinished()
      #expect(recorder.ended == ["1", "2", "waiting", "dependent"])
    }

    @Test("A queue that is empty, suspended or not, is not waited for", arguments: [false, true])
    func empty(isSuspended: Bool) async throws {
      let (queue, other) = (
        AsyncOperationQueue(maxConcurrentOperationCount: 1), AsyncOperationQueue(isSuspended: isSuspended)
      )
      let outer = await queue.add {
        await other.waitUntilAllOperationsAreFinished()
        return 1
      }
      #expect(try await outer.value == 1)
    }

    @Test("A body of that queue that asks for the waiting body's value finds the loop")
    func askedByOtherQueue() async throws {
      let (queue, other) = (AsyncOperationQueue(), AsyncOperationQueue())
      let go = Gate()
      let waiting = AsyncOperation {
        await other.waitUntilAllOperationsAreFinished()
        return 42
      }
      let asking = await other.add {
        await go.wait()
        return try await waiting.valueOrDeadlock()
      }
      await queue.add(waiting)
      #expect(await queue.hasWaitingBodies(1))
      go.open()
      #expect(try await asking.value == -1)
      #expect(try await waiting.value == 42)
    }

    @Test("A dependency on the waiting body of what it waits for throws the loop")
    func dependency() async throws {
      let queue = AsyncOperationQueue()
      let waiting = waiting(for: queue)
      let (gate, pending) = (AsyncOperation {}, AsyncOperation(name: "pending") {})
      try await pending.addDependency(gate)
      await queue.add(pending, waiting)
      #expect(await queue.becomesQuiescent(waiting: 1))
      let error = await #expect(throws: OperationError.self) { try await pending.addDependency(waiting) }
      #expect(error?.loop == ["pending", "waiting"])
      try await gate.start()
      await queue.waitUntilAllOperationsAreFinished()
      #expect(recorder.ended == ["waiting"])
    }

    @Test("Such a loop is refused however many dependencies are between its ends", arguments: [1, 2, 3, 8])
    func longLoop(length: Int) async throws {
      let queue = AsyncOperationQueue()
      let waiting = waiting(for: queue)
      let chain = (0...length).map { AsyncOperation(name: "\($0)") {} }
      for (operation, next) in zip(chain, chain.dropFirst()) { try await operation.addDependency(next) }
      let start = AsyncOperation(name: "start") {}
      try await start.addDependency(waiting)
      await queue.add(chain[0])
      await queue.add(waiting)
      #expect(await queue.becomesQuiescent(waiting: 1))
      let end = chain[length]
      let error = await #expect(throws: OperationError.self) { try await end.addDependency(start) }
      #expect(error?.loop?.first == end.name)
      #expect(error?.loop?.contains("waiting") == true)
      try await end.start()
      for operation in chain.dropLast().dropFirst().reversed() { try await operation.start() }
      await queue.waitUntilAllOperationsAreFinished()
      #expect(recorder.ended == ["waiting"])
    }

    @Test("Many bodies that wait for all, one after the other and at once, all go on", arguments: [1, 2, 8])
    func many(limit: Int) async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: limit)
      for number in 0..<30 {
        await queue.add {
          if number.isMultiple(of: 3) { await queue.waitUntilAllOperationsAreFinished() }
          recorder.note("\(number)")
          if number.isMultiple(of: 5) { await queue.waitUntilAllOperationsAreFinished() }
        }
        if number.isMultiple(of: 7) { await queue.addBarrier { await queue.waitUntilAllOperationsAreFinished() } }
      }
      await queue.waitUntilAllOperationsAreFinished()
      #expect(recorder.ended.count == 30)
      #expect(await queue.state.wholeQueueWaits.isEmpty)
    }
  }
}

extension AsyncOperation<Void> {
  /// Runs the operation, and opens the gate that its body waits at.
  fileprivate nonisolated func start(after gate: Gate) async throws {
    gate.open()
    try await start()
  }
}
