import StructuredOperations
import Testing
import TestSupport

@testable import opgraph

@Suite("OperationGraph", .hangGuard)
struct OperationGraphTests {
  private func graph(_ edges: [(String, after: [String])]) -> Graph {
    Graph(nodes: edges.map { Graph.Node(id: $0.0, run: "", after: $0.after) })
  }

  /// The operations of a graph; one called "bad" fails.
  private func operations(of graph: Graph) async throws -> OperationGraph {
    try await OperationGraph(graph) { index in
      let id = graph.nodes[index].id
      return AsyncOperation<Void>(name: id) { if id.hasPrefix("bad") { throw CommandEnding.exited(status: 1) } }
    }
  }

  @Test("A cycle is refused with its path")
  func cycle() async {
    let graph = graph([("a", ["c"]), ("b", ["a"]), ("c", ["b"]), ("d", ["a"])])
    let error = await #expect(throws: InputError.self) { try await operations(of: graph) }
    #expect(error?.description == "dependency cycle: c -> b -> a -> c")
  }

  @Test("Of a long cycle the first twenty names are told, and the number of the others", arguments: [20, 21, 10_000])
  func longCycle(length: Int) async throws {
    let graph = graph((0..<length).map { ("\($0)", after: ["\(($0 + 1) % length)"]) })
    let error = try #require(
      await #expect(throws: InputError.self) { try await operations(of: graph) })

    let names = error.description.dropFirst("dependency cycle: ".count).split(separator: " -> ").map(String.init)
    #expect(names.first == "\(length - 1)")
    #expect(names.last == names.first)
    #expect(names[1..<20] == (0..<19).map { "\($0)" }[...])
    #expect(names.dropFirst(20).dropLast() == (length > 20 ? ["… (\(length - 20) more)"] : []))
  }

  @Test("An operation that comes after itself is refused")
  func itself() async {
    let error = await #expect(throws: InputError.self) {
      try await operations(of: graph([("a", ["a"])]))
    }
    #expect(error?.description == "dependency cycle: a -> a")
  }

  @Test("A dependency that stands twice is one")
  func duplicate() async throws {
    let graph = try await operations(of: graph([("a", []), ("b", ["a", "a"])]))
    #expect(graph.operations[1].dependencies.count == 1)
  }

  @Test("Whatever comes after a failure is told with its root, however far away, in the order of the graph")
  func root() async throws {
    let graph = try await operations(
      of: graph([("last", ["next", "good"]), ("next", ["bad"]), ("bad", ["good"]), ("good", [])]))

    try await withOperationQueue { queue in await queue.add(graph.operations) }

    let notRun = graph.notRun(cancelledBy: .cancelled) { _ in false }
    #expect(notRun.map(\.id) == ["last", "next"])
    #expect(notRun.map(\.reason) == [.dependencyFailed(root: "bad"), .dependencyFailed(root: "bad")])
  }

  @Test("What comes after the failure that ended the run is told with that, and everything else with the limit")
  func failureThatEnds() async throws {
    let graph = try await operations(
      of: graph([("last", ["next"]), ("next", ["bad"]), ("bad", []), ("other", []), ("after other", ["other"])]))
    for operation in graph.operations where operation.name != "bad" { operation.cancel() }

    try await withOperationQueue { queue in await queue.add(graph.operations) }

    let notRun = graph.notRun(cancelledBy: .failureLimit) { _ in false }
    #expect(notRun.map(\.id) == ["last", "next", "other", "after other"])
    let root = NotRunReason.dependencyFailed(root: "bad")
    #expect(notRun.map(\.reason) == [root, root, .failureLimit, .failureLimit])
  }

  @Test("Of several failures the one is told for which the operation was skipped")
  func severalFailures() async throws {
    let graph = try await operations(of: graph([("bad", []), ("bad first", []), ("late", ["bad", "bad first"])]))
    let queue = AsyncOperationQueue()
    await queue.add(graph.operations[2])
    try await graph.operations[1].start()
    await graph.operations[2].waitUntilFinished()
    try await graph.operations[0].start()

    let notRun = graph.notRun(cancelledBy: .cancelled) { _ in false }
    #expect(notRun.map(\.reason) == [.dependencyFailed(root: "bad first")])
  }

  @Test("What was cancelled, and what comes after it, is told with the reason, unless its command was running")
  func cancelled() async throws {
    let graph = try await operations(of: graph([("a", []), ("b", ["a"]), ("c", [])]))
    for index in [0, 2] { graph.operations[index].cancel() }

    try await withOperationQueue { queue in await queue.add(graph.operations) }

    let notRun = graph.notRun(cancelledBy: .failureLimit) { $0 == "c" }
    #expect(notRun.map(\.id) == ["a", "b"])
    #expect(notRun.map(\.reason) == [.failureLimit, .failureLimit])
  }
}
