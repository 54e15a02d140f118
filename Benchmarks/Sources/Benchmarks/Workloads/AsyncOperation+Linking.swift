import StructuredOperations

extension AsyncOperation {
  /// Adds a dependency in a graph that is known to have no loop.
  nonisolated(nonsending) func depend(on other: any OperationProtocol) async {
    do {
      try await addDependency(other)
    } catch {
      preconditionFailure("the graph has a loop: \(error)")
    }
  }
}
