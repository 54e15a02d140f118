import Foundation
import StructuredOperations
import Testing

@testable import StructuredOperationsInsight

@Suite("Exports")
struct ExportTests {
  /// Names that break what was written without care.
  static let hardNames = [
    "plain", "with \"quotes\"", "back\\slash\\", "two\nlines", "<b>bold</b> & more",
    "</script><script>alert(1)</script>",
    "null\u{0} escape\u{1B}", "line\u{2028}separator", "Größe 🚀", "]; } -> {", "`tick` #35; --> x", "", "é\u{301}",
    "no character \u{FFFE}\u{FFFF}",
  ]

  /// The first one fails, and the second one, which depends on it, begins at that moment.
  private var twoInOneSlot: OperationHistory {
    var recording = Recording()
    let (first, second) = (Token(), Token())
    recording.add(first, "first")
    recording.add(second, "second", after: [first])
    recording.start(first)
    recording.wait(1)
    recording.finish(first, .failed("error"))
    recording.ready(second, after: first)
    recording.start(second, after: [first])
    recording.wait(1)
    recording.finish(second)
    return recording.history
  }

  private var hardHistory: OperationHistory {
    var recording = Recording()
    var last: [Token] = []
    for name in Self.hardNames {
      let token = Token()
      recording.add(token, name, after: last)
      if let dependency = last.first { recording.ready(token, after: dependency) }
      recording.start(token, after: last)
      recording.wait(1)
      recording.finish(token)
      last = [token]
    }
    let failed = Token()
    recording.add(failed, "failed", after: last)
    recording.finish(failed, .failed("<no> \"reason\""), after: last)
    return recording.history
  }

  // MARK: JSON

  @Test("Strings of JSON come back as they were, and hold no markup")
  func strings() throws {
    for name in Self.hardNames {
      var json = JSONText()
      json.append(array: [name]) { $0.append(string: $1) }
      #expect(
        try JSONDecoder().decode([String].self, from: Data(json.text.utf8)).first?.unicodeScalars.map(\.value)
          == name.unicodeScalars.map(\.value))
      #expect(!json.text.contains { "<>&\u{2028}".contains($0) })
    }
  }

  @Test(
    "Microseconds have three decimals at most",
    arguments: [
      (.zero, "0"), (.nanoseconds(-1), "-0.001"), (.nanoseconds(-999), "-0.999"), (.seconds(-3), "-3000000"),
      (.seconds(9_223_372_036) + .milliseconds(900), "9223372036854775.807"), (.seconds(3), "3000000"),
      (.nanoseconds(1), "0.001"), (.nanoseconds(12_345), "12.345"),
      (.seconds(Int64.max) * 18, "9223372036854775.807"), (.seconds(Int64.min) * 18, "-9223372036854775.808"),
      (.nanoseconds(1_050), "1.050"), (Duration(secondsComponent: 0, attosecondsComponent: 999), "0"),
    ] as [(Duration, String)])
  func microseconds(duration: Duration, text: String) {
    var json = JSONText()
    json.append(microseconds: duration)
    #expect(json.text == text)
  }

  @Test(
    "Times have a unit that suits them",
    arguments: [
      (.zero, "0 s"), (.nanoseconds(999), "999 ns"), (.nanoseconds(1_000), "1 µs"), (.nanoseconds(1_250), "1.25 µs"),
      (.microseconds(12_340), "12.3 ms"), (.milliseconds(1_007), "1.00 s"), (.seconds(123_456), "123456 s"),
    ] as [(Duration, String)])
  func units(duration: Duration, text: String) {
    #expect(duration.text == text)
  }

  // MARK: Trace

  @Test("A trace has a slice for each body, an arrow for each dependency, and names for tracks")
  func trace() throws {
    let object = try JSONSerialization.jsonObject(with: Data(hardHistory.chromeTrace().utf8)) as? [String: Any]
    let events = try #require(object?["traceEvents"] as? [[String: Any]])
    let phases = Dictionary(grouping: events) { $0["ph"] as? String ?? "" }.mapValues(\.count)
    let bodies = Self.hardNames.count
    #expect(phases == ["X": bodies, "s": bodies - 1, "f": bodies - 1, "M": 3])
    #expect(events.compactMap { $0["ph"] as? String == "X" ? $0["name"] as? String : nil } == Self.hardNames)
  }

  @Test("The arrow to what begins in the same moment and the same track comes from the one before")
  func arrowWithinSlice() throws {
    let object = try JSONSerialization.jsonObject(with: Data(twoInOneSlot.chromeTrace().utf8)) as? [String: Any]
    let events = try #require(object?["traceEvents"] as? [[String: Any]])
    let times = Dictionary(grouping: events) { $0["ph"] as? String ?? "" }.mapValues { $0.map { $0["ts"] as? Double } }
    #expect(times["X"] == [0, 1_000_000])
    #expect(times["s"] == [999_999.999])
    #expect(times["f"] == [1_000_000])
  }

  // MARK: Graphs

  @Test("No name breaks a line of DOT or Mermaid")
  func graphs() {
    let history = hardHistory
    let count = history.operations.count
    let dot = history.dot().split(separator: "\n")
    let nodes = dot.filter { $0.firstMatch(of: /^\ \ n\d+ \[label=/) != nil }
    #expect(nodes.count == count)
    // Quotes come in pairs, apart from escaped ones.
    for node in nodes {
      let unescaped = node.replacing("\\\\", with: "").replacing("\\\"", with: "")
      #expect(unescaped.count { $0 == "\"" } % 2 == 0)
    }
    #expect(history.dot().unicodeScalars.allSatisfy { $0 != "\u{FFFE}" && $0 != "\u{FFFF}" })
    #expect(dot.filter { $0.wholeMatch(of: /\ \ n\d+ -> n\d+( \[penwidth=3\])?/) != nil }.count == count - 1)
    let mermaid = history.mermaid().split(separator: "\n")
    #expect(mermaid.filter { $0.wholeMatch(of: /\ \ n\d+\["[^"<>&`]+"\](:::\w+)?/) != nil }.count == count)
    #expect(mermaid.filter { $0.wholeMatch(of: /\ \ n\d+ --> n\d+/) != nil }.count == count - 1)
  }

  @Test("DOT shows as much of a name as Graphviz reads", arguments: ["L", "&", "\"", "🚀"])
  func longName(part: String) throws {
    var recording = Recording()
    recording.add(Token(), String(repeating: part, count: 20_000))
    let line = try #require(recording.history.dot().split(separator: "\n").first { $0.contains("label=") })
    #expect(line.contains("…\"") && (1_000..<16_384).contains(line.utf8.count))
  }

  @Test("Operations of a file from elsewhere, whose numbers are negative, are nodes as all others")
  func negativeNumbers() {
    let operations = [(-1, [Int.min]), (1, [-1]), (.min, [])].map { id, dependencies in
      OperationHistory.Entry(
        id: id, name: "", queue: nil, queuePriority: .normal, outcome: .unfinished, isCancelled: false,
        dependencies: dependencies, parent: nil, addedAt: .zero, finishedAt: nil, spans: [], queueNumber: 0)
    }
    let history = OperationHistory(operations: operations, time: .zero)
    for text in [history.dot(), history.mermaid()] {
      let nodes = text.matches(of: /\b([nm]\d+)/).map { $0.output.1 }
      #expect(Set(nodes) == ["m1", "n1", "m9223372036854775808"])
      #expect(text.contains(/m9223372036854775808 -+> m1\b/) && text.contains(/m1 -+> n1\b/))
    }
  }

  @Test("DOT draws a thick line between those alone that follow each other on the critical path")
  func criticalLines() {
    var recording = Recording()
    let (a, b, c) = (Token(), Token(), Token())
    recording.add(a, "a")
    recording.add(b, "b", after: [a])
    recording.add(c, "c", after: [a, b])
    recording.start(a)
    recording.wait(1)
    recording.finish(a)
    recording.ready(b, after: a)
    recording.start(b, after: [a])
    recording.wait(1)
    recording.finish(b)
    recording.ready(c, after: b)
    recording.start(c, after: [a, b])
    recording.wait(1)
    recording.finish(c)

    let lines = recording.history.dot().split(separator: "\n")
    #expect(
      lines.filter { $0.contains("->") } == ["  n1 -> n2 [penwidth=3]", "  n1 -> n3", "  n2 -> n3 [penwidth=3]"])
    #expect(lines.count { $0.contains("label") && $0.contains("penwidth=3") } == 3)
  }

  @Test("Mermaid draws the critical path with thick borders, whatever came of its operations")
  func criticalFailure() {
    let lines = twoInOneSlot.mermaid().split(separator: "\n")
    #expect(lines.contains("  n1[\"first\"]:::failed"))
    #expect(lines.contains("  n2[\"second\"]"))
    #expect(lines.filter { $0.hasPrefix("  class ") } == ["  class n1 critical", "  class n2 critical"])
  }

  @Test(
    "No name is the beginning of a list in Mermaid, which would draw another text in its place",
    arguments: [
      ("1. a", "1#46; a"), ("  12.", "  12#46;"), ("- b", "#45; b"), (" + c", " #43; c"), ("--x", "#45;-x"),
      ("v1.2 - x", "v1.2 - x"), ("1 . 2", "1 . 2"), ("a+b", "a+b"), (".a", ".a"),
    ])
  func lists(name: String, text: String) {
    var recording = Recording()
    recording.run(Token(), name)
    #expect(recording.history.mermaid().contains("  n1[\"\(text)\"]"))
  }

  @Test("The summary has a line for each operation, under two for the whole")
  func summary() {
    var recording = Recording()
    let token = Token()
    recording.add(token, "alpha")
    recording.wait(1)
    recording.start(token)
    recording.wait(2)
    recording.finish(token)
    #expect(
      recording.history.summary == """
        1 operation in 3 s, 67 % of the slots' time used
        operation  queue  outcome    added  blocked  ready  executing  waiting
        alpha      queue  succeeded    0 s        –    1 s        2 s        –

        """)
    #expect(hardHistory.summary.split(separator: "\n").count == hardHistory.operations.count + 2)
  }

  @Test("The summary shows 80 characters of a name, so that one does not widen each line", arguments: [80, 81, 20_000])
  func longName(length: Int) {
    var recording = Recording()
    let name = String(repeating: "é", count: length)
    recording.run(Token(), name, named: name)
    let shown = length > 80 ? name.prefix(79) + "…" : name[...]
    let line = recording.history.summary.split(separator: "\n")[2]
    #expect(line.hasPrefix("\(shown)  \(shown)  succeeded"))
  }

  @Test("Summary and page tell how many operations were forgotten, if any")
  func forgotten() {
    let histories = [0, 7].map { OperationHistory(operations: [], time: .zero, forgottenCount: $0) }
    let headlines = histories.map { $0.summary.prefix { $0 != "\n" } }
    #expect(
      headlines == [
        "0 operations in 0 s, 0 % of the slots' time used",
        "0 operations (7 more forgotten) in 0 s, 0 % of the slots' time used",
      ])
    #expect(histories.map { $0.html().contains(#""forgotten":0,"#) } == [true, false])
    #expect(histories.map { $0.html().contains(#""forgotten":7,"#) } == [false, true])
    #expect(
      histories[0].html().contains(#"if (data.forgotten > 0) fact(figures, "forgotten", count(data.forgotten));"#))
  }

  // MARK: Page

  @Test("The page asks nobody for anything, and no name is markup")
  func page() throws {
    let page = hardHistory.html()
    #expect(page.hasPrefix("<!doctype html>"))
    #expect(!page.replacing("http://www.w3.org/", with: "").contains(/https?:\/\//))
    for pattern in [/<link\b/, /<script[^>]*\bsrc\b/, /@import/, /url\(/, /\bfetch\(/, /innerHTML/, /<b>bold/] {
      #expect(page.firstMatch(of: pattern) == nil)
    }
    #expect(page.matches(of: /<\/script>/).count == 2)
    let start = try #require(page.range(of: #"id="history">"#)).upperBound
    let end = try #require(page.range(of: "</script>", range: start..<page.endIndex)).lowerBound
    let data = try JSONSerialization.jsonObject(with: Data(page[start..<end].utf8)) as? [String: Any]
    let operations = try #require(data?["operations"] as? [[Any]])
    #expect(operations.compactMap { $0[1] as? String } == hardHistory.operations.map(\.name))
    #expect(data?["critical"] as? [Int] == Array(hardHistory.operations.indices.dropLast()))
  }

  @Test("The title of the page is one line of text, whatever it has in it")
  func title() {
    let page = hardHistory.html(title: "a &lt; </title><b>\nc")
    #expect(page.contains("\n<title>a &amp;lt; &lt;/title>&lt;b>␊c</title>\n"))
    #expect(page.contains("\n<h1>a &amp;lt; &lt;/title>&lt;b>␊c</h1>\n"))
    for page in [hardHistory.html(), hardHistory.html(title: "")] {
      #expect(page.contains("\n<title>Operations</title>\n"))
      #expect(page.contains("\n<h1>Operations</h1>\n"))
    }
  }

  @Test("The page says that ready operations wait for more than slots, and what other limits leave out")
  func readiness() {
    let page = hardHistory.html()
    #expect(!page.contains("a slot of"))
    #expect(page.contains("its turn in ${data.queues[queue]}"))
    #expect(page.contains("for a slot, a place in a limit or pool, a barrier, a start rate"))
    #expect(page.contains("Limits, pools, barriers, start rates and suspension are not replayed"))
    #expect(page.contains("With more than 20\\u202f000 operations the duration with slots for all is the only one."))
  }
}
