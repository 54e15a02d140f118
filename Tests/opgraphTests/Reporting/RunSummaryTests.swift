import Testing

@testable import opgraph

@Suite("RunSummary")
struct RunSummaryTests {
  private func report(_ graph: Graph, failureLimit: Int? = nil) -> Reported {
    var options = RunOptions(width: 1)
    options.failureLimit = failureLimit
    let style = TextStyle(isColored: false)
    return Reported(LineReport(graph, options: options, lines: .all, columns: nil, style: style), of: graph)
  }

  @Test("Every failure comes again, with its command, its ending, and the last lines of its output")
  func failures() throws {
    var report = report(
      Graph(nodes: [
        Graph.Node(id: "link", run: "cc -o app \\\n  a.o"), Graph.Node(id: "b", run: "kill $$"),
        Graph.Node(id: "c", run: ":"),
      ]))
    report.time = .milliseconds(520)
    let output = (1...12).map { "line \($0)\r\n" }.joined() + "10 %\r20 %\n"
    try report.receive(
      .ended(id: "link", .result(.exited(status: 1), output: output)), .ended(id: "c", .success),
      .ended(id: "b", .result(.killed(signal: 9))))
    #expect(
      report.end(notes: ["critical path: link"]) == """
        link failed: exit status 1
          $ cc -o app \\
              a.o
          line 4
          line 5
          line 6
          line 7
          line 8
          line 9
          line 10
          line 11
          line 12
          20 %
        b failed: killed by signal 9
          $ kill $$
        critical path: link
        3 operations: 1 done, 2 failed, 0 skipped, 0.520 s

        """)
  }

  @Test("A long command is cut")
  func longCommand() throws {
    var report = report(
      Graph(nodes: [Graph.Node(id: "a", run: (1...20).map(String.init).joined(separator: "\n"))]))
    try report.receive(.ended(id: "a", .failure))
    let end = report.end()
    #expect(end.contains("  $ 1\n    2\n"))
    #expect(end.contains("    10\n    …\n1 operation:"))
  }

  @Test("So is a long line of a command")
  func longLine() throws {
    let run = String(repeating: "x", count: 1_000)
    for rest in ["", "y"] {
      var report = report(Graph(nodes: [Graph.Node(id: "a", run: run + rest)]))
      try report.receive(.ended(id: "a", .failure))
      #expect(report.end().contains("  $ \(run)\(rest.isEmpty ? "" : "…")\n1 operation:"))
    }
  }

  @Test("Lines of a command end with any line break, and none of its characters does anything to a terminal")
  func unseenInCommand() throws {
    var report = report(
      Graph(nodes: [Graph.Node(id: "a", run: "printf '\u{1B}[2J\u{202E}'\r\n\r\n\tfalse\rtrue")]))
    try report.receive(.ended(id: "a", .failure))
    #expect(
      report.end().hasPrefix(
        """
        a failed: exit status 1
          $ printf ' [2J '
            \("")
             false
            true
        1 operation:
        """))
  }

  @Test("What was not run is one line for each reason, however much it is")
  func notRun() throws {
    var report = report(Graph(nodes: (0..<100).map { Graph.Node(id: "\($0)", run: "") }))
    for index in 0..<40 { try report.receive(.notRun(id: "\(index)", .dependencyFailed(root: "link"))) }
    try report.receive(.notRun(id: "40", .dependencyFailed(root: "test")))
    for index in 41..<70 { try report.receive(.notRun(id: "\(index)", .cancelled)) }
    for index in 70..<100 { try report.receive(.notRun(id: "\(index)", .upToDate)) }
    #expect(
      report.end() == """
        40 operations were not run, because link failed
        1 operation was not run, because test failed
        29 operations were not run, because the run was cancelled
        100 operations: 30 up to date, 0 done, 0 failed, 41 skipped, 29 cancelled, 0.000 s

        """)
  }

  @Test(
    "What was not run because of the limit for failures says so, also where the run was cancelled after that",
    arguments: [(1, "at the first failure"), (2, "after 2 failures")])
  func failureLimit(limit: Int, stop: String) throws {
    var report = report(Graph("a", "b", "c", "d"), failureLimit: limit)
    for id in ["a", "b"].prefix(limit) { try report.receive(.ended(id: id, .failure)) }
    try report.receive(
      .ended(id: "c", .result(.killed(signal: 15), wasSignalled: true)), .notRun(id: "d", .failureLimit))
    let end = report.end()
    #expect(end.contains("1 operation was not run, because the run stops \(stop) (-k 0 goes on)\n"))
    #expect(!end.contains("the run was cancelled"))
    #expect(end.contains(", 2 cancelled, "))
  }

  @Test("What was not run because of a signal says so, whatever has failed")
  func cancelled() throws {
    var report = report(Graph("a", "b"), failureLimit: 1)
    try report.receive(.ended(id: "a", .failure), .notRun(id: "b", .cancelled))
    #expect(report.end().contains("1 operation was not run, because the run was cancelled\n"))
  }

  @Test("The summary of nothing")
  func empty() {
    var report = report(Graph())
    #expect(report.end() == "0 operations: 0 done, 0 failed, 0 skipped, 0.000 s\n")
  }
}
