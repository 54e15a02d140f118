/// Why an operation has finished without running its command.
enum NotRunReason: Equatable, Sendable {
  case cancelled
  /// The operation with this identifier failed; between the two there may be others that were not run either.
  case dependencyFailed(root: String)
}
