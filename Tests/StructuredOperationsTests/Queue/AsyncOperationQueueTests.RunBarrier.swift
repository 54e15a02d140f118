import TestSupport
import Testing

@testable import StructuredOperations

extension AsyncOperationQueueTests {
  @Suite("Barriers in the caller's task")
  struct RunBarrier {
    /// Suspends until a barrier has been added.
    private func waitForBarrier(in queue: AsyncOperationQueue) async {
      #expect(await eventually { await queue.schedulerWithPendingEvents.hasBarrier })
    }

    @Test("The closure runs alone, in the caller's task, and is not counted")
    func alone() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 4)
      let blocker = Blocker()
      let recorder = Recorder<String>()
      await queue.add(blocker.operation)
      let caller = Task {
        try await CallerValue.$text.withValue("caller") {
          try await queue.runBarrier(name: "alone") {
            recorder.note("barrier")
            return (
              CallerValue.text, AsyncOperation.current?.name, blocker.operation.isFinished,
              queue.snapshot.executingCount
            )
          }
        }
      }
      await waitForBarrier(in: queue)
      await queue.add { recorder.note("behind") }
      blocker.release.open()
      let (text, name, isAfter, executing) = try await caller.value
      #expect(text == "caller" && name == "alone" && isAfter && executing == 0)
      await queue.waitUntilAllOperationsAreFinished()
      #expect(recorder.ended == ["barrier", "behind"])
    }

    @Test("What has fallen behind the barrier is on no loop through it", arguments: [false, true])
    func fallen(isBarrier: Bool) async throws {
      let queue = AsyncOperationQueue(isSuspended: true)
      let (callers, other) = (AsyncOperationQueue(), AsyncOperationQueue())
      let (never, blocker) = (AsyncOperation {}, Blocker())
      let fallen = isBarrier ? await queue.addBarrier {} : AsyncOperation {}
      try await fallen.addDependency(never)
      if !isBarrier { await queue.add(fallen) }
      await queue.add(blocker.operation)
      await queue.resume()
      let caller = await callers.add { try await queue.runBarrier { 42 } }
      #expect(await callers.becomesQuiescent(waiting: 1))
      let later = await queue.addBarrier {}
      try await fallen.addDependency(later)
      await fallen.removeDependency(never)
      await blocker.begun.wait()
      #expect(
        await eventually {
          await queue.process()
          guard let id = fallen.storage.entry(in: queue), let laterID = later.storage.entry(in: queue) else {
            return false
          }
          return await queue.state.scheduler.isBehind(id, laterID)
        })
      // Ahead of a barrier is what depends on the caller, and behind it what the later barrier depends on.
      let (ahead, behind) = (AsyncOperation {}, AsyncOperation {})
      try await ahead.addDependency(caller)
      try await later.addDependency(behind)
      await other.add(ahead)
      await other.addBarrier {}
      await other.add(behind)
      #expect(await other.becomesQuiescent())
      blocker.release.open()
      #expect(try await caller.value == 42)
      for queue in [queue, other] { await queue.waitUntilAllOperationsAreFinished() }
    }

    @Test("Its error is the caller's, and the queue goes on")
    func failure() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      await #expect(throws: Failure(code: 2)) { try await queue.runBarrier { throw Failure(code: 2) } }
      #expect(try await queue.runBarrier { 3 } == 3)
      #expect(queue.snapshot.totalCount == 0)
    }

    @Test(
      "A caller that is cancelled while it waits goes on at once, in a suspended queue too; the barrier keeps its place",
      arguments: [false, true])
    func cancelled(isSuspended: Bool) async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 4)
      let blocker = Blocker()
      await queue.add(blocker.operation)
      await blocker.begun.wait()
      let caller = Task { try await queue.runBarrier { () -> Void in Issue.record("it ran") } }
      await waitForBarrier(in: queue)
      if isSuspended { await queue.suspend() }
      caller.cancel()
      await #expect(throws: CancellationError.self) { try await caller.value }
      #expect(await queue.state.scheduler.hasBarrier)
      let behind = await queue.add { blocker.operation.isFinished }
      blocker.release.open()
      await queue.resume()
      #expect(try await behind.value)
    }

    @Test("A barrier whose caller has gone on, since a dependency had failed, never runs, though that is removed")
    func dismissedCaller() async throws {
      let failed = AsyncOperation { throw Failure() }
      try await failed.start()
      let recorder = EventRecorder { event in
        guard event.kind == .added, event.operation.name == "barrier" else { return }
        _ = try? event.operation.addDependency(failed, requiring: .success)
      }
      let queue = AsyncOperationQueue(observer: recorder)
      let blocker = Blocker()
      await queue.add(blocker.operation)
      await blocker.begun.wait()
      await #expect(throws: CancellationError.self) {
        try await queue.runBarrier(name: "barrier") { () -> Void in Issue.record("it ran") }
      }
      let barrier = try #require(recorder.all.last?.operation)

      await barrier.removeDependency(failed)
      blocker.release.open()

      try await queue.add {}.value
      #expect(barrier.name == "barrier" && barrier.isFinished && barrier.error != nil)
    }

    @Test("A body that is cancelled while it waits for its barrier elsewhere has its slot again at once")
    func cancelledBody() async throws {
      let (queue, other) = (AsyncOperationQueue(), AsyncOperationQueue(maxConcurrentOperationCount: 1))
      let blocker = Blocker()
      await queue.add(blocker.operation)
      let body = await other.add {
        do { try await queue.runBarrier { () -> Void in Issue.record("it ran") } } catch {
          return (error is CancellationError, await other.waitingCount)
        }
        return (false, -1)
      }
      await waitForBarrier(in: queue)
      #expect(await other.hasWaitingBodies(1))
      body.cancel()
      let (isCancelled, waiting) = try await body.value
      #expect(isCancelled && waiting == 0)
      #expect(
        DependencyGraph.withLock { state, _ in state.barrierCalls.barriers(behind: blocker.operation.storage).isEmpty })
      blocker.release.open()
      await queue.waitUntilAllOperationsAreFinished()
    }

    @Test("Once the closure of a body's barrier has begun, what was ahead of it may wait for that body")
    func begun() async throws {
      let (queue, other) = (AsyncOperationQueue(), AsyncOperationQueue())
      let ahead = Blocker()
      await queue.add(ahead.operation)
      let body = await other.add {
        try await queue.runBarrier {
          DependencyGraph.withLock { state, _ in state.barrierCalls.barriers(behind: ahead.operation.storage).isEmpty }
        }
      }
      await waitForBarrier(in: queue)
      ahead.release.open()
      #expect(try await body.value)
    }

    @Test("In a body of its own queue it throws, and leaves nothing behind; so it does through another queue's run()")
    func ownQueue() async throws {
      let (queue, other) = (AsyncOperationQueue(maxConcurrentOperationCount: 1), AsyncOperationQueue())
      let direct = await queue.add { try await queue.runBarrier { 1 } }
      let indirect = await queue.add { try await other.run { try await queue.runBarrier { 2 } } }
      let inBarrier = await queue.addBarrier { try await queue.runBarrier { 3 } }
      for operation in [direct, indirect, inBarrier] {
        await #expect(throws: OperationError.waitWouldDeadlock) { try await operation.value }
      }
      #expect(try await queue.runBarrier { 4 } == 4)
    }

    @Test("Of bodies that call each other's queues in a ring one throws, and the others run", arguments: [2, 3, 5])
    func ring(count: Int) async throws {
      for _ in 0..<20 {
        let queues = (0..<count).map { _ in AsyncOperationQueue(maxConcurrentOperationCount: 2) }
        let (arrived, everybody) = (Locked(0), Gate())
        var bodies: [AsyncOperation<Bool>] = []
        for number in 0..<count {
          bodies.append(
            await queues[number].add {
              if arrived.withLock({
                $0 += 1; return $0
              }) == count {
                everybody.open()
              }
              await everybody.wait()
              do { return try await queues[(number + 1) % count].runBarrier { true } } catch OperationError
                .waitWouldDeadlock
              { return false }
            })
        }
        var refused = 0
        for body in bodies where try await !body.value { refused += 1 }
        #expect(refused == 1)
        for queue in queues { await queue.waitUntilAllOperationsAreFinished() }
      }
    }

    @Test(
      "A wait for a body that waits for a barrier behind the waiting one is refused, whatever kind of edge closes the loop"
    )
    func closedLater() async throws {
      let (queue, other) = (AsyncOperationQueue(), AsyncOperationQueue())
      let (go, calling) = (Gate(), Gate())
      let pending = AsyncOperation {}
      try await pending.addDependency(AsyncOperation {})
      let asked = Locked<AsyncOperation<Int>?>(nil)
      let ahead = await queue.add { () async throws -> Int in
        await go.wait()
        guard let body = asked.current else { return 0 }
        return try await body.valueOrDeadlock()
      }
      await queue.add(pending)
      let body = await other.add { () async throws -> Int in
        calling.open()
        return try await queue.runBarrier { 42 }
      }
      asked.withLock { $0 = body }
      await calling.wait()
      #expect(await other.hasWaitingBodies(1))
      // pending -> body -> its barrier -> pending
      await #expect(throws: (any Error).self) { try await pending.addDependency(body) }
      go.open()
      #expect(try await ahead.value == -1)
      pending.cancel()
      #expect(try await body.value == 42)
    }

    @Test("A loop through a plain barrier of one queue and a called one of another is found")
    func besidePlainBarrier() async throws {
      let (queue, other) = (AsyncOperationQueue(), AsyncOperationQueue())
      let (go, calling) = (Gate(), Gate())
      let behind = AsyncOperation { 42 }
      // Ahead of the called barrier, and waits for what is behind the plain one.
      let waiting = await other.add { () async throws -> Int in
        await go.wait()
        return try await behind.valueOrDeadlock()
      }
      let body = await queue.add { () async throws -> Int in
        calling.open()
        do { return try await other.runBarrier { 1 } } catch OperationError.waitWouldDeadlock {
          return await eventually { await !other.schedulerWithPendingEvents.hasBarrier } ? -1 : -2
        }
      }
      await calling.wait()
      #expect(await queue.hasWaitingBodies(1))
      await queue.addBarrier {}
      await queue.add(behind)
      go.open()
      let values = [try await waiting.value, try await body.value]
      #expect(values == [-1, 1] || values == [42, -1])
      #expect(try await behind.value == 42)
    }

    @Test("The caller is cancelled just as its turn comes: it runs or throws, and the queue goes on")
    func grantRace() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 2)
      for round in 0..<500 {
        let blocker = Blocker()
        await queue.add(blocker.operation)
        let runs = Locked(0)
        let caller = Task { try await queue.runBarrier { runs.increment() } }
        if round.isMultiple(of: 2) { await blocker.begun.wait() }
        async let released: Void = blocker.release.open()
        caller.cancel()
        await released
        switch await caller.result {
        case .success: #expect(runs.current == 1)
        case .failure(let error):
          #expect(error is CancellationError)
          #expect(runs.current == 0)
        }
        await queue.waitUntilAllOperationsAreFinished()
      }
    }

    @Test("A closed queue refuses it")
    func closed() async {
      let queue = AsyncOperationQueue()
      queue.close()
      await #expect(throws: OperationError.queueClosed) { try await queue.runBarrier { 1 } }
    }
  }
}

private enum CallerValue {
  @TaskLocal static var text = ""
}
