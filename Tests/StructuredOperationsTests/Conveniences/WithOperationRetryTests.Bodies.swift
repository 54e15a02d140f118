import TestSupport
import Testing

import class StructuredOperationsTesting.VirtualClock

@testable import StructuredOperations

extension WithOperationRetryTests {
  @Suite("In bodies", .timeLimit(.minutes(15)), .hangGuard)
  struct Bodies {
    private let clock = VirtualClock()
    private let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
    private let recorder = Recorder<String>()

    /// An operation whose first attempt fails, and whose second one succeeds.
    private func addBody(pause: Duration = .seconds(5)) async -> AsyncOperation<Void> {
      await queue.add { [clock, recorder] in
        try await withOperationRetry(.constant(pause, attempts: 2), clock: clock) { attempt in
          recorder.begin("attempt \(attempt)")
          await Task.yield()
          recorder.end("attempt \(attempt)")
          if attempt == 1 { throw Failure() }
        }
      }
    }

    @Test("The slot is lent during a pause, and the next attempt waits for one")
    func lending() async throws {
      let body = await addBody()
      await clock.waitForSleepers(1)
      #expect(queue.snapshot.waitingCount == 1 && body.isExecuting)
      let (begun, go) = (Gate(), Gate())
      await queue.add { [recorder] in
        recorder.begin("other")
        begun.open()
        await go.wait()
        recorder.end("other")
      }
      await begun.wait()
      clock.advance(by: .seconds(5))
      while await queue.state.scheduler.slotRequests.isEmpty { await Task.yield() }
      #expect(recorder.ended == ["attempt 1"])
      go.open()
      try await body.value
      #expect(recorder.ended == ["attempt 1", "other", "attempt 2"])
      #expect(recorder.peak == 1)
    }

    @Test("In a child task of the body a pause lends nothing, so the order of the queue is kept")
    func inChildTask() async throws {
      let body = await queue.add { [clock, recorder] in
        async let end: Void = withOperationRetry(.constant(.seconds(5), attempts: 2), clock: clock) { attempt in
          recorder.note("attempt \(attempt)")
          if attempt == 1 { throw Failure() }
        }
        try await end
      }
      let other = await queue.add { [recorder] in recorder.note("other") }
      await clock.waitForSleepers(1)
      #expect(queue.snapshot.waitingCount == 0 && other.state == .ready)
      clock.advance(by: .seconds(5))
      try await body.value
      try await other.value
      #expect(recorder.ended == ["attempt 1", "attempt 2", "other"])
    }

    @Test("A pause begins when the attempt has failed, however long the slot takes to be lent")
    func slowLending() async throws {
      // Takes three seconds to hear that the body waits.
      let observer = EventRecorder { [clock] event in
        if case .waitBegan = event.kind { clock.advance(by: .seconds(3)) }
      }
      let queue = AsyncOperationQueue(observer: observer)
      let body = await queue.add { [clock] in
        try await withOperationRetry(.constant(.seconds(5), attempts: 2), clock: clock) { attempt in
          if attempt == 1 { throw Failure() }
        }
      }
      await clock.waitForSleepers(1)
      clock.advance(by: .seconds(2))
      #expect(clock.sleeperCount == 0)
      clock.advance(by: .seconds(3))
      try await body.value
    }

    @Test("A pause of nothing lends no slot")
    func pauseOfNothing() async throws {
      let body = await addBody(pause: .zero)
      await queue.add { [recorder] in recorder.note("other") }
      try await body.value
      await queue.waitUntilAllOperationsAreFinished()
      #expect(recorder.ended == ["attempt 1", "attempt 2", "other"])
    }

    @Test(
      "An operation that is cancelled in a pause, or while it waits for its slot, is a cancelled one",
      arguments: [true, false])
    func cancelled(isInPause: Bool) async throws {
      let body = await addBody()
      await clock.waitForSleepers(1)
      let (begun, go) = (Gate(), Gate())
      let other = await queue.add {
        begun.open()
        await go.wait()
      }
      // It has the slot: otherwise the body would have it back first.
      await begun.wait()
      if !isInPause {
        clock.advance(by: .seconds(5))
        while await queue.state.scheduler.slotRequests.isEmpty { await Task.yield() }
      }
      body.cancel()
      #expect(clock.sleeperCount == 0)
      go.open()
      await #expect(throws: CancellationError.self) { try await body.value }
      #expect(recorder.ended == ["attempt 1"])
      try await other.value
    }

    @Test("In a time-out the pause lends, too, and ends with the time")
    func inTimeout() async throws {
      let body = await queue.add { [clock] in
        try await withOperationTimeout(.seconds(7), clock: clock) {
          try await withOperationRetry(.constant(.seconds(5), attempts: 9), clock: clock) { throw Failure() }
        }
      }
      await clock.waitForSleepers(2)
      #expect(try await queue.add { 42 }.value == 42)
      clock.advance(by: .seconds(5))
      await clock.waitForSleepers(2)
      clock.advance(by: .seconds(2))
      await #expect(throws: OperationError.timedOut(.seconds(7))) { try await body.value }
    }
  }
}
