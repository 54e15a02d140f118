@testable import opgraph

/// What a form of the report says to events, without a printer.
struct Reported {
  private var report: any Report
  private(set) var tally: Tally
  private var bytes: [UInt8] = []
  /// Since the start of the run.
  var time = Duration.zero

  init(_ report: any Report, of graph: Graph) {
    self.report = report
    tally = Tally(graph)
    self.report.begin(to: &bytes)
  }

  mutating func receive(_ events: RunEvent...) throws {
    for event in events {
      tally.received(event)
      if case .output(let id, let output) = event {
        report.output(output[...], of: id, at: time, to: &bytes)
        continue
      }
      let isWanted = report.open(event, at: time, to: &bytes)
      if isWanted, let (id, result) = event.result {
        try result.output?.forEachPiece { report.output($0[...], of: id, at: time, to: &bytes) }
      }
      report.close(event, at: time, to: &bytes)
    }
  }

  /// The text since the last call.
  mutating func text() -> String {
    defer { bytes = [] }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The text of the end.
  mutating func end(notes: [String] = []) -> String {
    _ = text()
    report.end(tally, at: time, notes: notes, to: &bytes)
    return text()
  }
}

extension CommandResult {
  /// The result of a command that took 1.234 seconds.
  static func result(
    _ ending: CommandEnding, wasSignalled: Bool = false, after duration: Duration = .milliseconds(1234),
    output: String = ""
  ) -> CommandResult {
    let stored = CommandOutput(spool: OutputSpool())
    stored.append(Array(output.utf8)[...])
    return CommandResult(ending: ending, wasSignalled: wasSignalled, duration: duration, output: stored)
  }

  static var success: CommandResult { result(.exited(status: 0)) }
  static var failure: CommandResult { result(.exited(status: 1)) }
  static var allowedFailure: CommandResult {
    var result = failure
    result.isFailureAllowed = true
    return result
  }
}

extension Graph {
  /// A graph of nodes that need nothing.
  init(_ ids: String...) {
    self.init(nodes: ids.map { Graph.Node(id: $0, run: "make \($0)") })
  }
}
