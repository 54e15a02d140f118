import TestSupport
import Testing

import class StructuredOperationsTesting.SeededExecutor
import enum StructuredOperationsTesting.SeededExecutorError
import class StructuredOperationsTesting.VirtualClock

@testable import StructuredOperations

@Suite("OperationSleep", .timeLimit(.minutes(15)), .hangGuard)
struct OperationSleepTests {
  @Test("A time counts from when its end was asked for, whoever sleeps later")
  func fromTheCall() async throws {
    let clock = VirtualClock()
    let end = OperationSleep.end(of: .seconds(5), on: clock, purpose: .timeout)
    clock.advance(by: .seconds(3))
    let sleeper = Task { try await end.sleep() }
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(2))
    #expect(clock.sleeperCount == 0)
    try await sleeper.value
  }

  @Test("A time of more than a hundred years is slept in parts, and not cut off")
  func manyYears() async throws {
    let clock = OrdinaryClock()
    let start = clock.now
    let end = OperationSleep.end(of: OperationSleep.longest * 2 + .seconds(5), on: clock, purpose: .timeout)
    let sleeper = Task { try await end.sleep() }
    for part in 1...2 {
      await clock.base.waitForSleepers(1)
      clock.base.advanceToNext()
      #expect(start.duration(to: clock.now) == OperationSleep.longest * part)
      try #require(!end.hasPassed)
    }
    await clock.base.waitForSleepers(1)
    clock.base.advanceToNext()
    #expect(end.hasPassed && clock.base.sleeperCount == 0)
    try await sleeper.value
  }

  @Test(
    "Parts that the clock has jumped over are not slept one by one",
    arguments: [OperationSleep.longest * 3, .seconds(Int64.max)])
  func manyYearsAtOnce(time: Duration) async throws {
    let clock = OrdinaryClock()
    let end = OperationSleep.end(of: time + .seconds(5), on: clock, purpose: .timeout)
    let sleeper = Task { try await end.sleep() }
    await clock.base.waitForSleepers(1)
    clock.base.advance(by: time)
    await clock.base.waitForSleepers(1)
    clock.base.advanceToNext()
    try await sleeper.value
    #expect(clock.sleepCount.current == 2)
  }

  @Test(
    "On a virtual clock a time of any length is slept at once",
    arguments: [.seconds(5), .seconds(Int64.max)] as [Duration])
  func virtualClock(time: Duration) async throws {
    let clock = VirtualClock()
    let start = clock.now
    let sleeper = Task { try await OperationSleep.end(of: time, on: clock, purpose: .retryPause).sleep() }
    await clock.waitForSleepers(1)
    clock.advanceToNext()
    #expect(start.duration(to: clock.now) == time && clock.sleeperCount == 0)
    try await sleeper.value
  }

  @Test("Under a seeded executor time-outs, pauses and suspensions that are never over end in a few steps")
  func foreverUnderSeed() throws {
    let clock = VirtualClock()
    let executor = SeededExecutor(seed: 1, clock: clock)
    let forever = Duration.seconds(Int64.max)
    let start = clock.now
    try executor.run(stepLimit: 1_000) {
      await #expect(throws: OperationError.timedOut(forever)) {
        try await withOperationTimeout(forever, clock: clock) { await untilCancelled() }
      }
      await #expect(throws: Failure.self) {
        try await withOperationRetry(.constant(forever, attempts: 2), clock: clock) { throw Failure() }
      }
      let queue = AsyncOperationQueue(executor: executor, clock: clock)
      await queue.suspend(for: forever)
      let value = try await queue.add { 1 }.value
      #expect(value == 1)
    }
    #expect(start.duration(to: clock.now) == forever * 3)
  }

  /// A virtual clock that is taken for one of the system's.
  private struct OrdinaryClock: Clock {
    let base = VirtualClock()
    let sleepCount = Locked(0)

    var now: VirtualClock.Instant { base.now }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: VirtualClock.Instant, tolerance: Duration?) async throws {
      sleepCount.increment()
      try await base.sleep(until: deadline, tolerance: tolerance)
    }
  }

  @Test(
    "On the system's clock a time of any length is slept until it is cancelled",
    arguments: [.seconds(Int64.max), .seconds(1_000_000_000_000), .seconds(10_000_000_000)] as [Duration])
  func anyLength(time: Duration) async {
    let isOver = Locked(false)
    let sleeper = Task {
      try await OperationSleep.end(of: time, on: ContinuousClock(), purpose: .retryPause).sleep()
      isOver.withLock { $0 = true }
    }
    for _ in 0..<1_000 { await Task.yield() }
    #expect(!isOver.current)
    sleeper.cancel()
    await #expect(throws: CancellationError.self) { try await sleeper.value }
  }

  @Test("Cancellation ends a sleep")
  func cancelled() async {
    let clock = VirtualClock()
    let sleeper = Task { try await OperationSleep.end(of: .seconds(5), on: clock, purpose: .retryPause).sleep() }
    await clock.waitForSleepers(1)
    sleeper.cancel()
    await #expect(throws: CancellationError.self) { try await sleeper.value }
    #expect(clock.sleeperCount == 0)
  }

  @Test(
    "A seeded executor hears of sleeps for any purpose, also of tasks without task-local values",
    arguments: [
      (.timeout, "a time-out"), (.retryPause, "a pause between attempts"),
      (.startRate(queue: "\"images\""), "the start rate of \"images\""),
      (.suspension(queue: "\"images\""), "the suspension of \"images\""),
    ] as [(SleepPurpose, String)])
  func told(purpose: SleepPurpose, words: String) throws {
    let other = VirtualClock()
    let executor = SeededExecutor(seed: 1, clock: VirtualClock())
    let body: @Sendable () async throws -> Void = {
      let timer = Task.detached(executorPreference: executor) {
        try await OperationSleep.end(of: .seconds(5), on: other, purpose: purpose).sleep()
      }
      try await timer.value
    }
    let error = #expect(throws: SeededExecutorError.self) { try executor.run(body) }
    guard case .asleep(seed: 1, steps: _, let sleeps, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(sleeps == ["\(words) on a VirtualClock"])
    #expect(error?.description.contains(words) == true)
    // The end of the sleep is told, too: what stalls now is a stall.
    other.advance(by: .seconds(5))
    let gate = Gate()
    let stalled = #expect(throws: SeededExecutorError.self) { try executor.run { await gate.wait() } }
    guard case .stalled = stalled else {
      Issue.record("\(String(describing: stalled))")
      return
    }
    gate.open()
    try executor.run {}
  }

  @Test("An executor is kept for the time of its run alone")
  func letGo() throws {
    weak var executor: SeededExecutor?
    do {
      let made = SeededExecutor(seed: 1)
      executor = made
      try made.run {}
    }
    #expect(executor == nil)
  }

  @Test("Random numbers are the executor's where it has a seed, else the system's")
  func randomNumbers() throws {
    func numbers(seed: UInt64) throws -> [UInt64] {
      let executor = SeededExecutor(seed: seed)
      return try executor.run {
        await Task.detached(executorPreference: executor) {
          var generator = TaskRandomNumberGenerator()
          return [generator.next(), generator.next()]
        }.value
      }
    }
    #expect(try numbers(seed: 1) == numbers(seed: 1))
    #expect(try numbers(seed: 1) != numbers(seed: 2))
    var generator = TaskRandomNumberGenerator()
    #expect(generator.next() != generator.next())
  }
}
