/// What a dependency has to achieve before the operation that depends on it may run.
public enum DependencyRequirement: Hashable, Sendable {
  /// The dependency has to finish, whatever its outcome, as in Foundation.
  case completion
  /// The dependency has to succeed. If it fails or is cancelled, the dependent finishes without running.
  case success
}
