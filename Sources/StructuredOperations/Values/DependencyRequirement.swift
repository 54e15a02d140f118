/// What a dependency has to come to before the operation that depends on it may run.
public enum DependencyRequirement: Hashable, Sendable {
  /// It has to finish, whatever its outcome. So it is in Foundation (DP-13).
  case completion
  /// It has to succeed. Where it fails or is cancelled, the dependent finishes without running.
  case success
}
