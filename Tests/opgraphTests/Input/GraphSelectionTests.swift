import Testing

@testable import opgraph

@Suite("Selecting from a graph")
struct GraphSelectionTests {
  private let graph = Graph(
    nodes: [
      Graph.Node(id: "link", run: ":", after: ["compile a", "compile b"]),
      Graph.Node(id: "compile b", run: ":", after: ["configure"]),
      Graph.Node(id: "compile a", run: ":", after: ["configure"]),
      Graph.Node(id: "configure", run: ":"),
      Graph.Node(id: "test", run: ":", after: ["link"]),
    ], pools: [Graph.Pool(name: "p", depth: 1)])

  @Test(
    "What is named is selected, and all that it needs, in the order of the graph",
    arguments: [
      ([], ["link", "compile b", "compile a", "configure", "test"]),
      (["configure"], ["configure"]),
      (["compile a"], ["compile a", "configure"]),
      (["compile a", "compile b", "compile a"], ["compile b", "compile a", "configure"]),
      (["link"], ["link", "compile b", "compile a", "configure"]),
    ])
  func selecting(ids: [String], selected: [String]) throws {
    let selection = try graph.selecting(ids)
    #expect(selection.nodes.map(\.id) == selected)
    #expect(selection.pools == graph.pools)
  }

  @Test(
    "An id that there is not is refused, with a near one",
    arguments: [
      ("compil a", #"unknown operation "compil a"; did you mean "compile a"?"#), ("x", #"unknown operation "x""#),
    ])
  func unknown(id: String, message: String) {
    let error = #expect(throws: InputError.self) { try graph.selecting(["link", id]) }
    #expect(error?.description == message)
  }

  @Test("A long chain is selected whole")
  func chain() throws {
    let nodes = (0..<100_000).map { Graph.Node(id: "\($0)", run: ":", after: $0 == 0 ? [] : ["\($0 - 1)"]) }
    #expect(try Graph(nodes: nodes).selecting(["99999"]).nodes.count == 100_000)
  }
}
