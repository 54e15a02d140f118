import TestSupport
import Testing

import class StructuredOperationsTesting.SeededExecutor
import class StructuredOperationsTesting.VirtualClock

@testable import StructuredOperations

extension WithOperationTimeoutTests {
  @Suite("In bodies", .timeLimit(.minutes(15)), .hangGuard)
  struct Bodies {
    private let clock = VirtualClock()
    private let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)

    /// A wait for something that needs the only slot of the queue.
    enum Wait: CaseIterable {
      case value, finished, addAndWait, run, runBarrierElsewhere, allFinished, currentOperations, start, scope, lent

      func perform(in queue: AsyncOperationQueue) async throws {
        switch self {
        case .value: _ = try await queue.add { 1 }.value
        case .finished: await queue.add {}.waitUntilFinished()
        case .addAndWait: await queue.addAndWait([AsyncOperation {}])
        case .run: try await queue.run {}
        case .runBarrierElsewhere:
          let other = AsyncOperationQueue()
          let inner = await queue.add {}
          let outer = AsyncOperation {}
          try await outer.addDependency(inner)
          await other.add(outer)
          try await other.runBarrier {}
        case .allFinished:
          await queue.add {}
          await queue.waitUntilAllOperationsAreFinished()
        case .currentOperations:
          await queue.add {}
          await queue.waitForCurrentOperations()
        case .start:
          let inner = await queue.add {}
          try await AsyncOperation { await inner.waitUntilFinished() }.start()
        case .scope:
          let inner = await queue.add {}
          try await withOperationQueue { scope in await scope.add { await inner.waitUntilFinished() } }
        case .lent:
          let gate = Gate()
          await queue.add { gate.open() }
          await withLentSlot { await gate.wait() }
        }
      }
    }

    @Test(
      "Each kind of wait lends the slot, and so it does in time-outs in one another", arguments: Wait.allCases, 1...3)
    func lending(wait: Wait, depth: Int) async throws {
      let (queue, clock) = (queue, clock)
      @Sendable func perform(_ depth: Int) async throws {
        if depth == 0 { return try await wait.perform(in: queue) }
        try await withOperationTimeout(.seconds(5), clock: clock) { try await perform(depth - 1) }
      }
      try await queue.add { try await perform(depth) }.value
      #expect(queue.snapshot.waitingCount == 0)
      #expect(clock.sleeperCount == 0)
    }

    @Test("Without a wait the slot is kept")
    func keeping() async throws {
      let (go, clock) = (Gate(), clock)
      let body = await queue.add {
        try await withOperationTimeout(.seconds(5), clock: clock) { await go.wait() }
      }
      let other = await queue.add {}
      await clock.waitForSleepers(1)
      #expect(queue.snapshot.waitingCount == 0 && !other.isExecuting)
      go.open()
      try await body.value
    }

    @Test("The operation and the queue are known in the closure")
    func current() async throws {
      let (queue, clock) = (queue, clock)
      let body = await queue.add { () async throws -> Bool in
        let me = AsyncOperation.current
        return try await withOperationTimeout(.seconds(5), clock: clock) {
          AsyncOperation.current === me && AsyncOperationQueue.current === queue
        }
      }
      #expect(try await body.value)
    }

    @Test("Waits that could never end are found, in time-outs in one another, too", arguments: 1...3)
    func deadlocks(depth: Int) async throws {
      let (queue, clock) = (queue, clock)
      @Sendable func perform(_ depth: Int, _ wait: @Sendable () async throws -> Int) async throws -> Int {
        if depth == 0 { return try await wait() }
        return try await withOperationTimeout(.seconds(5), clock: clock) { try await perform(depth - 1, wait) }
      }
      let body = await queue.add { () async throws -> Int in
        let me = try #require(AsyncOperation.current as? AsyncOperation<Int>)
        #expect(try await perform(depth) { try await me.valueOrDeadlock() } == -1)
        await #expect(throws: OperationError.waitWouldDeadlock) {
          try await perform(depth) { try await queue.runBarrier { 1 } }
        }
        await queue.addBarrier {}
        let behind = await queue.add { 42 }
        return try await perform(depth) { try await behind.valueOrDeadlock() }
      }
      #expect(try await body.value == -1)
    }

    @Test("A wait that is cut short returns with a slot, and leaves what it waited for")
    func cutShort() throws {
      for seed in UInt64(0)..<200 {
        HangGuard.progress()
        let clock = VirtualClock()
        let executor = SeededExecutor(seed: seed, clock: clock)
        let recorder = Recorder<Int>()
        try executor.run {
          let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1, executor: executor)
          let slow = await AsyncOperationQueue(executor: executor).add { try await clock.sleep(for: .seconds(60)) }
          for number in 0..<3 {
            await queue.add {
              await #expect(throws: OperationError.timedOut(.seconds(5))) {
                try await withOperationTimeout(.seconds(5), clock: clock) { try await slow.value }
              }
              recorder.begin(number)
              for _ in 0..<3 { await Task.yield() }
              recorder.end(number)
            }
          }
          await queue.waitUntilAllOperationsAreFinished()
          #expect(slow.isExecuting && !slow.isCancelled)
          try await slow.value
        }
        #expect(recorder.ended.count == 3 && recorder.peak == 1, "seed \(seed)")
        #expect(executor.foreignJobCount == 0, "seed \(seed)")
      }
    }

    @Test("Cancelling the operation cancels the closure; the operation is a cancelled one")
    func cancelled() async throws {
      let body = await queue.add { [clock] in
        try await withOperationTimeout(.seconds(5), clock: clock) {
          await untilCancelled()
          try Task.checkCancellation()
        }
      }
      await clock.waitForSleepers(1)
      body.cancel()
      await #expect(throws: CancellationError.self) { try await body.value }
      #expect(body.outcome?.isCancelled == true)
    }

    @Test("A time-out that a body throws on is a failure of its operation, which is not a cancelled one")
    func outcome() async {
      let body = await queue.add { [clock] in
        try await withOperationTimeout(.seconds(5), clock: clock) { await untilCancelled() }
      }
      await clock.waitForSleepers(1)
      clock.advance(by: .seconds(5))
      await #expect(throws: OperationError.timedOut(.seconds(5))) { try await body.value }
      #expect(!body.isCancelled)
    }

    @Test("Waits in many closures at once, some of them cut short, leave every slot in its place")
    func storm() async throws {
      let (queue, clock, recorder) = (
        AsyncOperationQueue(maxConcurrentOperationCount: 2), VirtualClock(), Recorder<Int>()
      )
      let never = AsyncOperation {}
      for number in 0..<60 {
        await queue.add {
          let inner = await queue.add { await Task.yield() }
          _ = try? await withOperationTimeout(.seconds(number % 3), clock: clock) {
            try await withOperationTimeout(.seconds(2), clock: clock) {
              try await (number % 2 == 0 ? inner : never).value
            }
          }
          recorder.begin(number)
          await Task.yield()
          recorder.end(number)
        }
      }
      while recorder.ended.count < 60 {
        clock.advance(by: .seconds(1))
        await Task.yield()
      }
      await queue.waitUntilAllOperationsAreFinished()
      #expect(recorder.peak <= 2)
      #expect(queue.snapshot.waitingCount == 0 && clock.sleeperCount == 0)
    }
  }
}
