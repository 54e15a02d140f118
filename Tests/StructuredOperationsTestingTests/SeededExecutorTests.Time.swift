import StructuredOperations
import StructuredOperationsTesting
import TestSupport
import Testing

import class StructuredOperationsTesting.Gate

extension SeededExecutorTests {
  @Suite("Time", .timeLimit(.minutes(15)), .hangGuard)
  struct Time {
    private let clock = VirtualClock()

    @Test("Time goes on only where nothing else is left to run, whatever the seed")
    func lastOfAll() throws {
      for seed in UInt64(0)..<100 {
        HangGuard.progress()
        let clock = VirtualClock()
        let executor = SeededExecutor(seed: seed, clock: clock)
        try executor.run {
          let start = clock.now
          let queue = AsyncOperationQueue(executor: executor)
          let sleeping = await queue.add {
            try await clock.sleep(for: .nanoseconds(1))
            return start.duration(to: clock.now)
          }
          let busy = await queue.add {
            for _ in 0..<50 { await Task.yield() }
            return start.duration(to: clock.now)
          }
          let times = try await (busy.value, sleeping.value)
          #expect(times == (.zero, .nanoseconds(1)), "seed \(seed)")
        }
      }
    }

    @Test("It goes on after those who wait for idleness, and what they do")
    func afterIdleness() throws {
      let executor = SeededExecutor(seed: 3, clock: clock)
      try executor.run { [clock] in
        let start = clock.now
        let queue = AsyncOperationQueue(executor: executor)
        let sleeping = await queue.add { try await clock.sleep(for: .seconds(1)) }
        for _ in 0..<3 {
          await executor.waitUntilIdle()
          #expect(sleeping.isExecuting && clock.now == start && clock.sleeperCount == 1)
        }
        try await sleeping.value
        #expect(clock.now == start.advanced(by: .seconds(1)))
      }
    }

    @Test("It jumps from sleeper to sleeper: each finds its own moment")
    func jumps() throws {
      for seed in UInt64(0)..<50 {
        HangGuard.progress()
        let clock = VirtualClock()
        let executor = SeededExecutor(seed: seed, clock: clock)
        try executor.run {
          let start = clock.now
          let queue = AsyncOperationQueue(executor: executor)
          for number in 1...10 {
            await queue.add {
              for turn in 1...3 {
                try await clock.sleep(for: .seconds(number))
                #expect(start.duration(to: clock.now) == .seconds(number * turn), "seed \(seed)")
              }
            }
          }
          await queue.waitUntilAllOperationsAreFinished()
          #expect(start.duration(to: clock.now) == .seconds(30))
        }
      }
    }

    @Test("What the closure leaves asleep is run to its end")
    func leftovers() throws {
      let gate = Gate()
      let executor = SeededExecutor(seed: 5, clock: clock)
      try executor.run { [clock] in
        Task(executorPreference: executor) {
          for _ in 0..<3 { try await clock.sleep(for: .seconds(3_600)) }
          gate.open()
        }
      }
      #expect(gate.isOpen)
    }

    /// Time-outs and retries with jitter, and what came of them when.
    @Sendable private static func program(_ executor: SeededExecutor, _ clock: VirtualClock) async -> [String] {
      let (start, log) = (clock.now, Locked<[String]>([]))
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 3, executor: executor)
      let policy = OperationRetryPolicy.exponential(from: .seconds(1), upTo: .seconds(9), attempts: 4, jitter: 0.5)
      for number in 0..<10 {
        await queue.add {
          let attempts = try await withOperationRetry(policy, clock: clock) { attempt in
            try await withOperationTimeout(.seconds(5), clock: clock) {
              try await clock.sleep(for: .seconds((number * 7 + 3) / attempt))
            }
            return attempt
          }
          log.append("\(start.duration(to: clock.now)): \(number) after \(attempts)")
        }
      }
      await queue.waitUntilAllOperationsAreFinished()
      return log.current
    }

    @Test("A program with time-outs and retries repeats by its seed, and other seeds differ")
    func repeats() throws {
      func run(seed: UInt64) throws -> ([String], UInt64) {
        let clock = VirtualClock()
        let executor = SeededExecutor(seed: seed, clock: clock)
        let log = try executor.run { await Self.program(executor, clock) }
        #expect(executor.foreignJobCount == 0 && clock.sleeperCount == 0)
        return (log, executor.signature)
      }
      var logs: Set<[String]> = []
      for seed in UInt64(0)..<30 {
        HangGuard.progress()
        let (log, signature) = try run(seed: seed)
        #expect(try run(seed: seed) == (log, signature), "seed \(seed)")
        logs.insert(log)
      }
      #expect(logs.count > 1)
    }

    @Test("A wait for what never comes is told after all sleepers have had their time")
    func stall() throws {
      let executor = SeededExecutor(seed: 1, clock: clock)
      let (gate, isDone) = (Gate(), Gate())
      let error = #expect(throws: SeededExecutorError.self) {
        try executor.run { [clock] in
          Task(executorPreference: executor) {
            try await clock.sleep(for: .seconds(10))
            isDone.open()
          }
          await gate.wait()
        }
      }
      #expect(isDone.isOpen)
      #expect(error == .stalled(seed: 1, steps: executor.stepCount + 1, explanations: []))
      try executor.run { gate.open() }
    }

    @Test("Without the clock, or with another one, a bare sleep is a stall", arguments: [true, false])
    func otherClock(hasClock: Bool) throws {
      let executor = SeededExecutor(seed: 1, clock: hasClock ? VirtualClock() : nil)
      let error = #expect(throws: SeededExecutorError.self) {
        try executor.run { [clock] in try await clock.sleep(for: .seconds(1)) }
      }
      guard case .stalled = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      clock.advanceToNext()
      try executor.run {}
    }

    @Test("A value that comes after the time by the clock of the executor is none, though the time-out sleeps on")
    func lateValue() throws {
      for seed in UInt64(0)..<20 {
        let clock = VirtualClock()
        let executor = SeededExecutor(seed: seed, clock: clock)
        #expect(throws: OperationError.timedOut(.seconds(5)), "seed \(seed)") {
          try executor.run {
            try await withOperationTimeout(.seconds(5), clock: clock) { clock.advance(by: .seconds(5)) }
          }
        }
      }
    }

    @Test("A sleep on a real clock that is over is no reason for a later stall")
    func endedSleep() throws {
      let executor = SeededExecutor(seed: 4)
      let gate = Gate()
      let error = #expect(throws: SeededExecutorError.self) {
        try executor.run {
          // Its time-out sleeps until the body has ended, and is cancelled then.
          try await withOperationTimeout(.seconds(3_600)) { await executor.waitUntilIdle() }
          await gate.wait()
        }
      }
      if case .stalled = error {} else { Issue.record("\(String(describing: error))") }
      gate.open()
      try executor.run {}
    }

    @Test("What an earlier run has left asleep is no reason for a later stall")
    func leftAsleep() throws {
      let (executor, gate) = (SeededExecutor(seed: 4), Gate())
      let asleep = #expect(throws: SeededExecutorError.self) {
        try executor.run { [clock] in
          try await withOperationRetry(.constant(.seconds(5), attempts: 2), clock: clock) { throw Failure() }
        }
      }
      if case .asleep = asleep {} else { Issue.record("\(String(describing: asleep))") }
      let stalled = #expect(throws: SeededExecutorError.self) { try executor.run { await gate.wait() } }
      if case .stalled = stalled {} else { Issue.record("\(String(describing: stalled))") }
      gate.open()
      clock.advanceToNext()
      try executor.run {}
    }

    @Test("A time-out and a pause between attempts on real clocks are named, with their clocks")
    func realClocks() throws {
      let executor = SeededExecutor(seed: 12, clock: clock)
      let tasks = Locked<[Task<Void, any Error>]>([])
      let gate = Gate()
      let error = #expect(throws: SeededExecutorError.self) {
        try executor.run { [clock] in
          let bodies: [@Sendable () async throws -> Void] = [
            { try await withOperationTimeout(.seconds(3_600)) { await gate.wait() } },
            {
              try await withOperationRetry(.constant(.seconds(3_600), attempts: 2), clock: SuspendingClock()) {
                throw Failure()
              }
            },
            { try await withOperationTimeout(.seconds(9), clock: clock) { try await clock.sleep(for: .seconds(5)) } },
          ]
          for body in bodies {
            tasks.append(Task(executorPreference: executor, operation: body))
            await executor.waitUntilIdle()
          }
          await gate.wait()
        }
      }
      guard case .asleep(seed: 12, steps: _, let sleeps, _) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(sleeps == ["a time-out on a ContinuousClock", "a pause between attempts on a SuspendingClock"])
      #expect(error?.description.contains("Seed 12") == true && error?.description.contains("ContinuousClock") == true)
      #expect(error?.description.contains("SeededExecutor(seed:clock:)") == true)
      // What is cancelled wakes.
      for task in tasks.current { task.cancel() }
      gate.open()
      try executor.run { for task in tasks.current { _ = await task.result } }
    }
  }
}
