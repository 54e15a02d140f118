import StructuredOperationsTesting
import Testing
import TestSupport

@testable import StructuredOperations

@Suite("Start rates and timed suspensions in virtual time", .timeLimit(.minutes(15)), .hangGuard)
struct StartRateProgramTests {
  private static func simulate<Output: Sendable>(
    seed: UInt64,
    _ body: @escaping @Sendable (SeededExecutor, VirtualClock) async throws -> Output
  ) throws -> (output: Output, signature: UInt64) {
    let clock = VirtualClock()
    let executor = SeededExecutor(seed: seed, clock: clock)
    let output = try executor.run { try await body(executor, clock) }
    #expect(executor.foreignJobCount == 0, "seed \(seed)")
    #expect(clock.sleeperCount == 0, "seed \(seed)")
    return (output, executor.signature)
  }

  private struct Load: Sendable {
    let rate: OperationStartRate
    /// Since the addition before, and how long the body takes; in milliseconds.
    let operations: [(pause: Int, length: Int)]

    init(seed: UInt64) {
      var random = SeededGenerator(seed: seed)
      rate = OperationStartRate(
        Int.random(in: 1...5, using: &random), per: .milliseconds(Int.random(in: 1...20_000, using: &random)))
      operations = (0..<30).map { _ in
        let isLater = Int.random(in: 0..<3, using: &random) == 0
        return (
          isLater ? Int.random(in: 1...30_000, using: &random) : 0, Int.random(in: 0...15_000, using: &random)
        )
      }
    }
  }

  @Test("Under random loads each begins as soon as the rate lets it, and a run repeats by its seed")
  func random() throws {
    for seed in UInt64(0)..<60 {
      HangGuard.progress()
      let load = Load(seed: seed)
      let run = {
        try Self.simulate(seed: seed) { executor, clock in
          let (start, times) = (clock.now, Locked<[Duration]>([]))
          let queue = AsyncOperationQueue(
            maxConcurrentOperationCount: 1_000, executor: executor, startRate: load.rate, clock: clock)
          for (pause, length) in load.operations {
            if pause > 0 { try await clock.sleep(for: .milliseconds(pause)) }
            await queue.add {
              times.append(start.duration(to: clock.now))
              if length > 0 { try? await clock.sleep(for: .milliseconds(length)) }
            }
          }
          await queue.waitUntilAllOperationsAreFinished()
          return times.current
        }
      }
      let (begun, signature) = try run()
      // The naive way: as soon as what began `count` before is a stretch ago.
      var expected: [Duration] = []
      var added = Duration.zero
      for (pause, _) in load.operations {
        added += .milliseconds(pause)
        let count = load.rate.count
        let earliest = expected.count < count ? added : expected[expected.count - count] + load.rate.duration
        expected.append(max(added, earliest, expected.last ?? .zero))
      }
      #expect(begun == expected, "seed \(seed)")
      let again = try run()
      #expect(again == (begun, signature), "seed \(seed)")
    }
  }

  @Test("With a limit, cancellations, barriers, suspensions and other rates all comes to an end, and each rate holds")
  func mixed() throws {
    for seed in UInt64(0)..<150 {
      HangGuard.progress()
      let rate = OperationStartRate(3, per: .seconds(10))
      let begun = try Self.simulate(seed: seed) { executor, clock in
        var random = SeededGenerator(seed: seed)
        let (start, times) = (clock.now, Locked<[Duration]>([]))
        let queue = AsyncOperationQueue(
          maxConcurrentOperationCount: 2, executor: executor, startRate: rate, clock: clock)
        let other = AsyncOperationQueue(executor: executor)
        for number in 0..<40 {
          let choice = Int.random(in: 0..<10, using: &random)
          let length = Duration.seconds(Int.random(in: 0...9, using: &random))
          let body: @Sendable () async -> Void = {
            times.append(start.duration(to: clock.now))
            if number % 4 == 0 { await other.add { await Task.yield() }.waitUntilFinished() }
            if length > .zero { try? await clock.sleep(for: length) }
          }
          switch choice {
          case 0: await queue.addBarrier(start: body)
          case 1: await queue.add(start: body).cancel()
          case 2: await queue.suspend(for: length)
          case 3: await queue.resume()
          case 4: await queue.setStartRate(OperationStartRate(Int.random(in: 1...3, using: &random), per: .seconds(10)))
          case 5: try await clock.sleep(for: .seconds(1))
          default: await queue.add(start: body)
          }
        }
        await queue.waitUntilAllOperationsAreFinished()
        return times.current
      }.output
      #expect(zip(begun, begun.dropFirst(3)).allSatisfy { $1 - $0 >= rate.duration }, "seed \(seed)")
    }
  }

  @Test("The rate and the suspension of a scope without an executor are part of the run, which repeats")
  func scopeWithoutExecutor() throws {
    for seed in UInt64(0)..<40 {
      HangGuard.progress()
      let results = try (0..<2).map { _ in
        try Self.simulate(seed: seed) { _, clock in
          let (start, times) = (clock.now, Locked<[Duration]>([]))
          try await withOperationQueue(startRate: OperationStartRate(1, per: .seconds(1)), clock: clock) { queue in
            await queue.suspend(for: .seconds(5))
            for _ in 0..<3 {
              await queue.add {
                await Task.yield()
                times.append(start.duration(to: clock.now))
              }
            }
            await queue.waitUntilAllOperationsAreFinished()
          }
          return times.current
        }
      }
      #expect(results.allSatisfy { $0.output == [.seconds(5), .seconds(6), .seconds(7)] }, "seed \(seed)")
      #expect(results[0].signature == results[1].signature, "seed \(seed)")
    }
  }

  @Test("The timer of a scope is where the task that opens it is, whoever adds to it; that of another queue is not")
  func timerExecutor() async throws {
    let executor = SeededExecutor(seed: 1)
    try executor.run {
      #expect(AsyncOperationQueue().timerExecutor == nil)
      #expect(AsyncOperationQueue(executor: executor).timerExecutor as? SeededExecutor === executor)
      try await withOperationQueue { #expect($0.timerExecutor as? SeededExecutor === executor) }
    }
    try await withOperationQueue { queue in
      try executor.run { #expect(queue.timerExecutor == nil) }
    }
  }

  @Test("A run is told that the rate of a scope without an executor is on a clock of the system's")
  func scopeOnOtherClock() throws {
    let executor = SeededExecutor(seed: 1, clock: VirtualClock())
    let task = Locked<Task<Void, any Error>?>(nil)
    let error = #expect(throws: SeededExecutorError.self) {
      try executor.run {
        let scope = Task(executorPreference: executor) {
          try await withOperationQueue(name: "web", startRate: OperationStartRate(1, per: .seconds(3_600))) { queue in
            for _ in 0..<2 { await queue.add { await Task.yield() } }
          }
        }
        task.withLock { $0 = scope }
        try await scope.value
      }
    }
    guard case .asleep(seed: 1, steps: _, let sleeps, explanations: _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(sleeps == ["the start rate of \"web\" on a ContinuousClock"])
    task.current?.cancel()
    try executor.run { _ = await task.current?.result }
  }
}
