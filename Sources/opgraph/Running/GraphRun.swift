import Foundation
import StructuredOperations

/// One run of a graph, from the first operation to the summary.
struct GraphRun {
  let graph: Graph
  /// The maximum number of commands that run at the same time.
  let width: Int
  let interruptions: Interruptions
  let loop: CommandLoop
  /// Runs everything but the printer.
  let executor: any TaskExecutor
  /// Runs the printer.
  let printing: any TaskExecutor

  /// Runs the graph and returns the exit status; throws ``InputError`` if the graph has a cycle.
  func status() async throws -> Int32 {
    let (events, continuation) = AsyncStream.makeStream(of: RunEvent.self)
    let running = RunningCommands()
    let runner = CommandRunner(events: continuation, running: running, loop: loop, spool: OutputSpool())
    let operations = try await OperationGraph(graph, operation: runner.operation)
    await operations.whenNotRun { id, reason in continuation.yield(.notRun(id: id, reason)) }

    interruptions.runBegan { running.killAll() }
    // A separate task, so that a signal cancels the run but not the printer.
    let run = Task(executorPreference: executor) {
      defer { continuation.finish() }
      try await withOperationQueue(
        name: "opgraph", maxConcurrentOperationCount: width, executor: executor
      ) { queue in
        // As one batch, so that priorities are taken into account from the first operation on.
        await queue.add(operations.operations)
      }
    }
    interruptions.onCancel { run.cancel() }
    let printer = Printer(output: .standardOutput, onFailure: { run.cancel() })
    let status = await Task(executorPreference: printing) { await printer.status(printing: events, of: graph) }.value
    // The error of a cancelled run is ignored, since the report has the results.
    _ = await run.result
    return interruptions.exitStatus ?? status
  }
}
