import Dispatch
import Testing
import TestSupport

@testable import StructuredOperations

extension AsyncOperationQueueTests {
  @Suite("Start rate", .timeLimit(.minutes(15)), .hangGuard)
  struct StartRate {
    let clock = ManualClock()
    let recorder = Recorder<String>()

    func queue(
      _ count: Int = 1,
      per seconds: Int = 10,
      limit: Int = -1
    ) -> AsyncOperationQueue {
      AsyncOperationQueue(
        maxConcurrentOperationCount: limit, startRate: OperationStartRate(count, per: .seconds(seconds)), clock: clock)
    }

    func operation(_ name: String) -> AsyncOperation<Void> {
      AsyncOperation(name: name) { recorder.note(name) }
    }

    func asynchronous(_ name: String) -> AsyncOperation<Void> {
      AsyncOperation(name: name) { () async in recorder.note(name) }
    }

    /// Whether the queue's timer sleeps, until that time.
    func isAsleep(until seconds: Int) async -> Bool {
      await eventually { clock.nextDeadline == .seconds(seconds) && clock.sleeperCount == 1 }
    }

    @Test("What waits for the rate is ready, holds no slot, and begins by priority at the very moment at which it may")
    func order() async throws {
      let queue = queue(limit: 1)
      await queue.add(operation("first"))
      let low = AsyncOperation(queuePriority: .low) { recorder.note("low") }
      await queue.add(low)
      await queue.add(operation("normal"))
      #expect(await isAsleep(until: 10))
      #expect(low.state == .ready)
      #expect(queue.snapshot.executingCount == 0)
      await queue.add(AsyncOperation(queuePriority: .high) { recorder.note("high") })

      clock.advance(by: .seconds(10) - .nanoseconds(1))
      await queue.process()
      #expect(recorder.begun == ["first"])
      for (count, names) in [["first", "high"], ["first", "high", "normal"]].enumerated() {
        clock.advanceToNext()
        #expect(await isAsleep(until: 10 * (count + 2)))
        #expect(await eventually { recorder.ended == names })
      }
      clock.advanceToNext()
      await queue.waitUntilAllOperationsAreFinished()
      #expect(recorder.begun == ["first", "high", "normal", "low"])
      #expect(clock.sleepCount == 3)
    }

    @Test("One timer sleeps, whatever waits, and none where nothing waits for the rate")
    func oneTimer() async throws {
      let queue = queue(1, limit: 1)
      try await queue.add {}.value
      #expect(clock.sleeperCount == 0)
      let operations = (0..<100).map { operation("\($0)") }
      for operation in operations { await queue.add(operation) }
      #expect(await isAsleep(until: 10))
      #expect(clock.sleepCount == 1)

      await queue.cancelAllOperations()
      await queue.waitUntilAllOperationsAreFinished()
      #expect(await eventually { clock.sleeperCount == 0 })
      for operation in operations { #expect(operation.isCancelled) }
      #expect(recorder.begun == [])
    }

    @Test("A timer is cancelled where what waited leaves, is blocked, or cannot have a slot")
    func notNeeded() async throws {
      let queue = queue()
      try await queue.add {}.value
      let (waiting, dependency) = (operation("waiting"), operation("dependency"))
      await queue.add(waiting)
      #expect(await isAsleep(until: 10))
      try await queue.setMaxConcurrentOperationCount(0)
      #expect(clock.sleeperCount == 0)
      try await queue.setMaxConcurrentOperationCount(1)
      #expect(await isAsleep(until: 10))
      await queue.suspend()
      #expect(clock.sleeperCount == 0)
      await queue.resume()
      #expect(await isAsleep(until: 10))
      try await waiting.addDependency(dependency)
      await queue.process()
      #expect(clock.sleeperCount == 0)
      try await dependency.start()
      #expect(await isAsleep(until: 10))
      waiting.cancel()
      await waiting.waitUntilFinished()
      #expect(await eventually { clock.sleeperCount == 0 })
    }

    @Test("What is added when the time has come begins at once, without a timer")
    func noTimer() async throws {
      let queue = queue()
      for _ in 0..<3 {
        try await queue.add {}.value
        clock.advance(by: .seconds(10))
      }
      #expect(clock.sleepCount == 0)
    }

    @Test("A body that goes on after a wait does not begin anew, and goes on while starts are held")
    func returns() async throws {
      let queue = queue(2, limit: 1)
      let outside = operation("outside")
      let body = await queue.add {
        await outside.waitUntilFinished()
        recorder.note("body")
      }
      #expect(await queue.hasWaitingBodies(1))
      await queue.add(operation("other"), operation("held"))
      #expect(await isAsleep(until: 10))
      try await outside.start()
      try await body.value
      #expect(recorder.ended == ["other", "outside", "body"])
      // The timer was cancelled while the body had the only slot.
      #expect(await isAsleep(until: 10))
      clock.advanceToNext()
      await queue.waitUntilAllOperationsAreFinished()
    }

    @Test("What is chosen, and cancelled before its task begins, does not count", arguments: [false, true])
    func leftUnrun(isCall: Bool) async throws {
      let executor = HoldingExecutor()
      let queue = queue()
      await queue.suspend()
      let cancelled = AsyncOperation(executor: executor) { recorder.note("cancelled") }
      let call = Task(executorPreference: executor) {
        if isCall { try await queue.run { recorder.note("cancelled") } }
      }
      if !isCall { await queue.add(cancelled) }
      #expect(await eventually { queue.operationCount == 1 })
      // The executor has one thread: what was to be run has suspended.
      await Task(executorPreference: executor) {}.value
      executor.hold()
      await queue.resume()
      let next = await queue.add { recorder.note("next") }
      #expect(await isAsleep(until: 10))
      if isCall { call.cancel() } else { cancelled.cancel() }
      executor.goOn()
      try await next.value
      #expect(recorder.begun == ["next"])
      #expect(clock.sleeperCount == 0)
    }

    @Test("Operations, closures of run, closures of runBarrier and barriers count")
    func everyKind() async throws {
      let queue = queue()
      let program = Task {
        await queue.add { recorder.note("\(clock.elapsed)") }
        await queue.addBarrier { recorder.note("\(clock.elapsed)") }
        try await queue.run { recorder.note("\(clock.elapsed)") }
        try await queue.runBarrier { recorder.note("\(clock.elapsed)") }
      }
      for count in 1...3 {
        #expect(await isAsleep(until: 10 * count))
        clock.advanceToNext()
      }
      try await program.value
      #expect(recorder.ended == [0, 10, 20, 30].map { "\(Duration.seconds($0))" })
    }

    @Test("Another rate holds at once, what has begun counts; without one all begin, and nothing sleeps")
    func setStartRate() async throws {
      let queue = queue(1, per: 60)
      for number in 0..<6 { await queue.add(operation("\(number)")) }
      #expect(await isAsleep(until: 60))
      await queue.setStartRate(OperationStartRate(3, per: .seconds(30)))
      #expect(await isAsleep(until: 30))
      #expect(await eventually { recorder.ended.count == 3 })
      await queue.setStartRate(nil)
      await queue.waitUntilAllOperationsAreFinished()
      #expect(clock.sleeperCount == 0)
      #expect(recorder.ended.count == 6)
    }

    @Test("A queue without a rate and without a timed suspension never asks its clock")
    func unasked() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 2, clock: clock)
      await queue.setStartRate(nil)
      await queue.suspend()
      await queue.add((0..<50).map { operation("\($0)") })
      await queue.addBarrier {}
      await queue.resume()
      await queue.waitUntilAllOperationsAreFinished()
      #expect(clock.readCount == 0)
      await queue.setStartRate(OperationStartRate(1, per: .seconds(1)))
      await queue.setStartRate(nil)
      let readCount = clock.readCount
      #expect(readCount > 0)
      await queue.add((0..<50).map { operation("more \($0)") })
      await queue.waitUntilAllOperationsAreFinished()
      #expect(clock.readCount == readCount)
    }

    @Test("A queue that waits for the rate alone is not stalled: no wait ends early, and nothing is cancelled")
    func notStalled() async throws {
      let queue = queue()
      let gate = Gate()
      let waiting = await queue.add {
        await gate.wait()
        await queue.waitUntilAllOperationsAreFinished()
        recorder.note("waiting")
      }
      let (ahead, behind) = (operation("ahead"), operation("behind"))
      try await ahead.addDependency(behind)
      await queue.add(ahead)
      await queue.addBarrier { recorder.note("barrier") }
      // It passes the barrier, since one ahead depends on it, also while it has to wait for the rate.
      await queue.add(behind)
      gate.open()
      #expect(await queue.hasWaitingBodies(1))
      for (count, name) in ["behind", "ahead"].enumerated() {
        #expect(await isAsleep(until: 10 * (count + 1)))
        await queue.process()
        #expect(await queue.stalled.isEmpty)
        #expect(!waiting.isFinished)
        #expect(recorder.ended.count == count)
        clock.advanceToNext()
        #expect(await eventually { recorder.ended.contains(name) })
      }
      // Nothing but the barrier is left, which waits for the body.
      try await waiting.value
      #expect(await isAsleep(until: 30))
      clock.advanceToNext()
      await queue.waitUntilAllOperationsAreFinished()
      #expect(recorder.ended == ["behind", "ahead", "waiting", "barrier"])
    }

    @Test("A loop through a barrier is found while starts are held")
    func deadlock() async throws {
      let queue = queue(1)
      let behind = operation("behind")
      let waiting = await queue.add { try await behind.valueOrError() }
      let barrier = await queue.addBarrier {}
      try await behind.addDependency(barrier)
      await queue.add(behind)
      #expect(try await waiting.value == .waitWouldDeadlock)
      await queue.cancelAllOperations()
      await queue.waitUntilAllOperationsAreFinished()
    }

    @Test("The timer wakes a queue whose runner has ended, and keeps the queue no longer than its operations do")
    func runnerEnded() async throws {
      func make() async throws -> (Weak, AsyncOperation<Int>) {
        let queue = self.queue()
        try await queue.add {}.value
        return (Weak(queue), await queue.add { 42 })
      }
      let (queue, operation) = try await make()
      #expect(await isAsleep(until: 10))
      #expect(queue.object != nil)
      clock.advanceToNext()
      #expect(try await operation.value == 42)
      #expect(await eventually { queue.object == nil })
    }

    @Test("A scope waits for all to begin, and its end leaves the rate as it is")
    func scope() async throws {
      let program = Task {
        try await withOperationQueue(startRate: OperationStartRate(2, per: .seconds(10)), clock: clock) { queue in
          for number in 0..<4 { await queue.add(operation("\(number)")) }
        }
      }
      #expect(await isAsleep(until: 10))
      #expect(await eventually { recorder.ended.count == 2 })
      clock.advanceToNext()
      try await program.value
      #expect(recorder.ended.count == 4)
    }

    @Test("One in line that gets its limits while starts are held begins as soon as the rate lets it")
    func inLineWhileHeld() async throws {
      let (limit, holder) = (ConcurrencyLimit(1), Blocker())
      try await holder.operation.addLimit(limit)
      await AsyncOperationQueue().add(holder.operation)
      await holder.begun.wait()
      let queue = queue()
      let operation = await queue.add(limits: [limit]) { () async in }
      // A turn finds that it lacks its limit.
      await queue.process()
      // Begins, so that the rate holds what comes next.
      await queue.add { () async in }.waitUntilFinished()

      holder.release.open()

      #expect(await isAsleep(until: 10))
      clock.advanceToNext()
      await operation.waitUntilFinished()
    }

    @Test("The main queue has no rate")
    func mainQueue() async throws {
      await AsyncOperationQueue.main.setStartRate(OperationStartRate(1, per: .seconds(3_600)))
      for number in 0..<3 { #expect(try await AsyncOperationQueue.main.add { number }.value == number) }
    }

    @Test("Times as long as can be said are waited for, and the queue works on")
    func longTimes() async throws {
      let queue = AsyncOperationQueue(startRate: OperationStartRate(1, per: .seconds(Int64.max)))
      try await queue.add {}.value
      let waiting = await queue.add {}
      await queue.suspend(for: .seconds(Int64.max))
      await queue.resume()
      #expect(waiting.state == .ready)
      waiting.cancel()
      await waiting.waitUntilFinished()
    }
  }
}

extension AsyncOperation {
  /// Awaits the value; nil if there is one.
  fileprivate nonisolated(nonsending) func valueOrError() async throws -> OperationError? {
    do {
      _ = try await value
      return nil
    } catch let error as OperationError {
      return error
    }
  }
}

/// An executor that can be stopped.
private final class HoldingExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "holding")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  func hold() { queue.suspend() }
  func goOn() { queue.resume() }
}
