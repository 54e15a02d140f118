/// How far the scope of a queue has got.
enum QueueScope: Equatable, Sendable {
  /// The queue belongs to no scope.
  case none
  /// The body of the scope runs. Can transition to cancelled, ending, endingCancelled.
  case open
  /// The body of the scope runs, and the scope is cancelled: the task around it was, or an operation has failed. Can transition to endingCancelled.
  case cancelled
  /// The body has returned; what is in the queue runs, and may add more. Can transition to endingCancelled.
  case ending
  /// The body has ended, and the scope is cancelled, since before or after that. Terminal.
  case endingCancelled

  /// Whether the body has ended, so that the queue may be closed.
  var hasEnded: Bool {
    switch self {
    case .none, .open, .cancelled: false
    case .ending, .endingCancelled: true
    }
  }

  /// Whether calls that would suspend the queue, or set its width to 0, have no effect: nobody may be left to undo that.
  var ignoresSuspension: Bool {
    switch self {
    case .none, .open: false
    case .cancelled, .ending, .endingCancelled: true
    }
  }

  var isCancelled: Bool {
    switch self {
    case .none, .open, .ending: false
    case .cancelled, .endingCancelled: true
    }
  }
}
