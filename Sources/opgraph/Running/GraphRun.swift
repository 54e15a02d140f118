import StructuredOperations

/// One run of a graph, from the first operation to the summary.
struct GraphRun {
  let graph: Graph
  let file: GraphFile
  let options: RunOptions
  let state: RunState
  let interruptions: Interruptions
  let explanations: Explanations
  /// Runs everything but the printer.
  let loop: CommandLoop
  /// Runs the printer.
  let printing: any TaskExecutor

  /// Runs the graph and returns the exit status, which counts unless a signal has come.
  ///
  /// Throws ``InputError`` if a file that the run is to write cannot be made, before anything runs.
  func status() async throws -> Int32 {
    let junit = try options.junit.map { try JUnitFile(path: $0) }
    let files = try HistoryFiles(for: graph, of: file, options: options)
    let execution = try await GraphExecution(graph, options: options, state: state, loop: loop)
    interruptions.runBegan(
      Interruptions.Run(
        grace: options.grace, schedule: { [loop] in loop.schedule(after: $0, $1) }, end: execution.end,
        kill: execution.kill))
    // Before the first command begins, which may be before the printer does.
    let start = ContinuousClock.now
    // The run and the printer go on at the same time, each on a thread of its own, since the printer blocks. Not in a task
    // group, which has one type of result; both are awaited below, and nobody cancels this task.
    let run = Task(executorPreference: loop) { [explanations, interruptions] in
      await execution.run(observer: files?.journal) { explanations.runBegan($0, isPausing: execution.isPausing) }
      explanations.runEnded()
      interruptions.runEnded()
    }
    let printer = Printer(
      output: .standardOutput, options: options, environment: ToolEnvironment.variables, junit: junit,
      onFailure: interruptions.reportFailed)
    let status = await Task(executorPreference: printing) {
      printer.status(printing: execution.events, of: graph, since: start)
    }.value
    await run.value
    let isWritten = files?.write() ?? true
    return isWritten ? status : 1
  }
}
