/// The report for people: lines for what has ended, the outputs of commands, and a summary.
///
/// On a terminal the ``StatusLine`` stands below it, so that only what fails or prints needs a line.
struct LineReport: Report {
  /// Which ends of commands get a line.
  enum Lines: Sendable {
    case all
    /// Those of commands that fail or whose output is printed with them.
    case telling
    case failures
  }

  private let lines: Lines
  private let isGrouped: Bool
  private let style: TextStyle
  private let resultLine: ResultLine
  private let attempts: [String: Int]
  private let summary: RunSummary
  private var outputText: OutputText
  /// The ends of the outputs that a failure may be told with, by command.
  private var tails: [String: OutputTail] = [:]
  /// Whether an output has been written that may have left a colour behind.
  private var hasOutput = false
  private var failures: [RunSummary.Failure] = []

  init(_ graph: Graph, options: RunOptions, lines: Lines, columns: Int?, style: TextStyle) {
    self.lines = lines
    self.style = style
    isGrouped = options.output == .grouped
    resultLine = ResultLine(ids: graph.nodes.map(\.id), columns: columns, style: style)
    attempts = graph.nodes.reduce(into: [:]) { $0[$1.id] = $1.retries?.attempts }
    summary = RunSummary(graph, failureLimit: options.failureLimit, style: style)
    outputText = OutputText(options.output, style: style)
  }

  /// Whether the next byte begins a line, so that a status line may stand there.
  var isAtLineStart: Bool { outputText.isAtLineStart }

  mutating func begin(to text: inout [UInt8]) {}

  mutating func open(_ event: RunEvent, at time: Duration, to text: inout [UInt8]) -> Bool {
    guard let (id, result) = event.result else { return false }
    if !isGrouped { outputText.finish(id, to: &text) }
    let line: String
    if case .retrying(_, _, let attempt, let delay) = event {
      guard lines != .failures else { return false }
      line = resultLine.text(retrying: id, result, attempt: attempt, of: attempts[id], delay: delay)
    } else {
      guard isTold(result) else { return false }
      line = resultLine.text(id, result)
    }
    outputText.startLine(in: &text)
    text.append(line: line)
    guard isGrouped else { return false }
    if result.verdict == .failed { tails[id] = OutputTail(limit: RunSummary.tailLimit) }
    return true
  }

  mutating func output(_ piece: ArraySlice<UInt8>, of id: String, at time: Duration, to text: inout [UInt8]) {
    guard !piece.isEmpty else { return }
    if isGrouped {
      tails[id]?.append(piece)
    } else {
      tails[id, default: OutputTail(limit: RunSummary.tailLimit)].append(piece)
      // Nobody knows yet whether it is that of a failure; if so, its end comes in the summary.
      if lines == .failures { return }
    }
    outputText.write(piece, of: id, to: &text)
    hasOutput = true
  }

  mutating func close(_ event: RunEvent, at time: Duration, to text: inout [UInt8]) {
    guard let (id, result) = event.result else { return }
    let tail = tails.removeValue(forKey: id)
    outputText.finish(id, to: &text)
    if hasOutput { text += style.reset.utf8 }
    hasOutput = false
    guard case .ended = event else { return }
    guard result.verdict == .failed, !result.isFailureAllowed else { return }
    failures.append(RunSummary.Failure(id: id, ending: result.ending, tail: tail))
  }

  mutating func end(_ tally: Tally, at time: Duration, notes: [String], to text: inout [UInt8]) {
    outputText.startLine(in: &text)
    summary.write(failures, tally, after: time, notes: notes, to: &text)
  }

  private func isTold(_ result: CommandResult) -> Bool {
    switch lines {
    case .all: return true
    case .failures: return result.verdict == .failed
    case .telling: return result.verdict != .done || isGrouped && result.output?.isEmpty == false
    }
  }
}
