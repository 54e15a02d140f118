import StructuredOperations
import Synchronization
import Testing
import TestSupport

@testable import opgraph

@Suite("OperationGraph", .hangGuard)
struct OperationGraphTests {
  private func graph(_ edges: [(String, after: [String])]) -> Graph {
    Graph(nodes: edges.map { Graph.Node(id: $0.0, run: "", after: $0.after) })
  }

  private func operation(for node: Graph.Node) -> AsyncOperation<Void> { Self.operation(for: node, observer: nil) }

  private static func operation(for node: Graph.Node, observer: NotRunObserver?) -> AsyncOperation<Void> {
    AsyncOperation<Void>(name: node.id, observer: observer) { completion in
      if node.id == "bad" { completion.finish(throwing: CommandEnding.exited(status: 1)) } else { completion.finish() }
    }
  }

  @Test("A cycle is refused with its path")
  func cycle() async {
    let graph = graph([("a", ["c"]), ("b", ["a"]), ("c", ["b"]), ("d", ["a"])])
    let error = await #expect(throws: InputError.self) { try await OperationGraph(graph, operation: operation) }
    #expect(error?.description == "dependency cycle: c -> b -> a -> c")
  }

  @Test("Of a long cycle the first twenty names are told, and the number of the others", arguments: [20, 21, 10_000])
  func longCycle(length: Int) async throws {
    let graph = graph((0..<length).map { ("\($0)", after: ["\(($0 + 1) % length)"]) })
    let error = try #require(
      await #expect(throws: InputError.self) { try await OperationGraph(graph, operation: operation) })

    let names = error.description.dropFirst("dependency cycle: ".count).split(separator: " -> ").map(String.init)
    #expect(names.first == "\(length - 1)")
    #expect(names.last == names.first)
    #expect(names[1..<20] == (0..<19).map { "\($0)" }[...])
    #expect(names.dropFirst(20).dropLast() == (length > 20 ? ["… (\(length - 20) more)"] : []))
  }

  @Test("An operation that comes after itself is refused")
  func itself() async {
    let error = await #expect(throws: InputError.self) {
      try await OperationGraph(graph([("a", ["a"])]), operation: operation)
    }
    #expect(error?.description == "dependency cycle: a -> a")
  }

  @Test("A dependency that stands twice is one")
  func duplicate() async throws {
    let graph = try await OperationGraph(graph([("a", []), ("b", ["a", "a"])]), operation: operation)
    #expect(graph.operations[1].dependencies.count == 1)
  }

  @Test("Whatever comes after a failure is told with its root, however far away")
  func root() async throws {
    let reasons = Reasons()
    let graph = try await OperationGraph(
      graph([("last", ["next", "good"]), ("next", ["bad"]), ("bad", ["good"]), ("good", [])]),
      operation: reasons.operation)

    try await withOperationQueue { queue in await queue.add(graph.operations) }

    let expected = ["last": NotRunReason.dependencyFailed(root: "bad"), "next": .dependencyFailed(root: "bad")]
    #expect(reasons.all.withLock(\.self) == expected)
  }

  @Test("What was cancelled, and what comes after it, is cancelled")
  func cancelled() async throws {
    let reasons = Reasons()
    let graph = try await OperationGraph(graph([("a", []), ("b", ["a"])]), operation: reasons.operation)
    graph.operations[0].cancel()

    try await withOperationQueue { queue in await queue.add(graph.operations) }

    #expect(reasons.all.withLock(\.self) == ["a": NotRunReason.cancelled, "b": .cancelled])
  }

  private final class Reasons: Sendable {
    let all = Mutex<[String: NotRunReason]>([:])

    func operation(for node: Graph.Node) -> AsyncOperation<Void> {
      OperationGraphTests.operation(
        for: node, observer: NotRunObserver { id, reason in self.all.withLock { $0[id] = reason } })
    }
  }
}
