import StructuredOperations
import StructuredOperationsTesting
import TestSupport

/// Runs a program under a seed.
enum SeededTrial {
  /// Many times what programs need: one that never ends is found in so many steps, again and again while it is shrunk.
  private static let stepLimit = 100_000

  /// What is wrong; empty where nothing is.
  static func faults(of program: Program, seed: UInt64) -> [String] {
    HangGuard.progress()
    let clock = VirtualClock()
    let executor = SeededExecutor(seed: seed, clock: clock)
    do {
      let record = try executor.run(stepLimit: Self.stepLimit) {
        try await ProgramRun(program, executor: executor, clock: clock).run()
      }
      var faults = Referee.faults(of: record, program, isExact: true)
      if executor.foreignJobCount > 0 { faults.append("\(executor.foreignJobCount) jobs ran elsewhere") }
      return faults
    } catch {
      return ["\(error)"]
    }
  }

  /// The events of a run, their times, and the signature of the order in which the executor ran the jobs.
  static func run(
    _ program: Program,
    seed: UInt64
  ) throws -> (events: [Event], times: [Duration], signature: UInt64) {
    HangGuard.progress()
    let clock = VirtualClock()
    let executor = SeededExecutor(seed: seed, clock: clock)
    let record = try executor.run(stepLimit: Self.stepLimit) {
      try await ProgramRun(program, executor: executor, clock: clock).run()
    }
    return (record.events, record.times, executor.signature)
  }
}
