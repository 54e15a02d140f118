/// What the report says at the end: every failure again, since it may have scrolled away, and the counts.
struct RunSummary: Sendable {
  /// A command that failed.
  struct Failure: Sendable {
    let id: String
    let ending: CommandEnding
    /// Nil if it printed nothing.
    let tail: OutputTail?
  }

  /// The most bytes of an output that are repeated.
  static let tailLimit = 1 << 12
  /// The most lines of a command or an output that are repeated.
  private static let lineLimit = 10
  /// The most characters of a command's line that are repeated.
  private static let columnLimit = 1_000

  private let graph: Graph
  private let failureLimit: Int?
  private let style: TextStyle

  init(_ graph: Graph, failureLimit: Int?, style: TextStyle) {
    self.graph = graph
    self.failureLimit = failureLimit
    self.style = style
  }

  func write(
    _ failures: [Failure], _ tally: Tally, after time: Duration, notes: [String], to text: inout [UInt8]
  ) {
    // Only here, and not kept: most runs do not need them.
    let commands = failures.isEmpty ? [:] : graph.nodes.reduce(into: [:]) { $0[$1.id] = $1.run }
    for failure in failures { write(failure, commands[failure.id, default: ""], to: &text) }
    for line in notRun(tally) + notes { text.append(line: line) }
    text.append(line: counts(tally, after: time))
  }

  private func write(_ failure: Failure, _ command: String, to text: inout [UInt8]) {
    text.append(line: style("\(failure.id) failed: \(failure.ending)", .red))
    let lines = command.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (number, line) in lines.prefix(Self.lineLimit).enumerated() {
      let start = line.prefix(Self.columnLimit)
      let shown = start.withoutUnseen + (start.endIndex < line.endIndex ? "…" : "")
      text.append(line: style("  \(number == 0 ? "$" : " ") \(shown)", .bold))
    }
    if lines.count > Self.lineLimit { text.append(line: "    …") }
    guard let tail = failure.tail else { return }
    for line in tail.lines(Self.lineLimit) {
      text += "  ".utf8
      text += Self.shown(line)
      text.append(UInt8(ascii: "\n"))
    }
    text += style.reset.utf8
  }

  /// What a terminal shows of a line in the end, if carriage returns have it overwritten.
  private static func shown(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let carriageReturn = UInt8(ascii: "\r")
    let line = line.last == carriageReturn ? line.dropLast() : line
    return line.lastIndex(of: carriageReturn).map { line[($0 + 1)...] } ?? line
  }

  /// One line for each reason.
  private func notRun(_ tally: Tally) -> [String] {
    var lines: [String] = []
    for (root, count) in tally.skipped { lines.append("\(wereNotRun(count)), because \(root) failed") }
    if tally.cancelledByLimit > 0, let failureLimit {
      let stop = failureLimit == 1 ? "at the first failure" : "after \(failureLimit) failures"
      lines.append("\(wereNotRun(tally.cancelledByLimit)), because the run stops \(stop) (-k 0 goes on)")
    }
    if tally.cancelledWaiting > 0 {
      lines.append("\(wereNotRun(tally.cancelledWaiting)), because the run was cancelled")
    }
    return lines
  }

  private func counts(_ tally: Tally, after time: Duration) -> String {
    var counts = ["\(tally.done) done", "\(tally.failed) failed", "\(tally.skippedCount) skipped"]
    if tally.upToDate > 0 { counts.insert("\(tally.upToDate) up to date", at: 0) }
    if tally.failedAllowed > 0 { counts.append("\(tally.failedAllowed) failed as allowed") }
    if tally.cancelled > 0 { counts.append("\(tally.cancelled) cancelled") }
    let text = "\(operations(tally.total)): \(counts.joined(separator: ", ")), \(time.secondsText)"
    return style(text, tally.failed > 0 ? .red : tally.isSuccess ? .green : .yellow)
  }

  private func operations(_ count: Int) -> String { "\(count) \(count == 1 ? "operation" : "operations")" }

  private func wereNotRun(_ count: Int) -> String { "\(operations(count)) \(count == 1 ? "was" : "were") not run" }
}
