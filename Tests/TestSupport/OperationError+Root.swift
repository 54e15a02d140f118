package import StructuredOperations

extension OperationError {
  /// The operation at the root of a failed dependency, and the error that it threw.
  package var root: (operation: any OperationProtocol, underlying: any Error)? {
    if case .dependencyFailed(let operation, let underlying) = self { (operation, underlying) } else { nil }
  }
}
