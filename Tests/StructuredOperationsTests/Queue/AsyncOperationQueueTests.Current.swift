import Testing
import TestSupport

@testable import StructuredOperations

extension AsyncOperationQueueTests {
  @Suite("Waiting for the current operations", .timeLimit(.minutes(15)), .hangGuard)
  struct Current {
    @Test("QX-04 It waits for what is in the queue, barriers too, and not for what is added later")
    func presentOnes() async {
      let (recorder, gate) = (Recorder<String>(), Gate())
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 2, isSuspended: true)
      await queue.add { recorder.note("operation") }
      await queue.addBarrier { recorder.note("barrier") }
      let waiter = Task { await queue.waitForCurrentOperations() }
      #expect(await eventually { await queue.isAwaited })
      await queue.add { await gate.wait() }

      await queue.resume()

      await waiter.value
      #expect(recorder.ended == ["operation", "barrier"])
      gate.open()
      await queue.waitUntilAllOperationsAreFinished()
    }

    @Test("In an empty queue it does not wait")
    func empty() async {
      await AsyncOperationQueue().waitForCurrentOperations()
    }

    @Test("A body releases its slot, and does not wait for what waits for it", arguments: [1, 2])
    func inBody(width: Int) async throws {
      let recorder = Recorder<String>()
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: width)

      let body = AsyncOperation {
        let dependent = AsyncOperation { recorder.note("dependent") }
        if let me = AsyncOperation.current { try await dependent.addDependency(me) }
        await queue.add { recorder.note("other") }
        await queue.add(dependent)
        await queue.addBarrier { recorder.note("barrier") }
        await queue.add { recorder.note("behind") }
        await queue.waitForCurrentOperations()
        recorder.note("body")
      }
      await queue.add(body)

      try await body.value
      await queue.waitUntilAllOperationsAreFinished()
      #expect(recorder.ended == ["other", "body", "dependent", "barrier", "behind"])
    }

    @Test("A body of another queue does not wait for what is behind a barrier that waits for it")
    func behindForeignBarrier() async throws {
      let recorder = Recorder<String>()
      let queue = AsyncOperationQueue()
      let body = AsyncOperation {
        await queue.waitForCurrentOperations()
        recorder.note("body")
      }
      let ahead = AsyncOperation { recorder.note("ahead") }
      try await ahead.addDependency(body)
      await queue.add(ahead)
      await queue.addBarrier {}
      await queue.add { recorder.note("behind") }

      await AsyncOperationQueue().add(body)

      try await body.value
      await queue.waitUntilAllOperationsAreFinished()
      #expect(recorder.ended == ["body", "ahead", "behind"])
    }
  }

  @Suite("What is stalled", .timeLimit(.minutes(15)), .hangGuard)
  struct Stalled {
    @Test("An operation is stalled that depends on one which nobody runs, and says so by name")
    func direct() async throws {
      let queue = AsyncOperationQueue()
      let missing = AsyncOperation(name: "missing") {}
      let waiting = AsyncOperation(name: "waiting") {}
      try await waiting.addDependency(missing)
      await queue.add(waiting)

      let stalled = await queue.stalled

      #expect(stalled.count == 1)
      #expect(stalled.first?.operation === waiting)
      #expect(stalled.first?.reason == "waits for \"missing\", which is in no queue and has not been started")
      #expect(
        stalled.first?.description
          == "\"waiting\" waits for \"missing\", which is in no queue and has not been started")
      await queue.add(missing)
      await queue.waitUntilAllOperationsAreFinished()
    }

    @Test("So is one that depends on it through others, in whatever queue", arguments: [1, 3])
    func throughOthers(steps: Int) async throws {
      let (queue, other) = (AsyncOperationQueue(), AsyncOperationQueue())
      let missing = AsyncOperation(name: "missing") {}
      var last: any OperationProtocol = missing
      for number in 1...steps {
        let next = AsyncOperation(name: "step \(number)") {}
        try await next.addDependency(last)
        await other.add(next)
        last = next
      }
      let waiting = AsyncOperation(name: "waiting") {}
      try await waiting.addDependency(last)
      await queue.add(waiting)

      let way = steps == 1 ? "which waits for" : "which waits, through 2 more, for"
      #expect(
        await queue.stalled.map(\.description) == [
          "\"waiting\" waits for \"step \(steps)\", \(way) \"missing\", which is in no queue and has not been started"
        ])
      #expect(await other.stalled.count == steps)
      await queue.addAndWait([missing, waiting])
    }

    @Test("So is what stands behind a barrier that waits for one, where one added earlier has fallen behind that")
    func behindBarrierThatOneFellBehind() async throws {
      let queue = AsyncOperationQueue()
      let missing = AsyncOperation(name: "missing") {}
      let fallen = AsyncOperation(name: "fallen") {}
      try await fallen.addDependency(missing)
      await queue.add(fallen)
      let barrier = await queue.addBarrier(name: "barrier") {}
      try await barrier.addDependency(missing)
      try await fallen.addDependency(barrier)
      await queue.add(AsyncOperation(name: "late") {})
      #expect(await queue.becomesQuiescent())

      #expect(await queue.stalled.map(\.operation.name) == ["fallen", "late"])
      #expect(await queue.stalled.last?.reason == "is behind the barrier \"barrier\", which is stalled")
      await queue.add(missing)
      await queue.waitUntilAllOperationsAreFinished()
    }

    @Test("So is what stands behind a barrier that waits for one")
    func behindBarrier() async throws {
      let queue = AsyncOperationQueue()
      let missing = AsyncOperation(name: "missing") {}
      let early = AsyncOperation(name: "early") {}
      try await early.addDependency(missing)
      await queue.add(early, AsyncOperation(name: "free") {})
      await queue.addBarrier {}
      await queue.add(AsyncOperation(name: "late") {})

      #expect(
        await queue.stalled.map(\.description) == [
          "\"early\" waits for \"missing\", which is in no queue and has not been started",
          "\"late\" is behind a barrier that waits for \"early\", which is stalled",
        ])
      await queue.add(missing)
      await queue.waitUntilAllOperationsAreFinished()
    }

    @Test("And what stands behind a barrier that depends on one; the barrier itself is not listed")
    func behindStalledBarrier() async throws {
      let queue = AsyncOperationQueue(isSuspended: true)
      let missing = AsyncOperation(name: "missing") {}
      try await queue.addBarrier(name: "write") {}.addDependency(missing)
      await queue.add(AsyncOperation(name: "late") {})

      #expect(await queue.stalled.map(\.description) == [#""late" is behind the barrier "write", which is stalled"#])
      await queue.add(missing)
      await queue.resume()
      await queue.waitUntilAllOperationsAreFinished()
    }

    @Test("Nothing is stalled that somebody runs, that was cancelled, or that a suspension holds back")
    func others() async throws {
      let gate = Gate()
      let queue = AsyncOperationQueue(isSuspended: true)
      let running = AsyncOperation { await gate.wait() }
      let dependent = AsyncOperation {}
      let cancelled = AsyncOperation {}
      try await dependent.addDependency(running)
      try await cancelled.addDependency(AsyncOperation {})
      cancelled.cancel()
      await queue.add(dependent, cancelled, AsyncOperation {})
      await AsyncOperationQueue().add(running)

      #expect(await queue.stalled.isEmpty)

      gate.open()
      await queue.resume()
      await queue.waitUntilAllOperationsAreFinished()
    }

    @Test("An operation is stalled no more once what it waits for is added, started, or removed")
    func resolved() async throws {
      let queue = AsyncOperationQueue()
      let waiting = (1...3).map { _ in AsyncOperation {} }
      let missing = (1...3).map { _ in AsyncOperation {} }
      for (one, other) in zip(waiting, missing) { try await one.addDependency(other) }
      await queue.add(waiting)
      #expect(await queue.stalled.count == 3)

      await queue.add(missing[0])
      try await missing[1].start()
      await waiting[2].removeDependency(missing[2])

      await queue.waitUntilAllOperationsAreFinished()
      #expect(await queue.stalled.isEmpty)
    }
  }
}

extension AsyncOperationQueue {
  /// Whether somebody waits for an operation or a barrier of the queue.
  fileprivate var isAwaited: Bool {
    // Admits what was added.
    process()
    return state.scheduler.allWork.contains { _, storage in storage.read { !$0.connections.value.waiters.isEmpty } }
  }
}
