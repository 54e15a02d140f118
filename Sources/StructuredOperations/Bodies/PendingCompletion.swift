/// The completion of a body that has returned, and may be freed at any time.
final class PendingCompletion: Sendable {
  private weak let state: (any CompletionProgress)?

  init(_ state: some CompletionProgress) { self.state = state }

  /// Whether it has not been called, nor dropped; not to be asked under a lock.
  var isPending: Bool { state?.isFinished == false }
}

/// Whether a completion has been called.
protocol CompletionProgress: AnyObject, Sendable {
  var isFinished: Bool { get }
}
