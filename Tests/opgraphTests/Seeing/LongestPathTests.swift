import Testing

@testable import opgraph

@Suite("LongestPath")
struct LongestPathTests {
  private func path(_ nodes: [Graph.Node], _ seconds: [String: Int]) -> (ids: [String], duration: Duration) {
    let graph = Graph(nodes: nodes)
    let path = LongestPath(TimedGraph(graph, CommandTimes(graph, seconds: seconds)))
    return (path.operations.map { nodes[$0].id }, path.duration)
  }

  @Test(
    "The longest way is not the one with the most operations, nor that of the longest one, and the file may say it in any order"
  )
  func longest() {
    let path = path(
      [
        Graph.Node(id: "link", run: "", after: ["b", "a"]), Graph.Node(id: "b", run: "", after: ["b1"]),
        Graph.Node(id: "b1", run: "", after: ["b2"]), Graph.Node(id: "b2", run: ""),
        Graph.Node(id: "a", run: "", after: ["configure"]), Graph.Node(id: "configure", run: ""),
        Graph.Node(id: "alone", run: ""),
      ],
      ["link": 1, "b": 1, "b1": 1, "b2": 1, "a": 5, "configure": 2, "alone": 6])
    #expect(path.ids == ["configure", "a", "link"])
    #expect(path.duration == .seconds(8))
  }

  @Test("What did not run lets those after it begin at once")
  func upToDate() {
    let nodes = [Graph.Node(id: "a", run: ""), Graph.Node(id: "b", run: "", after: ["a"])]
    let path = path(nodes, ["b": 3])
    #expect(path.duration == .seconds(3))
  }

  @Test("Of nothing there is none")
  func empty() {
    let path = path([], [:])
    #expect(path.ids.isEmpty)
    #expect(path.duration == .zero)
  }
}
