import StructuredOperations

/// Everything that is known about a run at its end.
struct RunRecord: Sendable {
  /// The final state of an operation.
  struct Ending: Sendable {
    let id: Int
    let snapshot: OperationSnapshot
    let outcome: Outcome
    /// The states that an observer received that was there from the beginning.
    let history: [OperationSnapshot]
    /// The states that later observers received, and whether they read to the end.
    var lateHistories: [(snapshots: [OperationSnapshot], isWhole: Bool)]
  }

  /// How an operation ended, without references to objects.
  enum Outcome: Equatable, Sendable {
    case success
    /// Success with a wrong output.
    case otherSuccess
    case cancelled
    /// The body's own error.
    case failure
    case dependencyFailed(root: Int, isCancellation: Bool)
    case operationError(OperationError)
    case otherFailure
    case none

    var isSuccess: Bool { self == .success || self == .otherSuccess }

    var isFailure: Bool { !isSuccess && self != .cancelled && self != .none }
  }

  var events: [Event]
  /// What had passed on the clock at each event; empty where there is none.
  var times: [Duration] = []
  /// The concurrency limits at the end.
  var limits: [(count: Int, available: Int)] = []
  /// How many tasks slept at the end.
  var sleeperCount = 0
  let endings: [Ending]
  /// The final snapshots of the queues.
  let queues: [QueueSnapshot]
  /// The snapshots that late readers of closed queues received, by the queue.
  let lateStates: [Int: [QueueSnapshot]]
  /// What was wrong with the events that the queues' observer was told.
  let observerFaults: [String]
  /// Weak references to the operations and queues: all should be nil after the run.
  let remains: [WeakReference]
}

/// A weak reference with a description for messages.
struct WeakReference: Sendable {
  let label: String
  weak var object: (any AnyObject & Sendable)?
}
