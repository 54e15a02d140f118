import StructuredOperations

/// Everything that is known of a run when it is over.
struct RunRecord: Sendable {
  /// One operation at its end.
  struct Ending: Sendable {
    let id: Int
    let snapshot: OperationSnapshot
    let outcome: Outcome
    /// What an observer saw that was there from the beginning.
    let history: [OperationSnapshot]
    /// What later ones saw, and whether they stayed to the end.
    var lateHistories: [(snapshots: [OperationSnapshot], isWhole: Bool)]
  }

  /// How an operation ended, without what only lives in the process.
  enum Outcome: Equatable, Sendable {
    case success
    /// It succeeded with another output than it should have.
    case otherSuccess
    case cancelled
    /// The body's own error.
    case failure
    case dependencyFailed(root: Int, isCancellation: Bool)
    case operationError(OperationError)
    case otherFailure
    case none
  }

  var events: [Event]
  let endings: [Ending]
  /// The queues' snapshots at the end.
  let queues: [QueueSnapshot]
  /// What is left of operations and queues afterwards.
  let remains: [WeakReference]
}

/// A reference that does not keep its object.
struct WeakReference: Sendable {
  let label: String
  weak var object: (any AnyObject & Sendable)?
}
