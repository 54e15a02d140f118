import Foundation
import StructuredOperations

/// One run of a graph, from the first operation to the summary.
struct GraphRun {
  let graph: Graph
  let options: RunOptions
  let interruptions: Interruptions
  /// Runs everything but the printer.
  let loop: CommandLoop
  /// Runs the printer.
  let printing: any TaskExecutor

  /// Runs the graph and returns the exit status; throws ``InputError`` if the graph has a cycle.
  func status() async throws -> Int32 {
    let execution = try await GraphExecution(graph, options: options, loop: loop)
    interruptions.runBegan(
      Interruptions.Run(
        grace: options.grace, schedule: { [loop] in loop.schedule(after: $0, $1) }, end: execution.end,
        kill: execution.kill))
    let run = Task(executorPreference: loop) { await execution.run() }
    let printer = Printer(output: .standardOutput, onFailure: interruptions.reportFailed)
    let status = await Task(executorPreference: printing) {
      await printer.status(printing: execution.events.stream, of: graph)
    }.value
    await run.value
    return interruptions.exitStatus ?? status
  }
}
