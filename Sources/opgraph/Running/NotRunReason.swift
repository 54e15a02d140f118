/// The reason why an operation has finished without running its command.
enum NotRunReason: Equatable, Sendable {
  /// The run was told to end.
  case cancelled
  /// So many operations had failed that no further one was started.
  case failureLimit
  /// The operation with this identifier failed, which is a direct or indirect dependency.
  case dependencyFailed(root: String)
  /// Its outputs are newer than its inputs, or it succeeded in an earlier run that this one resumes.
  case upToDate
}
