import StructuredOperations
import Testing

@testable import opgraph

@Suite("SlotReplay")
struct SlotReplayTests {
  private func seconds(_ graph: Graph, _ seconds: [String: Int], width: Int) -> Double {
    self.seconds(graph, CommandTimes(graph, seconds: seconds), width: width)
  }

  private func seconds(_ graph: Graph, _ times: CommandTimes, width: Int) -> Double {
    SlotReplay.duration(of: TimedGraph(graph, times), width: width) / .seconds(1)
  }

  /// Four of three seconds, and one of two after each pair.
  private let pairs = Graph(nodes: [
    Graph.Node(id: "a", run: ""), Graph.Node(id: "b", run: ""), Graph.Node(id: "c", run: ""),
    Graph.Node(id: "d", run: ""), Graph.Node(id: "ab", run: "", after: ["a", "b"]),
    Graph.Node(id: "cd", run: "", after: ["c", "d"]),
  ])
  private let pairTimes = ["a": 3, "b": 3, "c": 3, "d": 3, "ab": 2, "cd": 2]

  @Test("As many run at a time as there are slots", arguments: [(1, 16), (2, 8), (3, 8), (4, 5), (100, 5)])
  func width(width: Int, seconds: Double) {
    #expect(self.seconds(pairs, pairTimes, width: width) == seconds)
  }

  @Test("No more run at a time than their pool has places, and those of another take the slots meanwhile")
  func pools() {
    let graph = Graph(
      nodes: [
        Graph.Node(id: "a", run: "", pools: ["net"]), Graph.Node(id: "b", run: "", pools: ["net"]),
        Graph.Node(id: "c", run: "", pools: ["net"]), Graph.Node(id: "d", run: ""),
      ], pools: [Graph.Pool(name: "net", depth: 1)])
    let times = ["a": 2, "b": 2, "c": 2, "d": 6]
    #expect(seconds(graph, times, width: 2) == 6)
    #expect(seconds(graph, times, width: 4) == 6)
  }

  @Test("A place that one cannot take, because it lacks another, is for the next one in line")
  func twoPools() {
    // When `a` ends, `both` is first in line for net, but lacks a disk until `d` has ended; `b` goes ahead.
    let graph = Graph(
      nodes: [
        Graph.Node(id: "a", run: "", pools: ["net"]), Graph.Node(id: "d", run: "", pools: ["disk"]),
        Graph.Node(id: "both", run: "", pools: ["net", "disk"]), Graph.Node(id: "b", run: "", pools: ["net"]),
      ], pools: [Graph.Pool(name: "net", depth: 1), Graph.Pool(name: "disk", depth: 1)])
    #expect(seconds(graph, ["a": 1, "d": 5, "both": 1, "b": 4], width: 4) == 6)
  }

  @Test("A higher priority goes first")
  func priorities() {
    let graph = Graph(nodes: [
      Graph.Node(id: "a", run: ""), Graph.Node(id: "b", run: "", priority: .low),
      Graph.Node(id: "first", run: "", priority: .veryHigh), Graph.Node(id: "next", run: "", after: ["first"]),
    ])
    // With `first` last, `next` would begin after three seconds.
    #expect(seconds(graph, ["a": 1, "b": 2, "first": 1, "next": 4], width: 2) == 5)
  }

  @Test("Of the same priority the one that comes first in the graph goes first, though it was ready later")
  func order() {
    let short = (0..<10).map { Graph.Node(id: "\($0)", run: "") }
    let graph = Graph(nodes: [Graph.Node(id: "a", run: ""), Graph.Node(id: "long", run: "", after: ["a"])] + short)
    let times = ["a": 1, "long": 10].merging(short.map { ($0.id, 1) }) { one, _ in one }
    #expect(seconds(graph, times, width: 2) == 11)
  }

  @Test("A higher priority goes first in line for a pool, too")
  func priorityInLine() {
    let graph = Graph(
      nodes: [
        Graph.Node(id: "a", run: "", pools: ["net"]), Graph.Node(id: "low", run: "", priority: .low, pools: ["net"]),
        Graph.Node(id: "b", run: ""), Graph.Node(id: "high", run: "", after: ["b"], pools: ["net"]),
        Graph.Node(id: "last", run: "", after: ["high"]),
      ], pools: [Graph.Pool(name: "net", depth: 1)])
    #expect(seconds(graph, ["a": 3, "low": 1, "b": 1, "high": 1, "last": 5], width: 4) == 9)
  }

  @Test("Pauses between attempts take time, but no slot and no place")
  func pauses() {
    let graph = Graph(
      nodes: [
        Graph.Node(id: "a", run: "", pools: ["one"]), Graph.Node(id: "b", run: "", pools: ["one"]),
        Graph.Node(id: "after", run: "", after: ["a"]),
      ], pools: [Graph.Pool(name: "one", depth: 1)])
    var times = CommandTimes(graph, seconds: ["b": 2, "after": 1])
    times.received(
      .retrying(id: "a", .result(.exited(status: 1), after: .seconds(1)), attempt: 1, delay: .seconds(5)))
    times.received(.ended(id: "a", .result(.exited(status: 0), after: .seconds(1))))
    #expect(seconds(graph, times, width: 1) == 8)
  }
}
