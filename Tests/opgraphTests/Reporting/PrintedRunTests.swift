import Testing

@testable import opgraph

@Suite("PrintedRun")
struct PrintedRunTests {
  /// What has been written, one element for each write.
  private final class Paper {
    var writes: [[UInt8]] = []
    var columns = 40
    /// The driver of a terminal puts a carriage return before each line break.
    var screen: Screen {
      let bytes = writes.joined().flatMap { $0 == UInt8(ascii: "\n") ? Array("\r\n".utf8) : [$0] }
      return Screen(bytes, columns: columns)
    }
  }

  private let paper = Paper()

  private func run(
    _ graph: Graph, hasStatus: Bool = true, output: RunOptions.OutputMode = .grouped, failsAfter limit: Int = .max,
    onFailure: @escaping () -> Void = {}
  ) -> PrintedRun {
    var options = RunOptions(width: 1)
    options.output = output
    let style = TextStyle(isColored: false)
    let report = LineReport(
      graph, options: options, lines: hasStatus ? .telling : .all, columns: paper.columns, style: style)
    let page = Page(report) { [paper] bytes in
      guard paper.writes.count < limit else { throw SystemError(code: 32) }
      paper.writes.append(bytes)
    }
    var run = PrintedRun(graph, page: page, onFailure: onFailure)
    if hasStatus { run.status = StatusDisplay { [paper] in paper.columns } }
    run.begin()
    return run
  }

  @Test("The status line stands below what is printed, and is gone in the end")
  func statusLine() {
    var run = run(Graph("a", "b"))
    #expect(paper.screen.lines == ["[0/2] 0 running, 0 s"])
    run.print([.started(id: "a"), .started(id: "b")], at: .seconds(1))
    #expect(paper.screen.lines == ["[0/2] 2 running, 1 s: a (0 s), b (0 s)"])
    run.print([.ended(id: "a", .result(.exited(status: 1), output: "no\n"))], at: .seconds(2))
    #expect(
      paper.screen.lines == [
        "failed     a     1.234 s  exit status 1", "no", "[1/2] 1 running, 1 failed, 2 s: b (1 s)",
      ])
    run.print([.ended(id: "b", .success)], at: .seconds(3))
    let isSuccess = run.end(notes: [], at: .seconds(3))
    #expect(!isSuccess)
    #expect(
      paper.screen.lines == [
        "failed     a     1.234 s  exit status 1", "no", "a failed: exit status 1", "  $ make a", "  no",
        "2 operations: 1 done, 1 failed, 0 skippe", "d, 3.000 s", "",
      ])
  }

  @Test("All events of a batch are one write, and a status line that says the same is none")
  func writes() {
    var run = run(Graph("a", "b", "c"))
    #expect(paper.writes.count == 1)
    run.print(
      [.ended(id: "a", .failure), .ended(id: "b", .failure), .started(id: "c")], at: .milliseconds(100))
    #expect(paper.writes.count == 2)
    run.print([], at: .milliseconds(200))
    run.print([.retrying(id: "c", .failure, attempt: 1, delay: .zero)], at: .milliseconds(300))
    #expect(paper.writes.count == 3)
    run.print([], at: .milliseconds(400))
    #expect(paper.writes.count == 3)
    run.print([], at: .seconds(1))
    #expect(paper.writes.count == 4)
  }

  @Test("The line is drawn again with the next second that it tells")
  func deadline() {
    var run = run(Graph("a"))
    #expect(run.status?.deadline == .seconds(1))
    run.print([], at: .milliseconds(2700))
    #expect(run.status?.deadline == .seconds(3))
  }

  @Test("A terminal that becomes narrower has a shorter line")
  func resize() {
    var run = run(Graph("a"))
    run.print([.started(id: "a")], at: .zero)
    paper.columns = 12
    run.print([], at: .seconds(1))
    #expect(paper.screen.currentLine == "[0/1] 1 ru…")
  }

  @Test("While a command has not ended its line, the status line stays away")
  func unfinishedLine() {
    var run = run(Graph("a"), output: .live)
    run.print([.started(id: "a"), .output(id: "a", Array("10 %".utf8))], at: .zero)
    #expect(paper.screen.lines == ["10 %"])
    run.print([.output(id: "a", Array(" 20 %".utf8))], at: .seconds(1))
    #expect(paper.screen.lines == ["10 % 20 %"])
    run.print([.output(id: "a", Array("\n".utf8))], at: .seconds(2))
    #expect(paper.screen.lines == ["10 % 20 %", "[0/1] 1 running, 2 s: a (2 s)"])
  }

  @Test("Without a status line there are no sequences for terminals")
  func plain() {
    var run = run(Graph("a"), hasStatus: false)
    #expect(paper.writes.isEmpty)
    run.print([.started(id: "a")], at: .zero)
    #expect(paper.writes.isEmpty)
    run.print([.ended(id: "a", .success)], at: .zero)
    let isSuccess = run.end(notes: [], at: .zero)
    #expect(isSuccess)
    #expect(!paper.writes.joined().contains(0x1B))
  }

  @Test("A report that cannot be written is a failure, which is told once")
  func failure() {
    var failures = 0
    var run = run(Graph("a", "b"), hasStatus: false, failsAfter: 0) { failures += 1 }
    run.print([.ended(id: "a", .success)], at: .zero)
    run.print([.ended(id: "b", .success)], at: .zero)
    let isSuccess = run.end(notes: [], at: .zero)
    #expect(!isSuccess)
    #expect(failures == 1)
  }
}

extension PrintedRun {
  /// Prints events that come about at the present time.
  fileprivate mutating func print(_ events: [RunEvent], at time: Duration) {
    print(events.map { ($0, time) }, statusAt: time)
  }
}
