/// How an operation ended.
public enum OperationOutcome<Output: Sendable>: Sendable {
  /// The body returned this output. The operation may have been cancelled all the same.
  case success(Output)
  /// The body threw this error, or a dependency that had to succeed did not.
  case failure(any Error)
  /// The operation was cancelled, and its body did not run or threw `CancellationError`.
  case cancelled
}

extension OperationOutcome {
  /// The output, as of a `Result`.
  ///
  /// - Throws: The error of a failure; `CancellationError` where the operation was cancelled.
  public func get() throws -> Output {
    switch self {
    case .success(let output): return output
    case .failure(let error): throw error
    case .cancelled: throw CancellationError()
    }
  }
}
