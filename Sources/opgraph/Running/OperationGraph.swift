import StructuredOperations

/// The operations of a graph, with their dependencies.
struct OperationGraph: Sendable {
  let operations: [AsyncOperation<Void>]

  /// Throws ``InputError`` if the graph has a cycle; runs no operation.
  init(_ graph: Graph, operation: (Graph.Node) -> AsyncOperation<Void>) async throws {
    operations = graph.nodes.map(operation)
    let byID = Dictionary(uniqueKeysWithValues: zip(graph.nodes.map(\.id), operations))
    for (node, operation) in zip(graph.nodes, operations) {
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

  /// Calls `handler` for every operation that finishes as cancelled or because a dependency failed.
  ///
  /// A cancelled operation may have run its command. In that case ``Report`` ignores the call.
  func whenNotRun(_ handler: @escaping @Sendable (_ id: String, NotRunReason) -> Void) async {
    for operation in operations {
      await operation.setCompletionBlock {
        guard let reason = NotRunReason(operation.outcome) else { return }
        handler(operation.name ?? "?", reason)
      }
    }
  }
}

extension NotRunReason {
  fileprivate init?(_ outcome: OperationOutcome<Void>?) {
    switch outcome {
    case .cancelled, .failure(OperationError.dependencyFailed(on: _, underlying: is CancellationError)):
      self = .cancelled
    case .failure(OperationError.dependencyFailed(on: let root, underlying: _)):
      self = .dependencyFailed(root: root.name ?? "?")
    case .success, .failure, nil:
      return nil
    }
  }
}
