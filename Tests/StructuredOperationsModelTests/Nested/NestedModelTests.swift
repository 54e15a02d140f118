import StructuredOperations
import StructuredOperationsTesting
import TestSupport
import Testing

/// Random programs of scopes in scopes, run to their ends.
///
/// `MODEL_SEEDS=100000 swift test --filter NestedModelTests` runs more of them; `MODEL_FIRST=123 MODEL_SEEDS=1` runs
/// one.
@Suite("Random nested programs", .serialized, .hangGuard)
struct NestedModelTests {
  private struct Result: Sendable {
    let faults: [String]
    let loopCount: Int
    /// What has to be freed.
    let rest: [Weak]

    init(of run: NestedRun) {
      faults = run.faults
      loopCount = run.loopCount
      rest = run.forget()
    }

    var leftCount: Int { rest.count { $0.object != nil } }
  }

  @Test("come to an end in any order that a seed leads to, whatever loops they close, and leave nothing")
  func seeded() async throws {
    // The body takes seconds and does not suspend, so it has a thread of its own.
    try await withTaskExecutorPreference(OperationThreadPool.shared) { try Self.runSeeded() }
  }

  private static func runSeeded() throws {
    let seeds = ModelSeeds.range(3_000)
    var loopCount = 0
    for seed in seeds {
      // An analysis that goes round for ever is no stall: the hang guard ends the process then.
      let result = try HangGuard.during("nested program \(seed)") { try runSeeded(seed) }
      #expect(result.faults == [], "nested program \(seed)")
      #expect(result.leftCount == 0, "nested program \(seed): objects are left")
      loopCount += result.loopCount
    }
    if seeds.count >= 1_000 { #expect(loopCount > seeds.count / 4) }
  }

  private static func runSeeded(_ seed: UInt64) throws -> Result {
    let clock = VirtualClock()
    let executor = SeededExecutor(seed: seed, clock: clock)
    let run = NestedRun(NestedProgramGenerator.program(seed: seed), executor: executor, clock: clock)
    // The error names the seed.
    try executor.run(stepLimit: 100_000) { await run.run() }
    return Result(of: run)
  }

  @Test("come to an end on threads, whatever loops they close, and leave nothing")
  func threaded() async {
    for seed in ModelSeeds.range(1_000) {
      await HangGuard.during("nested program \(seed) on threads") {
        let result = await Self.runThreaded(seed)
        #expect(result.faults == [], "nested program \(seed) on threads")
        let isFreed = await eventually { result.leftCount == 0 }
        #expect(isFreed, "nested program \(seed) on threads: \(result.leftCount) objects are left")
      }
    }
  }

  private static func runThreaded(_ seed: UInt64) async -> Result {
    let run = NestedRun(NestedProgramGenerator.program(seed: seed))
    HangGuard.explain(run.queues.map(\.queue))
    await run.run()
    return Result(of: run)
  }
}
