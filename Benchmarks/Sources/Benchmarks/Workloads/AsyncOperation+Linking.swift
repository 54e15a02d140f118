import StructuredOperations

extension AsyncOperation {
  /// Adds a dependency in a graph that is known to have no loop.
  func depend(on other: any OperationProtocol) {
    do {
      try addDependency(other)
    } catch {
      preconditionFailure("the graph has a loop: \(error)")
    }
  }
}
