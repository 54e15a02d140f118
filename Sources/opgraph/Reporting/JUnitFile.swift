/// The file of a JUnit report, which is written at the end of the run.
struct JUnitFile: Sendable {
  private let file: ReplacedFile
  /// What the report has written until then, in a spool, because it holds the ends of all outputs.
  private let cases: CommandOutput

  /// Throws ``InputError``; no command may be started meanwhile.
  init(path: String, spool: OutputSpool = OutputSpool()) throws {
    file = ReplacedFile(path: path)
    try file.check()
    cases = CommandOutput(spool: spool)
  }

  func page(options: RunOptions) -> Page {
    Page(JUnitReport(options: options)) { [cases] text in
      cases.append(text[...])
      if let loss = cases.loss { throw loss.error }
    }
  }

  /// Puts the file in its place, after the page has ended; throws ``SystemError``.
  func finish(_ tally: Tally, after time: Duration) throws {
    try file.replace { file in
      try file.write(Array(JUnitReport.head(tally, after: time).utf8))
      try cases.forEachPiece { try file.write($0) }
    }
  }
}
