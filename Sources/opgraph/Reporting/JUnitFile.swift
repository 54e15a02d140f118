/// The file of a JUnit report, which is written at the end of the run.
struct JUnitFile: Sendable {
  private let file: ReplacedFile
  /// What the report has written until then, in a file, because it holds the ends of all outputs.
  private let cases: Descriptor

  /// Throws ``InputError`` or ``SystemError``; no command may be started meanwhile.
  init(path: String) throws {
    file = ReplacedFile(path: path)
    try file.check()
    cases = try Descriptor.unnamedTemporaryFile()
  }

  func page(options: RunOptions) -> Page {
    Page(JUnitReport(options: options)) { [cases] in try cases.write($0) }
  }

  /// Puts the file in its place, after the page has ended; throws ``SystemError``.
  func finish(_ tally: Tally, after time: Duration) throws {
    defer { cases.close() }
    guard lseek(cases.number, 0, SEEK_SET) == 0 else { throw SystemError() }
    try file.replace { file in
      try file.write(Array(JUnitReport.head(tally, after: time).utf8))
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while case let count = try cases.read(into: &buffer), count > 0 { try file.write(Array(buffer[..<count])) }
    }
  }
}
