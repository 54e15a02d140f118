/// How a queue has to treat an operation that it has not chosen yet.
enum OperationStanding: Hashable, Sendable {
  /// It waits for a dependency.
  case pending
  /// It may be chosen.
  case ready
  /// It finishes without running and without a slot: it was cancelled, or a dependency did not succeed as required.
  case leaving
}
