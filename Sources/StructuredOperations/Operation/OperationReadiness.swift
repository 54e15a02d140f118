/// How a queue has to treat an operation that it has not chosen yet.
enum OperationReadiness: Hashable, Sendable {
  /// A dependency has not finished.
  case blocked
  /// It may be chosen.
  case ready
  /// It finishes without running and without a slot: it was cancelled, or a dependency did not succeed as required.
  case skipped
}
