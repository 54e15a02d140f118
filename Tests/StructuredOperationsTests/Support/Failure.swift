@testable import StructuredOperations

/// What bodies of tests throw.
struct Failure: Error, Hashable {
  var code = 0
}

extension OperationOutcome {
  var isSuccess: Bool {
    if case .success = self { true } else { false }
  }

  var isCancelled: Bool {
    if case .cancelled = self { true } else { false }
  }

  /// What the operation failed with.
  var error: (any Error)? {
    if case .failure(let error) = self { error } else { nil }
  }
}

extension OperationStorage.Outcome {
  var isCancelled: Bool {
    if case .cancelled = self { true } else { false }
  }
}

extension OperationError {
  /// The operation at the root of a failed dependency, and what it threw.
  var root: (operation: any OperationProtocol, underlying: any Error)? {
    if case .dependencyFailed(let operation, let underlying) = self { (operation, underlying) } else { nil }
  }

  /// The names along a loop.
  var loop: [String?]? {
    if case .dependencyCycle(let path) = self { path.map(\.name) } else { nil }
  }
}
