@testable import StructuredOperations

extension OperationStorage.Outcome {
  var isCancelled: Bool {
    if case .cancelled = self { true } else { false }
  }
}
