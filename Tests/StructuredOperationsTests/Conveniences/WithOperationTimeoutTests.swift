import TestSupport
import Testing

import class StructuredOperationsTesting.ManualExecutor
import class StructuredOperationsTesting.SeededExecutor
import class StructuredOperationsTesting.VirtualClock

@testable import StructuredOperations

@Suite("withOperationTimeout", .timeLimit(.minutes(15)), .hangGuard)
struct WithOperationTimeoutTests {
  private let clock = VirtualClock()

  @TaskLocal private static var mark = 0

  @Test("What ends in time has its own value or error, and no sleeper is left")
  func inTime() async throws {
    #expect(try await withOperationTimeout(.seconds(5), clock: clock) { 42 } == 42)
    await #expect(throws: Failure(code: 1)) {
      try await withOperationTimeout(.seconds(5), clock: clock) { throw Failure(code: 1) }
    }
    #expect(clock.sleeperCount == 0)
  }

  @Test(
    "When the time is up the closure is cancelled and awaited, and the time-out is thrown whatever the closure ends with",
    arguments: 0..<3)
  func timeUp(way: Int) async {
    let (cancelled, go) = (Gate(), Gate())
    let task = Task { [clock] in
      try await withOperationTimeout(.seconds(5), clock: clock) {
        await untilCancelled()
        cancelled.open()
        await go.wait()
        if way == 1 { throw Failure() }
        if way == 2 { throw CancellationError() }
        return 42
      }
    }
    await clock.waitForSleepers(1)
    clock.advance(by: .milliseconds(4_999))
    #expect(clock.sleeperCount == 1 && !cancelled.isOpen)
    clock.advance(by: .milliseconds(1))
    await cancelled.wait()
    go.open()
    await #expect(throws: OperationError.timedOut(.seconds(5))) { try await task.value }
  }

  @Test("The time counts from the call, also where the closure and the sleep begin later")
  func fromTheCall() async {
    let executor = ManualExecutor()
    let isCalled = Locked(false)
    let task = Task(executorPreference: executor) { [clock] in
      isCalled.withLock { $0 = true }
      try await withOperationTimeout(.seconds(5), clock: clock) { await untilCancelled() }
    }
    while !isCalled.current { executor.step() }
    #expect(clock.sleeperCount == 0)
    clock.advance(by: .seconds(3))
    executor.runUntilIdle()
    clock.advance(by: .seconds(2))
    executor.runUntilIdle()
    await #expect(throws: OperationError.timedOut(.seconds(5))) {
      while executor.step() {}
      try await task.value
    }
  }

  @Test("A value that comes after the time is no value, though the timer has not told it yet")
  func lateValue() async throws {
    let timer = try #require(SharedTimer.replacing(ContinuousClock()))
    for _ in 0..<20 {
      await #expect(throws: OperationError.self) {
        try await withOperationTimeout(.milliseconds(1)) {
          // The timer has to wait for the lock.
          timer.scheduler.withLock { _ in
            let time = ContinuousClock.now + .milliseconds(2)
            while ContinuousClock.now < time {}
          }
        }
      }
    }
  }

  @Test("On a clock of the caller's it is none, either", arguments: 0..<3)
  func lateOnOtherClock(way: Int) async throws {
    let clock = StuckClock()
    await #expect(throws: OperationError.timedOut(.seconds(5))) {
      try await withOperationTimeout(.seconds(5), clock: clock) {
        clock.time.advance(by: .seconds(5))
        if way == 1 { throw Failure() }
        if way == 2 { throw CancellationError() }
      }
    }
    let value = try await withOperationTimeout(.seconds(5), clock: clock) {
      clock.time.advance(by: .milliseconds(4_999))
      return 42
    }
    #expect(value == 42)
  }

  @Test("What begins after its time on a clock of the caller's begins cancelled")
  func begunLate() async {
    let executor = ManualExecutor()
    let isCalled = Locked(false)
    let clock = StuckClock()
    let task = Task(executorPreference: executor) {
      isCalled.withLock { $0 = true }
      var isCancelled = false
      await #expect(throws: OperationError.timedOut(.seconds(5))) {
        try await withOperationTimeout(.seconds(5), clock: clock) { isCancelled = Task.isCancelled }
      }
      return isCancelled
    }
    while !isCalled.current { executor.step() }
    clock.time.advance(by: .seconds(5))
    executor.runUntilIdle()
    #expect(await task.value)
  }

  @Test("Under a seeded executor a value that comes after the time is none, whatever the seed")
  func lateUnderSeeds() throws {
    for seed in UInt64(0)..<40 {
      let clock = VirtualClock()
      let executor = SeededExecutor(seed: seed, clock: clock)
      try executor.run {
        let go = Gate()
        let task = Task(executorPreference: executor) {
          try await withOperationTimeout(.seconds(2), clock: clock) { await go.wait() }
        }
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(6))
        go.open()
        await #expect(throws: OperationError.timedOut(.seconds(2)), "seed \(seed)") { try await task.value }
      }
    }
  }

  @Test("Under a seeded executor another clock than that of the run is not asked")
  func foreignClock() throws {
    let executor = SeededExecutor(seed: 0)
    try executor.run {
      let clock = StuckClock()
      let value = try await withOperationTimeout(.seconds(5), clock: clock) {
        clock.time.advance(by: .seconds(6))
        return 42
      }
      #expect(value == 42)
    }
  }

  @Test("A value is kept for the caller alone, and freed where it comes too late", arguments: [5, 0])
  func valueIsFreed(seconds: Int) async {
    weak var made: Token?
    do {
      let value = try? await withOperationTimeout(.seconds(seconds), clock: clock) {
        let token = Token()
        made = token
        return token
      }
      #expect((value == nil) == (seconds == 0) && value === made)
    }
    #expect(made == nil)
  }

  private final class Token: Sendable {}

  @Test("Where no time is left the closure runs cancelled from its beginning", arguments: [0, -5])
  func noTime(seconds: Int) async {
    var isCancelled = false
    await #expect(throws: OperationError.timedOut(.seconds(seconds))) {
      try await withOperationTimeout(.seconds(seconds), clock: clock) { isCancelled = Task.isCancelled }
    }
    #expect(isCancelled)
  }

  @Test("Cancelled from outside, the closure ends as it likes, also after the time", arguments: [false, true])
  func outerCancellation(isLate: Bool) async throws {
    let (cancelled, go) = (Gate(), Gate())
    let tasks = [0, 1].map { way in
      Task { [clock] in
        try await withOperationTimeout(.seconds(5), clock: clock) {
          await untilCancelled()
          cancelled.open()
          await go.wait()
          if way == 1 { throw Failure(code: 7) }
          return 42
        }
      }
    }
    await clock.waitForSleepers(2)
    for task in tasks { task.cancel() }
    #expect(clock.sleeperCount == 0)
    if isLate { clock.advance(by: .seconds(9)) }
    go.open()
    #expect(try await tasks[0].value == 42)
    await #expect(throws: Failure(code: 7)) { try await tasks[1].value }
  }

  @Test("Of two time-outs in one another the first one counts", arguments: [(5, 9), (9, 5)])
  func nested(outer: Int, inner: Int) async {
    let task = Task { [clock] in
      try await withOperationTimeout(.seconds(outer), clock: clock) {
        try await withOperationTimeout(.seconds(inner), clock: clock) {
          await untilCancelled()
          throw CancellationError()
        }
      }
    }
    await clock.waitForSleepers(2)
    clock.advanceToNext()
    await #expect(throws: OperationError.timedOut(.seconds(min(outer, inner)))) { try await task.value }
    #expect(clock.sleeperCount == 0)
  }

  @Test("A sleep that fails is no time-out")
  func brokenClock() async throws {
    let value = try await withOperationTimeout(.seconds(500), clock: BrokenClock()) {
      for _ in 0..<10 { await Task.yield() }
      return Task.isCancelled ? 0 : 42
    }
    #expect(value == 42)
  }

  @Test("Task-local values and the executor reach the closure")
  func inherited() async throws {
    let executor = LabelledExecutor("own")
    let (mark, label) = try await Self.$mark.withValue(7) {
      try await withTaskExecutorPreference(executor) {
        try await withOperationTimeout(.seconds(5), clock: clock) { (Self.mark, LabelledExecutor.currentLabel) }
      }
    }
    #expect(mark == 7 && label == "own")
  }

  @Test("Of an end and a time that come at once one counts, and nobody is left sleeping")
  func races() async throws {
    for _ in 0..<50 {
      let (clock, go) = (VirtualClock(), Gate())
      let tasks = (0..<8).map { number in
        Task {
          try await withOperationTimeout(.seconds(1), clock: clock) {
            await go.wait()
            return number
          }
        }
      }
      await clock.waitForSleepers(tasks.count)
      await withTaskGroup { group in
        group.addTask { clock.advance(by: .seconds(1)) }
        group.addTask { go.open() }
        group.addTask { tasks[0].cancel() }
      }
      for (number, task) in tasks.enumerated() {
        do { #expect(try await task.value == number) } catch {
          #expect(error as? OperationError == .timedOut(.seconds(1)))
        }
      }
      #expect(clock.sleeperCount == 0)
    }
  }
}

/// A clock that wakes no sleeper: those who were cancelled go on.
private struct StuckClock: Clock {
  let time = VirtualClock()

  var now: VirtualClock.Instant { time.now }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: VirtualClock.Instant, tolerance: Duration?) async throws {
    await untilCancelled()
    throw CancellationError()
  }
}
