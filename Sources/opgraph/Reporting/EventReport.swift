/// The report for programs: one JSON object on a line for each event, in the order of the events.
///
/// The members of the objects are in the article, "Events".
struct EventReport: Report {
  private let operations: Int
  private let jobs: Int
  private let isGrouped: Bool
  private var pieces: [String: TextPieces] = [:]

  init(_ graph: Graph, options: RunOptions) {
    operations = graph.nodes.count
    jobs = options.width
    isGrouped = options.output == .grouped
  }

  mutating func begin(to text: inout [UInt8]) {
    write("runBegan", at: .zero, to: &text) { line in
      line.add("version", ToolVersion.number)
      line.add("operations", operations)
      line.add("jobs", jobs)
    }
  }

  mutating func open(_ event: RunEvent, at time: Duration, to text: inout [UInt8]) -> Bool {
    event.result != nil && isGrouped
  }

  mutating func output(_ piece: ArraySlice<UInt8>, of id: String, at time: Duration, to text: inout [UInt8]) {
    write(pieces[id, default: TextPieces()].text(of: piece), of: id, at: time, to: &text)
  }

  mutating func close(_ event: RunEvent, at time: Duration, to text: inout [UInt8]) {
    if let (id, _) = event.result, var last = pieces.removeValue(forKey: id) {
      write(last.end(), of: id, at: time, to: &text)
    }
    switch event {
    case .started(let id):
      write("started", of: id, at: time, to: &text) { _ in }
    case .output:
      preconditionFailure("an output is written by output(_:of:at:to:)")
    case .retrying(let id, let result, let attempt, let delay):
      write("retrying", of: id, at: time, to: &text) { line in
        line.add("attempt", attempt)
        line.add("delay", delay)
        add(result, to: &line)
      }
    case .resumed:
      // Follows from `retrying`.
      break
    case .ended(let id, let result):
      write("ended", of: id, at: time, to: &text) { line in
        line.add("attempts", result.attempts)
        add(result, to: &line)
      }
    case .notRun(let id, let reason):
      write("notRun", of: id, at: time, to: &text) { add(reason, to: &$0) }
    }
  }

  mutating func end(_ tally: Tally, at time: Duration, notes: [String], to text: inout [UInt8]) {
    write("runEnded", at: time, to: &text) { line in
      line.add("seconds", time)
      line.add("success", tally.isSuccess)
      line.add("done", tally.done)
      line.add("upToDate", tally.upToDate)
      line.add("failed", tally.failed)
      line.add("failedAllowed", tally.failedAllowed)
      line.add("skipped", tally.skippedCount)
      line.add("cancelled", tally.cancelled)
    }
  }

  private func write(
    _ piece: (text: String, isLossy: Bool), of id: String, at time: Duration, to text: inout [UInt8]
  ) {
    guard !piece.text.isEmpty else { return }
    write("output", of: id, at: time, to: &text) { line in
      line.add("text", piece.text)
      if piece.isLossy { line.add("lossy", true) }
    }
  }

  private func write(
    _ event: String, of id: String? = nil, at time: Duration, to text: inout [UInt8],
    members: (inout JSONLine) -> Void
  ) {
    var line = JSONLine()
    line.add("event", event)
    line.add("time", time)
    if let id { line.add("id", id) }
    members(&line)
    text += line.ended()
  }

  private func add(_ result: CommandResult, to line: inout JSONLine) {
    switch result.verdict {
    case .done: line.add("verdict", "done")
    case .failed: line.add("verdict", "failed")
    case .cancelled: line.add("verdict", "cancelled")
    }
    if result.verdict == .failed, result.isFailureAllowed { line.add("allowed", true) }
    line.add("seconds", result.duration)
    switch result.ending {
    case .exited(let status): line.add("status", Int(status))
    case .killed(let signal): line.add("signal", Int(signal))
    case .notStarted(let error): line.add("error", error.description)
    case .timedOut(let limit): line.add("timeout", limit)
    }
  }

  private func add(_ reason: NotRunReason, to line: inout JSONLine) {
    switch reason {
    case .cancelled: line.add("reason", "cancelled")
    case .failureLimit: line.add("reason", "failureLimit")
    case .upToDate: line.add("reason", "upToDate")
    case .dependencyFailed(let root):
      line.add("reason", "dependencyFailed")
      line.add("root", root)
    }
  }
}
