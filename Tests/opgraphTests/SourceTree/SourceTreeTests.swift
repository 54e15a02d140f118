import StructuredOperations
import Testing

@testable import opgraph

@Suite("SourceTree")
struct SourceTreeTests {
  @Test("The built-in graph can be linked: no cycle, every dependency there")
  func linked() async throws {
    let graph = SourceTree(scratch: "/scratch").graph
    let ids = Set(graph.nodes.map(\.id))

    #expect(graph.nodes.allSatisfy { ids.isSuperset(of: $0.after) })
    let operations = try await OperationGraph(graph) { node in AsyncOperation<Void>(name: node.id) { $0.finish() } }
    #expect(operations.operations.count == ids.count)
  }

  @Test("A scratch directory with a quote in its name stays one word")
  func quoting() {
    let graph = SourceTree(scratch: "/it's").graph
    #expect(graph.nodes.allSatisfy { !$0.run.contains("/it's") && $0.run.contains(#"'/it'\''s/"#) })
  }
}
