import Testing
import TestSupport

@testable import StructuredOperations

extension AsyncOperationQueueTests {
  @Suite("Suspension for a time", .timeLimit(.minutes(15)), .hangGuard)
  struct TimedSuspension {
    private let clock = ManualClock()

    /// Whether the queue's timer sleeps, until that time.
    private func isAsleep(until seconds: Int) async -> Bool {
      await eventually { clock.nextDeadline == .seconds(seconds) && clock.sleeperCount == 1 }
    }

    @Test("The queue resumes at the very moment, by itself, and says so")
    func resumes() async throws {
      let queue = AsyncOperationQueue(clock: clock)
      await queue.suspend(for: .seconds(30))
      let operation = await queue.add { 42 }
      #expect(await isAsleep(until: 30))
      clock.advance(by: .seconds(30) - .nanoseconds(1))
      await queue.process()
      #expect(operation.state == .ready)
      #expect(queue.snapshot.isSuspended)
      clock.advance(by: .nanoseconds(1))
      #expect(try await operation.value == 42)
      #expect(!queue.isSuspended)
      #expect(clock.sleeperCount == 0)
      #expect(clock.sleepCount == 1)
    }

    @Test("An empty queue resumes, too, and observers are told")
    func empty() async {
      let queue = AsyncOperationQueue(clock: clock)
      var states = queue.states.makeAsyncIterator()
      var told = [await states.next()]
      await queue.suspend(for: .seconds(30))
      told.append(await states.next())
      #expect(await isAsleep(until: 30))
      clock.advanceToNext()
      told.append(await states.next())
      #expect(told.map { $0?.isSuspended } == [false, true, false])
    }

    @Test("A suspension of more than a hundred years is slept in parts")
    func manyYears() async {
      let queue = AsyncOperationQueue(clock: clock)
      await queue.suspend(for: OperationSleep.longest * 2)
      #expect(await isAsleep(until: 3_155_760_000))
      clock.advanceToNext()
      #expect(await isAsleep(until: 2 * 3_155_760_000))
      #expect(queue.isSuspended)
      clock.advanceToNext()
      #expect(await eventually { !queue.isSuspended })
    }

    @Test("A queue resumes, and a start rate lets the next one begin, on a clock on which nobody can sleep, too")
    func brokenClock() async throws {
      let queue = AsyncOperationQueue(
        startRate: OperationStartRate(1, per: .milliseconds(20)), clock: BrokenClock())
      await queue.suspend(for: .milliseconds(20))
      let operations = (0..<2).map { number in AsyncOperation { number } }
      await queue.add(operations)
      #expect(try await operations[0].value == 0)
      #expect(try await operations[1].value == 1)
    }

    @Test("A turn after the time is up resumes the queue, though the timer has not gone off yet")
    func beforeTimer() async throws {
      let queue = AsyncOperationQueue(clock: clock)
      await queue.suspend(for: .seconds(30))
      #expect(await isAsleep(until: 30))
      clock.advance(by: .seconds(31))
      await queue.process()
      #expect(!queue.isSuspended)
    }

    @Test("The last call counts, whether its time is longer or shorter", arguments: [5, 30])
    func again(seconds: Int) async throws {
      let queue = AsyncOperationQueue(isSuspended: true, clock: clock)
      let operation = await queue.add { 42 }
      await queue.suspend(for: .seconds(20))
      #expect(await isAsleep(until: 20))
      clock.advance(by: .seconds(10))
      await queue.suspend(for: .seconds(seconds))
      #expect(await isAsleep(until: 10 + seconds))
      clock.advance(by: .seconds(seconds - 1))
      await queue.process()
      #expect(queue.isSuspended)
      clock.advance(by: .seconds(1))
      #expect(try await operation.value == 42)
    }

    @Test("resume() and suspend() end it, and later suspensions last as long as they say")
    func ended() async throws {
      let queue = AsyncOperationQueue(clock: clock)
      await queue.suspend(for: .seconds(30))
      #expect(await isAsleep(until: 30))
      await queue.resume()
      #expect(clock.sleeperCount == 0)
      #expect(try await queue.add { 42 }.value == 42)
      await queue.suspend(for: .seconds(30))
      #expect(await isAsleep(until: 30))
      await queue.suspend()
      #expect(clock.sleeperCount == 0)
      clock.advance(by: .seconds(3_600))
      await queue.process()
      #expect(queue.isSuspended)
    }

    @Test("No time, and less, resumes at once", arguments: [0, -1])
    func none(seconds: Int) async throws {
      let queue = AsyncOperationQueue(isSuspended: true, clock: clock)
      await queue.suspend(for: .seconds(seconds))
      #expect(try await queue.add { 42 }.value == 42)
      #expect(clock.readCount == 0)
    }

    @Test("What is cancelled stays until the queue resumes, and its end is no error of a wait")
    func cancelled() async throws {
      let queue = AsyncOperationQueue(clock: clock)
      await queue.suspend(for: .seconds(30))
      let operation = await queue.add { 42 }
      operation.cancel()
      #expect(await isAsleep(until: 30))
      #expect(!operation.isFinished)
      clock.advanceToNext()
      await operation.waitUntilFinished()
    }

    @Test("A body that waits for everything goes on waiting while its queue is suspended for a time")
    func notStalled() async throws {
      let queue = AsyncOperationQueue(clock: clock)
      let (isDone, gate) = (Locked(false), Gate())
      let waiting = await queue.add {
        await gate.wait()
        await queue.waitUntilAllOperationsAreFinished()
        return isDone.current
      }
      #expect(await eventually { waiting.isExecuting })
      await queue.suspend(for: .seconds(30))
      await queue.add { isDone.withLock { $0 = true } }
      gate.open()
      #expect(await queue.hasWaitingBodies(1))
      #expect(await isAsleep(until: 30))
      await queue.process()
      #expect(!waiting.isFinished)
      clock.advanceToNext()
      #expect(try await waiting.value == true)
    }

    @Test("What has to pass a barrier does so when the time is up")
    func passing() async throws {
      let queue = AsyncOperationQueue(clock: clock)
      let (ahead, behind) = (AsyncOperation {}, AsyncOperation {})
      try await ahead.addDependency(behind)
      await queue.suspend(for: .seconds(30))
      await queue.add(ahead)
      await queue.addBarrier {}
      await queue.add(behind)
      await queue.process()
      #expect(await isAsleep(until: 30))
      clock.advanceToNext()
      await queue.waitUntilAllOperationsAreFinished()
    }

    @Test("The end of a scope resumes its queue, and nothing sleeps any more; at its end no time suspends it")
    func scope() async throws {
      let operation = try await withOperationQueue(clock: clock) { queue in
        await queue.suspend(for: .seconds(3_600))
        #expect(await isAsleep(until: 3_600))
        return await queue.add {
          await queue.suspend(for: .seconds(3_600))
          return await queue.add { 42 }
        }
      }
      #expect(try await operation.value.value == 42)
      #expect(clock.sleeperCount == 0)
    }

    @Test("A cancelled scope does not wait for the time")
    func cancelledScope() async {
      let program = Task {
        try await withOperationQueue(clock: clock) { queue in
          await queue.suspend(for: .seconds(3_600))
          await queue.add {}
          await Gate().waitOrCancellation()
        }
      }
      #expect(await isAsleep(until: 3_600))
      program.cancel()
      await #expect(throws: CancellationError.self) { try await program.value }
      #expect(await eventually { clock.sleeperCount == 0 })
    }

    @Test("The timer does not keep the queue, and a queue that is freed cancels it")
    func freed() async {
      func make() async -> Weak {
        let queue = AsyncOperationQueue(clock: clock)
        await queue.suspend(for: .seconds(3_600))
        #expect(await isAsleep(until: 3_600))
        return Weak(queue)
      }
      let queue = await make()
      #expect(await eventually { queue.object == nil && clock.sleeperCount == 0 })
    }

    @Test("A queue that waits for its time with something in it is kept until that has run")
    func kept() async throws {
      func make() async -> (Weak, AsyncOperation<Int>) {
        let queue = AsyncOperationQueue(clock: clock)
        await queue.suspend(for: .seconds(30))
        return (Weak(queue), await queue.add { 42 })
      }
      let (queue, operation) = await make()
      #expect(await isAsleep(until: 30))
      #expect(queue.object != nil)
      clock.advanceToNext()
      #expect(try await operation.value == 42)
      #expect(await eventually { queue.object == nil })
    }

    @Test("The timer runs on the queue's executor, where it has one")
    func executor() async {
      let executor = LabelledExecutor("timer")
      let queue = AsyncOperationQueue(executor: executor, clock: clock)
      let label = Locked<String?>(nil)
      clock.onSleep { label.withLock { $0 = LabelledExecutor.currentLabel } }
      await queue.suspend(for: .seconds(30))
      #expect(await isAsleep(until: 30))
      #expect(label.current == "timer")
    }

    @Test("The main queue is not suspended")
    func mainQueue() async {
      await AsyncOperationQueue.main.suspend(for: .seconds(3_600))
      #expect(!AsyncOperationQueue.main.isSuspended)
    }
  }
}

extension Gate {
  /// Suspends until the calling task is cancelled, or the gate is open.
  fileprivate func waitOrCancellation() async {
    await withTaskCancellationHandler {
      await wait()
    } onCancel: {
      open()
    }
  }
}
