import StructuredOperations
import StructuredOperationsTesting
import TestSupport

/// Runs a program under a seed.
enum SeededTrial {
  /// What is wrong; empty where nothing is.
  static func faults(of program: Program, seed: UInt64) -> [String] {
    HangGuard.progress()
    let executor = SeededExecutor(seed: seed)
    do {
      let record = try executor.run(stepLimit: 1_000_000) { try await ProgramRun(program, executor: executor).run() }
      var faults = Referee.faults(of: record, program, isExact: true)
      if executor.foreignJobCount > 0 { faults.append("\(executor.foreignJobCount) jobs ran elsewhere") }
      return faults
    } catch {
      return ["\(error)"]
    }
  }

  /// The events of a run, and the signature of the order in which the executor ran the jobs.
  static func run(_ program: Program, seed: UInt64) throws -> (events: [Event], signature: UInt64) {
    HangGuard.progress()
    let executor = SeededExecutor(seed: seed)
    let record = try executor.run(stepLimit: 1_000_000) { try await ProgramRun(program, executor: executor).run() }
    return (record.events, executor.signature)
  }
}
