import StructuredOperations

/// The commands of a graph, from the first one to the last, without what reports them and what interrupts them.
struct GraphExecution: Sendable {
  /// What happens, in order; ends with the run.
  let events: RunEvents
  private let options: RunOptions
  private let loop: CommandLoop
  private let running: RunningCommands
  private let operations: OperationGraph

  /// Throws ``InputError`` if the graph has a cycle; runs nothing.
  init(_ graph: Graph, options: RunOptions, state: RunState = RunState(), loop: CommandLoop) async throws {
    let running = RunningCommands(failureLimit: options.failureLimit) { loop.schedule(after: $0, $1) }
    let events = RunEvents { id in
      if let process = running.process(of: id) { loop.resumeReading(process) }
    }
    let runner = CommandRunner(
      nodes: graph.nodes, events: events, running: running, loop: loop, options: options, state: state)
    let operations = try await OperationGraph(graph, operation: runner.operation)
    // So that what waits, for a pause to end or for others, ends at once. The others end by themselves: one whose command has
    // ended has a result already, also if it is the failure that reaches the limit, and one whose command has not been
    // started cancels itself.
    running.onLimit {
      operations.cancel { !$0.isExecuting || running.isPausing($0.name ?? "?") }
    }
    (self.events, self.options, self.loop, self.running, self.operations) = (events, options, loop, running, operations)
  }

  /// Runs all of it; to be called once.
  ///
  /// - Parameters:
  ///   - observer: Told what happens to the operations.
  ///   - whenBegun: Called with the queue of the operations before the first of them.
  func run(
    observer: (any OperationObserver)? = nil, whenBegun: (AsyncOperationQueue) -> Void = { _ in }
  ) async {
    defer {
      // It holds the operations, which hold what runs them.
      running.onLimit {}
      events.finish()
    }
    // Not to be cancelled, but by `end`; what has failed is told by the events.
    _ = try? await withOperationQueue(
      name: "opgraph", maxConcurrentOperationCount: options.width, executor: loop, observer: observer
    ) { queue in
      whenBegun(queue)
      // As one batch, so that priorities are taken into account from the first operation on.
      await queue.add(operations.operations)
    }
    let cancellation = running.stopReason ?? .cancelled
    for (id, reason) in operations.notRun(cancelledBy: cancellation, except: running.wasInterrupted) {
      events.send(.notRun(id: id, reason))
    }
  }

  /// Whether an operation is in a pause between two attempts, or waits to go on after one.
  func isPausing(_ id: String) -> Bool { running.isPausing(id) }

  /// Sends SIGTERM to the running commands, and has no others started.
  func end() {
    running.stop()
    operations.cancel { _ in true }
  }

  /// Kills the running commands, and has no others started; what launchers have left is killed later.
  func kill() {
    running.killAll()
    loop.schedule(after: options.launcherGrace) { [running] in running.killRest() }
  }
}
