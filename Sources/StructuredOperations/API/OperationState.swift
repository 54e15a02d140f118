/// The stages of an operation's life.
///
/// An operation goes through the states in the order in which they are listed. The only step back is from `ready` to
/// `pending`. It happens when a dependency is added. It also happens when an operation is ready only because a required
/// dependency has failed, and that one is removed while another has not finished. Cancellation is not a state, since an
/// operation can be cancelled in any of them: see ``OperationSnapshot/isCancelled``.
public enum OperationState: Hashable, Sendable {
  /// A dependency has not finished.
  case pending
  /// All dependencies have finished, or the operation has been cancelled. It may still wait for a slot of its queue, for
  /// a barrier, a concurrency limit or a start rate, for its queue to be resumed, or for a call to `start()`.
  case ready
  /// The body is running.
  case executing
  /// The body has ended or will never run.
  case finished
}
