import StructuredOperations
import StructuredOperationsTesting
import TestSupport
import Testing

/// The crawler of the article "Retries, rates, time-outs" in virtual time.
@Suite("A crawler in virtual time", .timeLimit(.minutes(15)), .hangGuard)
struct CrawlerProgramTests {
  private struct Load: Sendable {
    var now = 0
    var ofHost: [Int: Int] = [:]
    var peak = 0
    var peakOfHost = 0
    var begun: [Duration] = []
    var attempts: [Int: Int] = [:]
    var fetched: Set<Int> = []
  }

  private struct Run: Hashable {
    let begun: [Duration]
    let attempts: [Int: Int]
    let fetched: Set<Int>
    let length: Duration
    let signature: UInt64
  }

  @Test(
    "Over 1 000 seeds of 100 seconds and more each limit, the rate and the time-outs hold, and each run repeats",
    arguments: 0..<10)
  func crawl(part: Int) throws {
    for seed in UInt64(part * 100)..<UInt64(part * 100 + 100) {
      HangGuard.progress()
      let run = try Self.run(seed: seed)
      #expect(run.length >= .seconds(100), "seed \(seed)")
      #expect(zip(run.begun, run.begun.dropFirst(3)).allSatisfy { $1 - $0 >= .seconds(5) }, "seed \(seed)")
      // Pages that are divisible by 7 hang at first, those by 5 are refused twice, and page 33 is never there.
      for page in 0..<60 {
        let attempts = page == 33 ? 4 : page % 5 == 0 ? 3 : page % 7 == 0 ? 2 : 1
        #expect(run.attempts[page] == attempts, "seed \(seed), page \(page)")
      }
      #expect(run.fetched == Set(0..<60).subtracting([33]), "seed \(seed)")
      #expect(try Self.run(seed: seed) == run, "seed \(seed)")
    }
  }

  private static func run(seed: UInt64) throws -> Run {
    let clock = VirtualClock()
    let executor = SeededExecutor(seed: seed, clock: clock)
    let start = clock.now
    let load = Locked(Load())
    try executor.run {
      let queue = AsyncOperationQueue(
        maxConcurrentOperationCount: 8, executor: executor, startRate: OperationStartRate(3, per: .seconds(5)),
        clock: clock)
      let policy = OperationRetryPolicy.exponential(from: .seconds(1), upTo: .seconds(20), attempts: 4, jitter: 0.5)
      let hosts = (0..<4).map { ConcurrencyLimit(2, name: "host \($0)") }
      for page in 0..<60 {
        await queue.add(limits: [hosts[page % 4]]) {
          load.withLock { $0.begun.append(start.duration(to: clock.now)) }
          try await withOperationRetry(policy, clock: clock) {
            try await withOperationTimeout(.seconds(10), clock: clock) { try await fetch(page, on: clock, load) }
          }
          load.withLock { _ = $0.fetched.insert(page) }
        }
      }
      await queue.waitUntilAllOperationsAreFinished()
    }
    let end = load.current
    #expect(end.peak <= 8 && end.peakOfHost <= 2, "seed \(seed)")
    #expect(executor.foreignJobCount == 0 && clock.sleeperCount == 0, "seed \(seed)")
    return Run(
      begun: end.begun, attempts: end.attempts, fetched: end.fetched, length: start.duration(to: clock.now),
      signature: executor.signature)
  }

  private static func fetch(_ page: Int, on clock: VirtualClock, _ load: Locked<Load>) async throws {
    let attempt = load.withLock { load in
      load.now += 1
      load.ofHost[page % 4, default: 0] += 1
      load.peak = max(load.peak, load.now)
      load.peakOfHost = max(load.peakOfHost, load.ofHost[page % 4, default: 0])
      load.attempts[page, default: 0] += 1
      return load.attempts[page, default: 0]
    }
    defer {
      load.withLock { load in
        load.now -= 1
        load.ofHost[page % 4, default: 0] -= 1
      }
    }
    let isHung = page % 7 == 0 && attempt == 1
    try await clock.sleep(for: .seconds(isHung ? 3_600 : page % 9 + 1))
    if page == 33 || page % 5 == 0 && attempt < 3 { throw Failure() }
  }
}
