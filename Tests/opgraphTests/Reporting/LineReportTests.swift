import Testing

@testable import opgraph

@Suite("LineReport")
struct LineReportTests {
  private func report(
    _ graph: Graph, _ lines: LineReport.Lines = .all, columns: Int? = nil, isColored: Bool = false,
    output: RunOptions.OutputMode = .grouped, failureLimit: Int? = nil
  ) -> Reported {
    var options = RunOptions(width: 1)
    options.output = output
    options.failureLimit = failureLimit
    let style = TextStyle(isColored: isColored)
    return Reported(LineReport(graph, options: options, lines: lines, columns: columns, style: style), of: graph)
  }

  @Test("Each end is a line, a start is none, and the results stand in a column")
  func lines() throws {
    var report = report(Graph("a", "compile"))
    try report.receive(
      .started(id: "compile"), .ended(id: "compile", .success),
      .ended(id: "a", .result(.exited(status: 2), after: .seconds(100))))
    #expect(
      report.text() == """
        done       compile     1.234 s  exit status 0
        failed     a         100.000 s  exit status 2

        """)
  }

  @Test("Identifiers of any length and width keep the columns")
  func columns() throws {
    let ids = ["a", "日本", "fu\u{308}r", "👨‍👩‍👧‍👦", String(repeating: "x", count: 1000)]
    for columns in [80, nil] {
      var report = report(Graph(nodes: ids.map { Graph.Node(id: $0, run: "") }), columns: columns)
      for id in ids { try report.receive(.ended(id: id, .success)) }
      let lines = report.text().split(separator: "\n")
      #expect(lines.count == 5)
      #expect(Set(lines.map { $0.prefix { $0 != "." }.displayWidth }).count == 1)
      #expect(Set(lines.map(\.displayWidth)).count == 1)
      if let columns { #expect(lines.allSatisfy { $0.displayWidth <= columns }) }
    }
  }

  @Test("An output stands below the line of its command, and ends its last line")
  func grouped() throws {
    var report = report(Graph("a", "b"))
    try report.receive(
      .ended(id: "a", .result(.exited(status: 0), output: "one\ntwo")),
      .ended(id: "b", .result(.exited(status: 0), output: "three\n")))
    #expect(
      report.text() == """
        done       a     1.234 s  exit status 0
        one
        two
        done       b     1.234 s  exit status 0
        three

        """)
  }

  @Test("Beside a status line, only those have a line that fail, are cancelled, or print")
  func telling() throws {
    var report = report(Graph("a", "b", "c", "d"), .telling)
    try report.receive(
      .ended(id: "a", .success), .ended(id: "b", .result(.exited(status: 0), output: "warning\n")),
      .ended(id: "c", .failure), .ended(id: "d", .result(.killed(signal: 15), wasSignalled: true)))
    #expect(
      report.text() == """
        done       b     1.234 s  exit status 0
        warning
        failed     c     1.234 s  exit status 1
        cancelled  d     1.234 s  killed by signal 15

        """)
  }

  @Test("Where failures only are wanted, nothing else is printed, not even outputs and retries")
  func quiet() throws {
    var report = report(Graph("a", "b"), .failures)
    try report.receive(
      .ended(id: "a", .result(.exited(status: 0), output: "chatter\n")),
      .retrying(id: "b", .failure, attempt: 1, delay: .zero),
      .ended(id: "b", .result(.exited(status: 1), output: "broken\n")))
    #expect(report.text() == "failed     b     1.234 s  exit status 1\nbroken\n")
  }

  @Test(
    "Where failures only are wanted, outputs are not shown as they come, and those of failures end the summary",
    arguments: [RunOptions.OutputMode.live, .prefixed])
  func quietOutputs(mode: RunOptions.OutputMode) throws {
    var report = report(Graph("a", "b"), .failures, output: mode)
    try report.receive(
      .output(id: "a", Array("chatter\n".utf8)), .output(id: "b", Array("lost\n".utf8)),
      .retrying(id: "b", .failure, attempt: 1, delay: .zero), .ended(id: "a", .success),
      .output(id: "b", Array("bro".utf8)), .output(id: "b", Array("ken".utf8)), .ended(id: "b", .failure))
    #expect(report.text() == "failed     b     1.234 s  exit status 1\n")
    #expect(report.end().hasPrefix("b failed: exit status 1\n  $ make b\n  broken\n2 operations: "))
  }

  @Test("Outputs that are shown as they come are not repeated at the end")
  func live() throws {
    var report = report(Graph("a", "b"), output: .live)
    try report.receive(
      .output(id: "a", Array("one\ntw".utf8)), .output(id: "a", Array("o".utf8)),
      .ended(id: "a", .result(.exited(status: 0), output: "one\ntwo")))
    #expect(report.text() == "one\ntwo\ndone       a     1.234 s  exit status 0\n")
  }

  @Test("Prefixed outputs are whole before the line of their command")
  func prefixed() throws {
    var report = report(Graph("a", "b"), output: .prefixed)
    try report.receive(
      .output(id: "a", Array("one\ntw".utf8)), .output(id: "b", Array("x\n".utf8)), .ended(id: "a", .failure))
    #expect(report.text() == "a: one\nb: x\na: tw\nfailed     a     1.234 s  exit status 1\n")
    #expect(report.end().contains("\n  one\n  tw\n"))
  }

  @Test("An attempt that failed is a line, with the number of the next one and the wait")
  func retry() throws {
    let retries = Graph.Retries(attempts: 4)
    var report = report(
      Graph(nodes: [Graph.Node(id: "fetch", run: "", retries: retries), Graph.Node(id: "b", run: "")]), .telling)
    try report.receive(
      .retrying(id: "fetch", .failure, attempt: 1, delay: .seconds(2)),
      .retrying(id: "b", .result(.killed(signal: 9), output: "no\n"), attempt: 2, delay: .zero))
    #expect(
      report.text() == """
        retry      fetch  exit status 1, attempt 2 of 4 in 2 s
        retry      b      killed by signal 9, attempt 3
        no

        """)
  }

  @Test("A failure that is allowed says so, and is not told again")
  func allowed() throws {
    var report = report(Graph("a"))
    try report.receive(.ended(id: "a", .allowedFailure))
    #expect(report.text() == "failed     a     1.234 s  exit status 1, which is allowed\n")
    #expect(report.end() == "1 operation: 0 done, 0 failed, 0 skipped, 1 failed as allowed, 0.000 s\n")
  }

  @Test("Colours are in the text, and those that a command leaves behind end with its output")
  func colors() throws {
    var report = report(Graph("a"), isColored: true)
    try report.receive(.ended(id: "a", .result(.exited(status: 1), output: "\u{1B}[35mpink\n")))
    #expect(
      report.text() == "\u{1B}[31mfailed\u{1B}[0m     a     1.234 s  exit status 1\n\u{1B}[35mpink\n\u{1B}[0m")
  }
}
