import StructuredOperations

/// The operations of a graph, with their dependencies.
struct OperationGraph: Sendable {
  let operations: [AsyncOperation<Void>]

  /// Throws ``InputError`` if the graph has a cycle; runs no operation.
  ///
  /// Each pool becomes a limit, of which its operations take one place each while they run.
  init(_ graph: Graph, operation: (Graph.Node) -> AsyncOperation<Void>) async throws {
    operations = graph.nodes.map(operation)
    let byID = Dictionary(uniqueKeysWithValues: zip(graph.nodes.map(\.id), operations))
    let pools = Dictionary(
      uniqueKeysWithValues: graph.pools.map { ($0.name, ConcurrencyLimit($0.depth, name: $0.name)) })
    for (node, operation) in zip(graph.nodes, operations) {
      for pool in node.pools.compactMap({ pools[$0] }) { try await operation.addLimit(pool) }
      for dependency in node.after.compactMap({ byID[$0] }) {
        do {
          try await operation.addDependency(dependency, requiring: .success)
        } catch OperationError.dependencyOnSelf {
          throw InputError("dependency cycle: \(node.id) -> \(node.id)")
        } catch OperationError.dependencyCycle(let path) {
          throw InputError("dependency cycle: \(Self.loop(path.map { $0.name ?? "?" }))")
        }
      }
    }
  }

  /// The names on a cycle, with the first repeated at the end.
  ///
  /// Only the first names of a long cycle are listed, as in the library's own messages.
  private static func loop(_ names: [String]) -> String {
    let shown = 20
    let rest = names.count > shown ? ["… (\(names.count - shown) more)"] : []
    return (names.prefix(shown) + rest + names.prefix(1)).joined(separator: " -> ")
  }

  /// Cancels the operations that `isIncluded` says.
  func cancel(_ isIncluded: (_ id: String) -> Bool) {
    for operation in operations where isIncluded(operation.name ?? "?") { operation.cancel() }
  }
}
