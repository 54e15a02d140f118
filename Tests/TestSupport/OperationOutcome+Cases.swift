package import StructuredOperations

extension OperationOutcome {
  package var isSuccess: Bool {
    if case .success = self { true } else { false }
  }

  package var isCancelled: Bool {
    if case .cancelled = self { true } else { false }
  }

  /// The error that the operation failed with.
  package var error: (any Error)? {
    if case .failure(let error) = self { error } else { nil }
  }
}
