import Testing

@testable import opgraph

@Suite("TimeNote")
struct TimeNoteTests {
  private let build = Graph(nodes: [
    Graph.Node(id: "configure", run: ""), Graph.Node(id: "a.c", run: "", after: ["configure"]),
    Graph.Node(id: "b.c", run: "", after: ["configure"]), Graph.Node(id: "c.c", run: "", after: ["configure"]),
    Graph.Node(id: "link", run: "", after: ["a.c", "b.c", "c.c"]),
  ])
  private let times = ["configure": 1, "a.c": 4, "b.c": 3, "c.c": 3, "link": 1]

  private func line(_ graph: Graph, _ times: [String: Int], width: Int, seconds: Double) -> String? {
    TimeNote(graph, CommandTimes(graph, seconds: times), width: width, time: .seconds(seconds)).line
  }

  @Test("It tells the critical path, how busy the slots were, and what twice as many would have brought")
  func all() {
    #expect(
      line(build, times, width: 2, seconds: 8.5)
        == "critical path: configure -> a.c -> link, 6.000 s of 8.500 s; slots 71 % busy; -j4 would have taken about "
        + "6.500 s")
  }

  @Test(
    "Where more slots would have saved next to nothing it says so, and where there were enough it does not",
    arguments: [(4, "49 % busy; -j8 would have taken as long"), (5, "39 % busy"), (.max, "0 % busy")])
  func enough(width: Int, end: String) {
    #expect(
      line(build, times, width: width, seconds: 6.1)
        == "critical path: configure -> a.c -> link, 6.000 s of 6.100 s; slots \(end)")
  }

  @Test("A long path is told by its ends")
  func longPath() {
    let nodes = (0..<100).map { Graph.Node(id: "\($0)", run: "", after: $0 > 0 ? ["\($0 - 1)"] : []) }
    let times = Dictionary(uniqueKeysWithValues: nodes.map { ($0.id, 1) })
    #expect(
      line(Graph(nodes: nodes), times, width: 1, seconds: 100)?
        .hasPrefix("critical path: 0 -> 1 -> (96 more) -> 98 -> 99, 100.000 s of 100.000 s; ") == true)
    let five = Array(nodes.prefix(5))
    #expect(
      line(Graph(nodes: five), times, width: 1, seconds: 5)?.hasPrefix("critical path: 0 -> 1 -> 2 -> 3 -> 4, ") == true
    )
  }

  @Test("So is a long name")
  func longName() {
    let name = String(repeating: "x", count: 100)
    let graph = Graph(nodes: [Graph.Node(id: name, run: ""), Graph.Node(id: "b", run: "", after: [name])])
    let short = String(repeating: "x", count: 20) + "…" + String(repeating: "x", count: 19)
    #expect(
      line(graph, [name: 1, "b": 1], width: 1, seconds: 2)?
        .hasPrefix("critical path: \(short) -> b, ") == true)
  }

  @Test("What was up to date is not on the path")
  func upToDate() {
    let times = ["b.c": 3, "link": 1]
    #expect(
      line(build, times, width: 2, seconds: 4)?.hasPrefix("critical path: b.c -> link, 4.000 s of 4.000 s; ") == true)
  }

  @Test("Of one command, and of none, there is nothing to tell")
  func single() {
    #expect(line(build, ["link": 1], width: 2, seconds: 1) == nil)
    #expect(line(build, [:], width: 2, seconds: 0) == nil)
  }
}
