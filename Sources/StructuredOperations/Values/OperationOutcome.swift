/// How an operation ended.
public enum OperationOutcome<Output: Sendable>: Sendable {
  /// The body returned this, though perhaps the operation had been cancelled.
  case success(Output)
  /// The body threw this, or the operation did not run because one that it depends on did not succeed.
  case failure(any Error)
  /// The operation was cancelled and produced nothing.
  case cancelled
}
