import Foundation
import Testing

@testable import opgraph

@Suite("JUnitReport")
struct JUnitReportTests {
  private let graph = Graph("a", "b", "c", "d", "e", "f", "g")

  private func document(_ events: [RunEvent], options: RunOptions = RunOptions(width: 1)) throws -> XMLTree {
    var report = Reported(JUnitReport(options: options), of: graph)
    for event in events { try report.receive(event) }
    let cases = report.text() + report.end()
    return try XMLTree.document(Data((JUnitReport.head(report.tally, after: .seconds(2)) + cases).utf8))
  }

  @Test("Each operation is a test case, with what became of it")
  func cases() throws {
    let document = try document([
      .started(id: "a"), .ended(id: "a", .success), .ended(id: "b", .allowedFailure), .ended(id: "c", .failure),
      .ended(
        id: "d",
        CommandResult(
          ending: .notStarted(SystemError(code: ENOENT)), wasSignalled: false, duration: .zero, output: nil)),
      .ended(id: "e", .result(.killed(signal: 15), wasSignalled: true)),
      .notRun(id: "f", .dependencyFailed(root: "c")), .notRun(id: "g", .failureLimit),
    ])
    let suite = try #require(document.all("testsuite").first)
    #expect(
      suite.attributes == [
        "name": "opgraph", "tests": "7", "failures": "1", "errors": "1", "skipped": "3", "time": "2.000",
      ])
    let cases = suite.all("testcase")
    #expect(cases.map { $0.attributes["name"] } == ["a", "b", "c", "d", "e", "f", "g"])
    #expect(cases.map { $0.attributes["time"] } == ["1.234", "1.234", "1.234", "0.000", "1.234", "0.000", "0.000"])
    #expect(
      cases.map { $0.children.map(\.name) } == [[], [], ["failure"], ["error"], ["skipped"], ["skipped"], ["skipped"]])
    #expect(
      cases.flatMap(\.children).map { $0.attributes["message"] } == [
        "exit status 1", "could not be started: No such file or directory", "cancelled: killed by signal 15",
        "c failed", "too many others failed",
      ])
  }

  @Test("Every character arrives that XML knows, and the others are replaced")
  func characters() throws {
    let scalars = (0..<0x300).compactMap(Unicode.Scalar.init)
    let all = String(String.UnicodeScalarView(scalars)) + "]]>\u{FFFE}\u{FFFF}😀"
    let expected = String(
      String.UnicodeScalarView(
        all.unicodeScalars.map { scalar in
          let isForbidden = scalar.value < 0x20 && !"\t\n\r".unicodeScalars.contains(scalar)
          return isForbidden || scalar.value | 1 == 0xFFFF ? "\u{FFFD}" : scalar
        }))
    let document = try document([.ended(id: "a", .result(.exited(status: 0), output: all))])
    // By scalars: strings are equal too where characters are made of other scalars.
    #expect(document.all("system-out").map { Array($0.text.unicodeScalars) } == [Array(expected.unicodeScalars)])
  }

  @Test("Identifiers are escaped")
  func identifiers() throws {
    let id = "<a & \"b\" 'c'>"
    let document = try document([.ended(id: id, .success), .notRun(id: "f", .dependencyFailed(root: id))])
    #expect(document.all("testcase").first?.attributes["name"] == id)
    #expect(document.all("skipped").first?.attributes["message"] == "\(id) failed")
  }

  @Test("The end of a long output is kept, from the start of a character on")
  func tail() throws {
    let output = String(repeating: "日", count: 100_000)
    let document = try document([.ended(id: "a", .result(.exited(status: 1), output: output))])
    let text = try #require(document.all("system-out").first?.text)
    let kept = JUnitReport.tailLimit / 3
    #expect(text == "(the last \(kept * 3) of 300000 bytes)\n" + String(repeating: "日", count: kept))
  }

  @Test("Outputs that are shown as they come are kept as well, of all attempts")
  func live() throws {
    var options = RunOptions(width: 1)
    options.output = .live
    let document = try document(
      [
        .output(id: "a", Array("one\n".utf8)), .output(id: "c", Array("x\n".utf8)),
        .retrying(id: "a", .failure, attempt: 1, delay: .zero), .output(id: "a", Array("two\n".utf8)),
        .ended(id: "a", .success), .ended(id: "c", .success),
      ], options: options)
    #expect(document.all("system-out").map(\.text) == ["one\ntwo\n", "x\n"])
  }
}
