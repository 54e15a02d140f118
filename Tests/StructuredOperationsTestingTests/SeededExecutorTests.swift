import StructuredOperations
import StructuredOperationsTesting
import class StructuredOperationsTesting.Gate
import Testing
import TestSupport

@Suite("SeededExecutor", .hangGuard)
struct SeededExecutorTests {
  /// Runs a closure.
  private func probe(seed: UInt64) throws -> [Int] {
    let executor = SeededExecutor(seed: seed)
    let recorder = OperationRecorder<Int>()
    try executor.run {
      await withTaskGroup { group in
        for number in 0..<6 {
          group.addTask {
            for _ in 0..<3 {
              recorder.note(number)
              await Task.yield()
            }
          }
        }
      }
    }
    #expect(executor.foreignJobCount == 0)
    return recorder.begun
  }

  @Test("The same seed gives the same interleaving, and other seeds give others")
  func repeats() throws {
    let orders = try (UInt64(0)..<50).map(probe)
    let again = try (UInt64(0)..<50).map(probe)
    #expect(again == orders)
    #expect(Set(orders).count == 50)
  }

  @Test("Numbers that are drawn with the seed of a run and the order of its tasks are independent")
  func independentNumbers() throws {
    var seen: Set<[String]> = []
    for seed in UInt64(0)..<400 {
      HangGuard.progress()
      var generator = SeededGenerator(seed: seed)
      let bits = (0..<2).map { _ in String(Int.random(in: 0...1, using: &generator)) }
      let (executor, recorder) = (SeededExecutor(seed: seed), OperationRecorder<String>())
      try executor.run {
        let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1, executor: executor)
        async let one: Void = queue.run { recorder.note("one") }
        async let other: Void = queue.run { recorder.note("other") }
        _ = try await (one, other)
      }
      seen.insert(bits + recorder.begun)
    }
    #expect(seen.count == 8)
  }

  @Test("It returns what the closure returns and throws what it throws")
  func outcome() throws {
    #expect(try SeededExecutor(seed: 1).run { 7 } == 7)
    #expect(throws: CancellationError.self) { try SeededExecutor(seed: 1).run { throw CancellationError() } }
  }

  @Test("A wait that never ends is told at once, with the seed")
  func stall() throws {
    let executor = SeededExecutor(seed: 12)
    let gate = Gate()
    let error = #expect(throws: SeededExecutorError.self) { try executor.run { await gate.wait() } }
    #expect(error == .stalled(seed: 12, steps: executor.stepCount, explanations: []))
    #expect(error?.description.contains("Seed 12") == true)
    // Without an explanation, of what may be elsewhere.
    #expect(error?.description.contains("a queue that was made without this one") == true)
    #expect(gate.waiterCount == 1)
    // Another run goes on with what was left.
    try executor.run { gate.open() }
    #expect(gate.waiterCount == 0)
  }

  @Test("Tasks that chase each other for ever run into the limit")
  func livelock() throws {
    let executor = SeededExecutor(seed: 3)
    let gate = Gate()
    let error = #expect(throws: SeededExecutorError.self) {
      try executor.run(stepLimit: 500) {
        while !gate.isOpen { await Task.yield() }
      }
    }
    #expect(error == .tooManySteps(seed: 3, steps: 500))
    try executor.run { gate.open() }
  }

  @Test(
    "A closure that has ended gives its error at the limit, and no value, while what it has started goes on",
    arguments: [true, false])
  func leftoversAtLimit(isFailing: Bool) throws {
    let clock = VirtualClock()
    let (executor, isStopped) = (SeededExecutor(seed: 3, clock: clock), Locked(false))
    let error = #expect(throws: (any Error).self) {
      try executor.run(stepLimit: 500) {
        Task(executorPreference: executor) {
          while !isStopped.current { try await clock.sleep(for: .seconds(1)) }
        }
        if isFailing { throw Failure() }
      }
    }
    if isFailing {
      #expect(error is Failure)
    } else {
      #expect(error as? SeededExecutorError == .tooManySteps(seed: 3, steps: 500))
      #expect((error as? SeededExecutorError)?.description.contains("or what it has started, goes on and on") == true)
    }
    isStopped.withLock { $0 = true }
    try executor.run {}
  }

  /// Work, then a task that waits for idleness, then time that goes on: each is a step.
  @Test("A run that needs as many steps as the limit passes; with one less it does not, and has taken no more")
  func exactLimit() throws {
    @Sendable func run(stepLimit: Int) -> Result<Int, any Error> {
      let clock = VirtualClock()
      let executor = SeededExecutor(seed: 4, clock: clock)
      // What a limit has left suspended would never be freed.
      defer { _ = try? executor.run {} }
      return Result {
        try executor.run(stepLimit: stepLimit) {
          await Task.yield()
          await executor.waitUntilIdle()
          try await clock.sleep(for: .seconds(1))
        }
        return executor.stepCount
      }
    }
    let jobCount = try run(stepLimit: 1_000).get()
    // Twice a step is no job.
    let count = jobCount + 2
    for limit in [count, count + 1] { #expect(try run(stepLimit: limit).get() == jobCount) }
    for limit in 0..<count {
      #expect(throws: SeededExecutorError.tooManySteps(seed: 4, steps: limit)) { try run(stepLimit: limit).get() }
    }
  }

  @Test("A wait that never ends is told as such, also where the limit has been reached")
  func stallAtLimit() throws {
    let executor = SeededExecutor(seed: 12)
    let gate = Gate()
    let error = #expect(throws: SeededExecutorError.self) { try executor.run(stepLimit: 1) { await gate.wait() } }
    #expect(error == .stalled(seed: 12, steps: 1, explanations: []))
    try executor.run { gate.open() }
  }

  @Test("What the closure leaves behind is run to its end")
  func leftovers() throws {
    let executor = SeededExecutor(seed: 5)
    let recorder = OperationRecorder<Int>()
    try executor.run {
      Task(executorPreference: executor) {
        for number in 0..<5 {
          await Task.yield()
          recorder.note(number)
        }
      }
    }
    #expect(recorder.begun == [0, 1, 2, 3, 4])
  }

  @Test("A task that waits for idleness goes on when all others have come to rest")
  func idleness() throws {
    for seed in UInt64(0)..<20 {
      HangGuard.progress()
      let executor = SeededExecutor(seed: seed)
      let recorder = OperationRecorder<String>()
      let gate = Gate()
      try executor.run {
        for number in 0..<4 {
          Task(executorPreference: executor) {
            for _ in 0..<number { await Task.yield() }
            recorder.note("before")
            await gate.wait()
            recorder.note("after")
          }
        }
        await executor.waitUntilIdle()
        #expect(recorder.begun == ["before", "before", "before", "before"])
        gate.open()
        await executor.waitUntilIdle()
        #expect(recorder.begun.suffix(4) == ["after", "after", "after", "after"])
      }
    }
  }

  @Test("Jobs from other threads are counted, and run")
  func foreignJobs() throws {
    let executor = SeededExecutor(seed: 1)
    try executor.run {
      let gate = Gate()
      let waiter = Task(executorPreference: executor) { await gate.wait() }
      while gate.waiterCount == 0 { await Task.yield() }
      let isOpened = TestSupport.Gate()
      Task.detached(executorPreference: OperationThreadPool.shared) {
        gate.open()
        isOpened.open()
      }
      isOpened.waitBlocking()
      await waiter.value
    }
    #expect(executor.foreignJobCount == 1)
  }

  @Test("Task-local values of the caller are there")
  func taskLocals() throws {
    let seen = try Value.$current.withValue(9) {
      try SeededExecutor(seed: 0).run { Value.current }
    }
    #expect(seen == 9)
  }

  private enum Value {
    @TaskLocal static var current = 0
  }
}
