import StructuredOperations

extension OperationError {
  /// The names of the operations along a loop.
  var loop: [String?]? {
    if case .dependencyCycle(let path) = self { path.map(\.name) } else { nil }
  }
}
