import Dispatch
import StructuredOperations
import TestSupport

/// One program on the cooperative pool and the threads for bodies that block.
enum ThreadedTrial {
  /// What is wrong; empty where nothing is.
  static func faults(of program: Program) async -> [String] {
    HangGuard.progress()
    let run = ProgramRun(program, executor: nil)
    let answer = OneShot<Result<RunRecord, any Error>?>()
    // Cancelled, it is kept until its time has come all the same, and must not keep what the program left.
    let alarm = DispatchWorkItem { [weak answer] in answer?.fulfil(with: nil) }
    // Before the guard would end the process, which knows nothing of the program.
    DispatchQueue.global().asyncAfter(deadline: .now() + 50, execute: alarm)
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
    case nil: return ["it has not ended after 50 seconds; \(run.log.events.suffix(20))"]
    case .failure(let error): return ["\(error)"]
    case .success(let record):
      return await faults(of: record, run)
    }
  }

  /// Nobody waits for completion blocks, nor for the threads that let go of the operations last: they get a moment.
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
