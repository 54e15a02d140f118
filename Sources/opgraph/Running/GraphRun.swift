import Foundation
import StructuredOperations

/// One run of a graph, from the first operation to the summary.
struct GraphRun {
  let graph: Graph
  /// How many commands may run at once.
  let width: Int
  let interruptions: Interruptions

  /// Runs the graph and gives the status to exit with; throws ``InputError`` where the graph is a loop.
  func status() async throws -> Int32 {
    let (events, continuation) = AsyncStream.makeStream(of: RunEvent.self)
    let running = RunningCommands()
    let runner = CommandRunner(events: continuation, running: running)
    let operations = try await OperationGraph(graph, operation: runner.operation)
    await operations.whenNotRun { id, reason in continuation.yield(.notRun(id: id, reason)) }

    interruptions.runBegan { running.killAll() }
    // A task of its own, so that a signal can cancel the run and nothing else.
    let run = Task {
      defer { continuation.finish() }
      try await withOperationQueue(name: "opgraph", maxConcurrentOperationCount: width) { queue in
        // As one batch: the priorities hold from the first operation on.
        await queue.add(operations.operations)
      }
    }
    interruptions.onCancel { run.cancel() }
    let printer = Printer(output: .standardOutput, onFailure: { run.cancel() })
    let status = await printer.status(printing: events, of: graph)
    // Its body throws nothing, and how a cancelled run went is in the report.
    _ = await run.result
    return interruptions.exitStatus ?? status
  }
}
