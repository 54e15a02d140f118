/// What the failure of an operation means for the others of its scope.
public enum OperationFailurePolicy: Hashable, Sendable {
  /// The others go on, and the scope does not throw.
  case `continue`
  /// All others are cancelled, what is added later too, and the scope throws the error of the first failure.
  ///
  /// The closure of the scope is not cancelled, and is awaited like the operations.
  case cancelAll
}
