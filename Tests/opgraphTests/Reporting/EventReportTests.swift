import Foundation
import Testing

@testable import opgraph

@Suite("EventReport")
struct EventReportTests {
  private var report: Reported

  init() {
    let graph = Graph("a", "b", "c", "d", "e", "f")
    report = Reported(EventReport(graph, options: RunOptions(width: 3)), of: graph)
  }

  private func objects(_ text: String) throws -> [NSDictionary] {
    #expect(text.hasSuffix("\n"))
    return try text.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? NSDictionary)
    }
  }

  @Test("The run, its operations and their ends are objects on lines of their own")
  mutating func events() throws {
    #expect(
      try objects(report.text()) == [
        ["event": "runBegan", "time": 0, "version": ToolVersion.number, "operations": 6, "jobs": 3]
      ])
    report.time = .milliseconds(1500)
    try report.receive(.started(id: "a"), .ended(id: "a", .success), .ended(id: "b", .allowedFailure))
    try report.receive(
      .ended(id: "c", .result(.killed(signal: 15), wasSignalled: true)),
      .notRun(id: "d", .dependencyFailed(root: "x")), .notRun(id: "e", .upToDate), .notRun(id: "f", .failureLimit))
    #expect(
      try objects(report.text()) == [
        ["event": "started", "time": 1.5, "id": "a"],
        [
          "event": "ended", "time": 1.5, "id": "a", "verdict": "done", "status": 0, "seconds": 1.234, "attempts": 1,
        ],
        [
          "event": "ended", "time": 1.5, "id": "b", "verdict": "failed", "allowed": true, "status": 1,
          "seconds": 1.234, "attempts": 1,
        ],
        [
          "event": "ended", "time": 1.5, "id": "c", "verdict": "cancelled", "signal": 15, "seconds": 1.234,
          "attempts": 1,
        ],
        ["event": "notRun", "time": 1.5, "id": "d", "reason": "dependencyFailed", "root": "x"],
        ["event": "notRun", "time": 1.5, "id": "e", "reason": "upToDate"],
        ["event": "notRun", "time": 1.5, "id": "f", "reason": "failureLimit"],
      ])
    #expect(
      try objects(report.end()) == [
        [
          "event": "runEnded", "time": 1.5, "seconds": 1.5, "success": false, "done": 1, "upToDate": 1, "failed": 0,
          "failedAllowed": 1, "skipped": 1, "cancelled": 2,
        ]
      ])
  }

  @Test("Attempts are told and counted, and an error of the start has words")
  mutating func retries() throws {
    _ = report.text()
    try report.receive(
      .retrying(id: "a", .failure, attempt: 1, delay: .milliseconds(500)),
      .ended(
        id: "a",
        CommandResult(
          ending: .notStarted(SystemError(code: ENOENT)), wasSignalled: false, duration: .zero, output: nil,
          attempts: 2)))
    #expect(
      try objects(report.text()) == [
        [
          "event": "retrying", "time": 0, "id": "a", "attempt": 1, "delay": 0.5, "verdict": "failed", "status": 1,
          "seconds": 1.234,
        ],
        [
          "event": "ended", "time": 0, "id": "a", "attempts": 2, "verdict": "failed", "seconds": 0,
          "error": "No such file or directory",
        ],
      ])
  }

  @Test("An output comes before the end of its command, and every character arrives")
  mutating func output() throws {
    _ = report.text()
    let scalars = (0..<0x300).compactMap(Unicode.Scalar.init)
    let all = String(String.UnicodeScalarView(scalars)) + "日本\u{2028}😀\"\\"
    try report.receive(.ended(id: "a", .result(.exited(status: 0), output: all)))
    let objects = try objects(report.text())
    #expect(objects.map { $0["event"] as? String } == ["output", "ended"])
    #expect(objects[0]["text"] as? String == all)
    #expect(objects[0]["lossy"] == nil)
  }

  @Test("A character may come in pieces, of several commands at once")
  mutating func pieces() throws {
    _ = report.text()
    let bytes = Array("aé日😀".utf8)
    for byte in bytes {
      for id in ["a", "b"] { try report.receive(.output(id: id, [byte])) }
    }
    for id in ["a", "b"] {
      try report.receive(.ended(id: id, .result(.exited(status: 0))))
    }
    let outputs = try objects(report.text()).filter { $0["event"] as? String == "output" }
    for id in ["a", "b"] {
      let texts = outputs.filter { $0["id"] as? String == id }
      #expect(texts.map { $0["text"] as? String } == ["a", "é", "日", "😀"])
      #expect(texts.allSatisfy { $0["lossy"] == nil })
    }
  }

  @Test("Bytes that are not text are replaced, which is said")
  mutating func lossy() throws {
    _ = report.text()
    try report.receive(
      .output(id: "a", [0x61, 0xFF]), .output(id: "a", [0xE6, 0x97]), .output(id: "a", [0x62]),
      .output(id: "a", [0xE6, 0x97]), .ended(id: "a", .success))
    let outputs = try objects(report.text()).filter { $0["event"] as? String == "output" }
    #expect(outputs.map { $0["text"] as? String } == ["a\u{FFFD}", "\u{FFFD}b", "\u{FFFD}"])
    #expect(outputs.allSatisfy { $0["lossy"] as? Bool == true })
  }

  @Test("Identifiers are escaped")
  mutating func escaped() throws {
    _ = report.text()
    try report.receive(.started(id: "a \"b\"\\/\u{7F}\u{2028}日"))
    #expect(try objects(report.text())[0]["id"] as? String == "a \"b\"\\/\u{7F}\u{2028}日")
  }
}
