/// The command-line tool: reads a graph of shell commands, runs it, and exits with a status that tells the result.
@main
struct Opgraph: Sendable {
  private let programExit: ProgramExit
  private let interruptions: Interruptions
  private let explanations: Explanations
  private let loop: CommandLoop
  /// Runs what comes before and after the run: reading the graph blocks.
  private let executor: ThreadExecutor
  /// Runs the printer, which blocks while the reader of the report is slow.
  private let printing: ThreadExecutor

  /// Waits for signals and commands on the main thread; all other work runs on other threads.
  ///
  /// All threads are made before the first command: later the system might refuse to.
  static func main() {
    // A closed standard output, and a file that is too large, are errors of `write` and do not end the tool.
    for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
    do {
      try Descriptor.reserveStandardNumbers()
      let tool = try Opgraph()
      let arguments = Result { try ToolArguments.words() }
      Task.detached(executorPreference: tool.executor) {
        let status = await tool.status(arguments: arguments)
        if let signal = tool.interruptions.firstSignal { tool.programExit.exit(bySignal: signal) }
        tool.programExit.exit(status)
      }
      tool.loop.run { tool.received($0) }
    } catch {
      Descriptor.complain("\(error)")
      exit(2)
    }
  }

  /// Throws ``SystemError``.
  private init() throws {
    programExit = ProgramExit()
    interruptions = Interruptions(programExit: programExit)
    loop = CommandLoop(
      signals: try SignalPipe(
        Interruptions.signals + [Explanations.signal, SIGCHLD], unlessIgnored: Interruptions.ignorableSignals))
    executor = try ThreadExecutor()
    printing = try ThreadExecutor()
    explanations = Explanations(executor: executor)
  }

  private func received(_ signal: Int32) {
    if signal == Explanations.signal {
      explanations.requested()
    } else {
      interruptions.received(signal)
    }
  }

  /// The exit status: 0 all done, 1 an operation was not done or something not written, 2 bad input; counts unless a signal
  /// has come.
  private func status(arguments: Result<[String], any Error>) async -> Int32 {
    do {
      switch try Invocation(arguments: arguments.get()) {
      case .help: return status(ofPrinting: Invocation.usage)
      case .version: return status(ofPrinting: "\(ToolVersion.line)\n")
      case .graph(let file, let ids, let job):
        guard let file = file ?? GraphFile.ofCurrentFolder else {
          try Descriptor.standardError.write(Array(Invocation.usage.utf8))
          Descriptor.complain("there is no FILE, and no opgraph.json in this folder")
          return 2
        }
        // In a message about the file its name would not be seen.
        if file.name.isEmpty { throw InputError(#"FILE is "", which names no file"#) }
        return try await status(of: job, for: file, ids: ids)
      }
    } catch let errors as InputErrors {
      // Without the name of the tool, as editors expect it.
      try? Descriptor.standardError.write(Array("\(errors)\n".utf8))
      return 2
    } catch {
      Descriptor.complain("\(error)")
      return 2
    }
  }

  private func status(of job: GraphJob, for file: GraphFile, ids: [String]) async throws -> Int32 {
    // Before a wait for another run, too, so that mistakes are told at once.
    var all = try file.graph()
    var graph = try all.selecting(ids)
    guard case .run(let options) = job else {
      var text = GraphText(graph: graph)
      if case .plan(let options) = job {
        text.upToDate = try RunState.policy(of: file, isResuming: options.isResuming)
      }
      return status(ofPrinting: await text.text(for: job) ?? "")
    }
    // First, since that may wait for another run.
    try ReplacedFile.checkResults(of: options, from: file)
    let state = try RunState(of: file, isResuming: options.isResuming) { hasWaited in
      // The run that was waited for, or somebody meanwhile, may have changed the file.
      if hasWaited {
        all = try file.graph()
        graph = try all.selecting(ids)
      }
      return all.nodes.map(\.id)
    }
    let run = GraphRun(
      graph: graph, file: file, options: options, state: state, interruptions: interruptions,
      explanations: explanations, loop: loop, printing: printing)
    return try await run.status()
  }

  /// Writes to standard output, and returns the exit status.
  private func status(ofPrinting text: String) -> Int32 {
    do {
      try Descriptor.standardOutput.write(Array(text.utf8))
      return 0
    } catch {
      Descriptor.complain("cannot write to standard output: \(error)")
      return 1
    }
  }
}
