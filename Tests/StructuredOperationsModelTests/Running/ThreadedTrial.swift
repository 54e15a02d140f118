import Dispatch
import StructuredOperations
import TestSupport

/// Runs a program on the cooperative pool and on the threads for synchronous bodies.
enum ThreadedTrial {
  /// What is wrong; empty where nothing is.
  static func faults(of program: Program) async -> [String] {
    HangGuard.progress()
    let run = ProgramRun(program, executor: nil)
    let answer = OneShot<Result<RunRecord, any Error>?>()
    // Weak: a cancelled work item is still retained until its deadline, and must not keep objects of the program alive.
    let alarm = DispatchWorkItem { [weak answer] in answer?.fulfil(with: nil) }
    // Earlier than the hang guard, which would end the process without naming the program.
    let seconds = HangGuard.seconds * 5 / 6
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds), execute: alarm)
    Task {
      do {
        answer.fulfil(with: .success(try await run.run()))
      } catch {
        answer.fulfil(with: .failure(error))
      }
    }
    let result = await answer.value
    alarm.cancel()
    switch result {
    case nil:
      let hang = "it has not ended after \(seconds) seconds; \(run.log.events.suffix(20))"
      return [hang] + (await run.explanations)
    case .failure(let error): return ["\(error)"]
    case .success(let record):
      return await faults(of: record, run)
    }
  }

  /// Completion blocks, and threads that release the last reference, may be late, and nothing waits for them: retries
  /// for a while.
  private static func faults(of record: RunRecord, _ run: ProgramRun) async -> [String] {
    let deadline = ContinuousClock.now + .seconds(20)
    var record = record
    while true {
      record.events = run.log.events
      let remains = record.remains.filter { $0.object != nil }.map { "\($0.label) is still there" }
      let faults = Referee.faults(of: record, run.program, isExact: false) + remains
      if faults.isEmpty || ContinuousClock.now > deadline { return faults }
      for _ in 0..<100 { await Task.yield() }
    }
  }
}
