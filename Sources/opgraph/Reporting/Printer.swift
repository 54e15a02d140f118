/// Writes the report during a run, as the only writer, so that outputs of commands are not interleaved.
struct Printer: Sendable {
  /// For how long events gather before they are written, where no status line sets the pace.
  ///
  /// Nobody sees it, and many short commands wake the printer a hundred times a second instead of twice each.
  private static let pause = Duration.milliseconds(10)

  let output: Descriptor
  let options: RunOptions
  let environment: [String: String]
  /// Where the results go as well, if anywhere.
  let junit: JUnitFile?
  /// Called once if the report cannot be written.
  let onFailure: @Sendable () -> Void

  /// Prints until the events end, and returns the exit status.
  ///
  /// Blocks the calling thread.
  func status(printing events: RunEvents, of graph: Graph, since start: ContinuousClock.Instant) -> Int32 {
    let terminal = Terminal(output)
    let form = ReportForm(options, onTerminal: terminal != nil, environment: environment)
    var run = PrintedRun(graph, page: page(form, graph, terminal), onFailure: onFailure)
    if form == .status, let terminal { run.status = StatusDisplay { terminal.columns } }

    run.record = junit?.page(options: options)
    run.begin()
    while let batch = events.next(
      after: run.status?.pause ?? Self.pause, before: run.status.map { start + $0.deadline })
    {
      run.print(batch.map { ($0.event, start.duration(to: $0.time)) }, statusAt: start.duration(to: .now))
    }
    // Not when the last of it was written: who reads may be slow.
    let time = start.duration(to: events.end ?? .now)
    let isSuccess = run.end(notes: notes(on: run, of: graph, at: time), at: time)
    return finishRecord(of: run, at: time) && isSuccess ? 0 : 1
  }

  /// Lines for the summary; none for programs, and of a run whose time tells nothing, because it did not do all.
  private func notes(on run: PrintedRun, of graph: Graph, at time: Duration) -> [String] {
    guard run.tally.isSuccess, !options.writesEvents, options.verbosity != .quiet else { return [] }
    return [TimeNote(graph, run.times, width: options.width, time: time).line].compactMap(\.self)
  }

  /// Returns whether the results went to the file that they were to go to.
  private func finishRecord(of run: PrintedRun, at time: Duration) -> Bool {
    guard let junit else { return true }
    do {
      if let error = run.record?.error { throw error }
      try junit.finish(run.tally, after: time)
      return true
    } catch {
      Descriptor.complain("cannot write \(options.junit ?? ""): \(error)")
      return false
    }
  }

  private func page(_ form: ReportForm, _ graph: Graph, _ terminal: Terminal?) -> Page {
    let report: any Report
    switch form {
    case .events:
      report = EventReport(graph, options: options)
    case .lines(let lines):
      report = lineReport(lines, graph, terminal)
    case .status:
      report = lineReport(.telling, graph, terminal)
    }
    return Page(report) { try output.write($0) }
  }

  private func lineReport(_ lines: LineReport.Lines, _ graph: Graph, _ terminal: Terminal?) -> LineReport {
    let isColored = options.color.isColored(onTerminal: terminal != nil, environment: environment)
    return LineReport(
      graph, options: options, lines: lines, columns: terminal?.columns, style: TextStyle(isColored: isColored))
  }
}
