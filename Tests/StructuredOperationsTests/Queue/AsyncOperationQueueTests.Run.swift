import Dispatch
import Testing
import TestSupport

@testable import StructuredOperations

extension AsyncOperationQueueTests {
  @Suite("Running in the caller's task")
  struct Run {
    @Test("The closure's value or error is the caller's, and the operation is counted")
    func result() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      #expect(try await queue.run { 1 } == 1)
      await #expect(throws: Failure(code: 2)) {
        try await queue.run {
          await Task.yield()
          throw Failure(code: 2)
        }
      }
      #expect(queue.snapshot.completedCount == 2)
    }

    @Test("It runs with the caller's priority and task-local values, and knows its operation and queue")
    func caller() async throws {
      let queue = AsyncOperationQueue()
      try await CallerValue.$text.withValue("caller") {
        let priority = Task.basePriority
        try await queue.run(name: "run", queuePriority: .high) {
          #expect(CallerValue.text == "caller")
          #expect(Task.basePriority == priority)
          #expect(AsyncOperation.current?.name == "run")
          #expect(AsyncOperation.current?.queuePriority == .high)
          #expect(AsyncOperation.current?.isExecuting == true)
          #expect(AsyncOperationQueue.current === queue)
        }
        #expect(AsyncOperation.current == nil)
      }
    }

    @Test("Cancelling the caller while the closure runs cancels the operation at once, for all to see")
    func cancelledCaller() async throws {
      let queue = AsyncOperationQueue()
      let (begun, go) = (Gate(), Gate())
      let caller = Task {
        try await queue.run {
          begun.open()
          await go.wait()
          return (Task.isCancelled, AsyncOperation.current?.isCancelled)
        }
      }
      await begun.wait()
      let operation = try #require(await queue.operations.first)
      #expect(!operation.isCancelled)
      caller.cancel()
      #expect(operation.isCancelled && operation.isExecuting)
      go.open()
      let seen = try await caller.value
      #expect(seen.0 && seen.1 == true)
      #expect(operation.storage.outcome?.isSuccess == true)
    }

    @Test("It takes its place in the order, and holds a slot")
    func order() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      let recorder = Recorder<Int>()
      await withThrowingTaskGroup { group in
        for number in 0..<20 {
          group.addTask {
            try await queue.run {
              recorder.begin(number)
              await Task.yield()
              recorder.end(number)
            }
          }
          await queue.add {
            recorder.begin(100 + number)
            recorder.end(100 + number)
          }
        }
      }
      await queue.waitUntilAllOperationsAreFinished()
      #expect(recorder.peak == 1)
      #expect(recorder.ended.count == 40)
    }

    @Test("Barriers and suspension hold it back like any operation")
    func restraint() async throws {
      let queue = AsyncOperationQueue()
      let release = Gate()
      let recorder = Recorder<Int>()
      await queue.addBarrier {
        await release.wait()
        recorder.note(0)
      }
      await queue.suspend()
      let caller = Task { try await queue.run { recorder.note(1) } }
      #expect(await eventually { queue.operationCount == 1 })
      release.open()
      #expect(queue.snapshot.executingCount == 0)
      await queue.resume()
      try await caller.value
      #expect(recorder.ended == [0, 1])
    }

    @Test("A caller that is cancelled while it waits throws, and holds no slot")
    func cancelledWhileWaiting() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      let blocker = Blocker()
      await queue.add(blocker.operation)
      await blocker.begun.wait()
      let caller = Task { try await queue.run { () -> Void in Issue.record("it ran") } }
      #expect(await eventually { queue.operationCount == 2 })
      caller.cancel()
      await #expect(throws: CancellationError.self) { try await caller.value }
      #expect(queue.operationCount == 1)
      blocker.release.open()
      _ = try await queue.run { 1 }
    }

    @Test("A caller that was cancelled before throws without running")
    func cancelledBefore() async {
      let queue = AsyncOperationQueue()
      let start = Gate()
      let caller = Task {
        await start.wait()
        try await queue.run { () -> Void in Issue.record("it ran") }
      }
      caller.cancel()
      start.open()
      await #expect(throws: CancellationError.self) { try await caller.value }
      await queue.waitUntilAllOperationsAreFinished()
    }

    @Test("cancelAllOperations reaches those that wait, and only marks those that run")
    func cancelAll() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      let (begun, release) = (Gate(), Gate())
      let running = Task {
        try await queue.run {
          begun.open()
          await release.wait()
          return (isMarked: AsyncOperation.current?.isCancelled, isCancelled: Task.isCancelled)
        }
      }
      await begun.wait()
      let waiting = Task { try await queue.run { () -> Void in Issue.record("it ran") } }
      #expect(await eventually { queue.operationCount == 2 })
      await queue.cancelAllOperations()
      await #expect(throws: CancellationError.self) { try await waiting.value }
      release.open()
      let (isMarked, isCancelled) = try await running.value
      #expect(isMarked == true)
      #expect(!isCancelled)
    }

    @Test("In a body that its closure would have to wait for it throws, and leaves nothing behind")
    func dependsOnCaller() async throws {
      let queue = AsyncOperationQueue(
        maxConcurrentOperationCount: 1,
        observer: EventRecorder { event in
          if event.kind == .added, let parent = event.cause { _ = try? event.operation.addDependency(parent) }
        })
      let caller = await queue.add { try await queue.run { Issue.record("It has run.") } }
      await #expect(throws: OperationError.waitWouldDeadlock) { try await caller.value }
      await queue.waitUntilAllOperationsAreFinished()
      #expect(queue.snapshot.cancelledCount == 1 && queue.snapshot.failedCount == 1)
    }

    @Test("The caller is cancelled just as its turn comes: it runs or throws, and the slot is free afterwards")
    func grantRace() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      for round in 0..<1_000 {
        let blocker = Blocker()
        await queue.add(blocker.operation)
        let runs = Locked(0)
        let caller = Task { try await queue.run { runs.increment() } }
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
        #expect(queue.snapshot.operationCount == 0)
      }
    }

    @Test("While the queue's executor is busy the closure waits, with its slot, and cancellation does not help")
    func busyExecutor() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 2, executor: LabelledExecutor("queue"))
      let (isBusy, release) = (Gate(), DispatchSemaphore(value: 0))
      await queue.add {
        isBusy.open()
        release.wait()
      }
      await isBusy.wait()
      let beginnings = Locked(0)
      let caller = Task {
        try await queue.run {
          beginnings.increment()
          return Task.isCancelled
        }
      }
      #expect(await eventually { await queue.operations.count(where: \.isExecuting) == 2 })
      caller.cancel()
      #expect(queue.snapshot.executingCount == 2)
      #expect(beginnings.current == 0)
      release.signal()
      #expect(try await caller.value)
    }

    @Test("Callers and operations in plenty never exceed the limit")
    func underLoad() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 2)
      let recorder = Recorder<Int>()
      try await withThrowingTaskGroup { group in
        for number in 0..<8 {
          group.addTask {
            for step in 0..<100 {
              let id = 1_000 * number + step
              if step.isMultiple(of: 3) {
                await queue.add {
                  recorder.begin(id)
                  recorder.end(id)
                }
              } else {
                try await queue.run {
                  recorder.begin(id)
                  await Task.yield()
                  recorder.end(id)
                }
              }
            }
          }
        }
        try await group.waitForAll()
      }
      await queue.waitUntilAllOperationsAreFinished()
      #expect(recorder.peak <= 2)
      #expect(recorder.ended.count == 800)
    }

    @Test("The closure may use what belongs to the caller's actor")
    @MainActor
    func isolation() async throws {
      var count = 0
      try await AsyncOperationQueue().run {
        MainActor.assertIsolated()
        count += 1
      }
      #expect(count == 1)
    }

    /// Not the closure's own isolation, which would have it switch by itself, but that of whoever calls this.
    private nonisolated(nonsending) static func placesOfClosure(
      _ queue: AsyncOperationQueue,
      asBarrier: Bool,
      fails: Bool
    ) async -> [Bool] {
      var places: [Bool] = []
      do {
        let body: nonisolated(nonsending) () async throws -> Void = {
          places.append(PlaceProbe.isHere)
          await Task.yield()
          places.append(PlaceProbe.isHere)
          if fails { throw Failure() }
        }
        if asBarrier { try await queue.runBarrier(body) } else { try await queue.run(body) }
        places.append(PlaceProbe.isHere)
      } catch {
        places.append(PlaceProbe.isHere)
      }
      return places
    }

    @Test(
      "A closure without isolation of its own runs on the caller's actor, as does what follows",
      arguments: [false, true], [false, true])
    func callersActor(asBarrier: Bool, fails: Bool) async throws {
      for executor in [nil, LabelledExecutor("queue")] {
        let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1, executor: executor)
        for _ in 0..<10 {
          let places = await PlaceProbe().places {
            await Self.placesOfClosure(queue, asBarrier: asBarrier, fails: fails)
          }
          #expect(places == [true, true, true, true, true])
        }
        let body = await AsyncOperationQueue().add {
          await PlaceProbe().places { await Self.placesOfClosure(queue, asBarrier: asBarrier, fails: fails) }
        }
        #expect(try await body.value == [true, true, true, true, true])
        #expect(await Self.placesOfClosure(queue, asBarrier: asBarrier, fails: fails) == [false, false, false])
      }
    }

    @Test("The queue's executor runs the closure, and not what follows", arguments: [false, true], [false, true])
    func executor(asBarrier: Bool, fails: Bool) async throws {
      let queue = AsyncOperationQueue(executor: LabelledExecutor("queue"))
      // Rarely a call comes back on the executor: where the queue's runner has the queue's actor there as the call needs that.
      var (stays, staysOfActor) = (0, 0)
      for _ in 0..<100 {
        var labels = await labelsOfClosure(queue, asBarrier: asBarrier, fails: fails)
        if labels.removeLast() != nil { stays += 1 }
        #expect(labels == ["queue", "queue"])
        // An actor that has no executor of its own.
        labels = await LabelReader().labels(queue, asBarrier: asBarrier, fails: fails)
        if labels.removeLast() != nil { staysOfActor += 1 }
        #expect(labels == ["queue", "queue"])
      }
      #expect(stays < 10)
      #expect(staysOfActor < 10)
    }
  }
}

private actor LabelReader {
  private var calls = 0

  func labels(_ queue: AsyncOperationQueue, asBarrier: Bool, fails: Bool) async -> [String?] {
    // Swift 6.3 has a method that only awaits a function of its caller's isolation begin anywhere.
    calls += 1
    return await labelsOfClosure(queue, asBarrier: asBarrier, fails: fails)
  }
}

/// The labels of the executors that run a closure without isolation of its own, and of the one that runs what follows.
private nonisolated(nonsending) func labelsOfClosure(
  _ queue: AsyncOperationQueue,
  asBarrier: Bool,
  fails: Bool
) async -> [String?] {
  var labels: [String?] = []
  let body: nonisolated(nonsending) () async throws -> Void = {
    labels.append(LabelledExecutor.currentLabel)
    await Task.yield()
    labels.append(LabelledExecutor.currentLabel)
    if fails { throw Failure() }
  }
  // The error is that of the closure.
  do { if asBarrier { try await queue.runBarrier(body) } else { try await queue.run(body) } } catch {}
  return labels + [LabelledExecutor.currentLabel]
}

private enum CallerValue {
  @TaskLocal static var text = ""
}
