/// Where an operation is in its life.
///
/// An operation goes through the states in the order in which they are listed. Only one step can be undone: a
/// dependency added to a ready operation makes it pending again. Cancellation is no state, it can come in each of
/// them: see ``OperationSnapshot/isCancelled``.
public enum OperationState: Hashable, Sendable {
  /// A dependency has not finished.
  case pending
  /// Nothing that the operation depends on holds it back. It may still wait for a slot of its queue, for a barrier,
  /// for the end of a suspension, or for somebody to start it.
  case ready
  /// The body runs.
  case executing
  /// The body is over, whatever the reason, or will never run.
  case finished
}
