/// The results as the test cases of a JUnit suite, as systems for continuous integration read them.
///
/// A failure is a `failure`, a command that could not be started an `error`, and what did not run, or was cancelled while
/// it did, is `skipped`. A failure that is allowed is no failure here either.
struct JUnitReport: Report {
  /// The most bytes of the end of an output that are told.
  static let tailLimit = 1 << 16

  private let isGrouped: Bool
  private var tails: [String: OutputTail] = [:]

  init(options: RunOptions) {
    isGrouped = options.output == .grouped
  }

  /// Writes nothing: what comes first has the counts in it, which are not known before the end.
  mutating func begin(to text: inout [UInt8]) {}

  /// What comes before the test cases.
  static func head(_ tally: Tally, after time: Duration) -> String {
    let skipped = tally.skippedCount + tally.cancelled + tally.upToDate
    let counts =
      "tests=\"\(tally.total)\" failures=\"\(tally.failed - tally.notStarted)\" errors=\"\(tally.notStarted)\" skipped=\"\(skipped)\" "
      + "time=\"\(time.secondsNumber)\""
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites \(counts)>
      <testsuite name="opgraph" \(counts)>

      """
  }

  mutating func open(_ event: RunEvent, at time: Duration, to text: inout [UInt8]) -> Bool {
    event.result != nil && isGrouped
  }

  mutating func output(_ piece: ArraySlice<UInt8>, of id: String, at time: Duration, to text: inout [UInt8]) {
    // Those of all attempts: the first ones tell why there were others.
    guard !piece.isEmpty else { return }
    tails[id, default: OutputTail(limit: Self.tailLimit)].append(piece)
  }

  mutating func close(_ event: RunEvent, at time: Duration, to text: inout [UInt8]) {
    switch event {
    case .started, .output, .retrying, .resumed: break
    case .ended(let id, let result):
      write(id, after: result.duration, to: &text) { text in
        text += element(result).utf8
        guard let tail = tails.removeValue(forKey: id) else { return }
        text += "    <system-out>\(Self.shown(tail))</system-out>\n".utf8
      }
    case .notRun(let id, let reason):
      write(id, after: .zero, to: &text) { $0 += Self.skipped(Self.message(reason)).utf8 }
    }
  }

  mutating func end(_ tally: Tally, at time: Duration, notes: [String], to text: inout [UInt8]) {
    text += "</testsuite>\n</testsuites>\n".utf8
  }

  private func write(
    _ id: String, after time: Duration, to text: inout [UInt8], content: (inout [UInt8]) -> Void
  ) {
    let name = XMLText.escaped(id, isAttribute: true)
    text += "  <testcase classname=\"opgraph\" name=\"\(name)\" time=\"\(time.secondsNumber)\">\n".utf8
    content(&text)
    text += "  </testcase>\n".utf8
  }

  private func element(_ result: CommandResult) -> String {
    let message = XMLText.escaped(result.ending.description, isAttribute: true)
    switch (result.verdict, result.ending) {
    case (.done, _): return ""
    case (.cancelled, _): return Self.skipped("cancelled: \(result.ending)")
    case (.failed, _) where result.isFailureAllowed: return ""
    case (.failed, .notStarted): return "    <error message=\"\(message)\"/>\n"
    case (.failed, .exited), (.failed, .killed), (.failed, .timedOut): return "    <failure message=\"\(message)\"/>\n"
    }
  }

  private static func skipped(_ message: String) -> String {
    "    <skipped message=\"\(XMLText.escaped(message, isAttribute: true))\"/>\n"
  }

  private static func message(_ reason: NotRunReason) -> String {
    switch reason {
    case .cancelled: "the run was cancelled"
    case .failureLimit: "too many others failed"
    case .dependencyFailed(let root): "\(root) failed"
    case .upToDate: "up to date"
    }
  }

  private static func shown(_ tail: OutputTail) -> String {
    var bytes = tail.bytes
    // The rest of a character that has been cut.
    if tail.isCut { bytes = bytes.drop { $0 & 0xC0 == 0x80 } }
    let start = tail.isCut ? "(the last \(bytes.count) of \(tail.totalCount) bytes)\n" : ""
    return start + XMLText.escaped(String(decoding: bytes, as: UTF8.self))
  }
}
