/// What one turn of a queue has decided and not done yet.
struct QueueTurn {
  typealias EntryID = QueueScheduler<QueuedOperation>.EntryID

  /// An operation that was chosen, and its lane.
  struct Assignment: Sendable {
    let id: EntryID
    let work: QueuedOperation
    let lane: QueueLane
  }

  /// What the runner starts as a child task.
  enum ChildTask: Sendable {
    case worker(Assignment)
    case completionBlock(OperationCore.CompletionBlock)
  }

  /// The lane of the child task that takes the turn; nil where it is none, or where it is to leave.
  let lane: QueueLane?
  /// What that child task runs next.
  var next: Assignment?
  /// Callers whose turn it is, or will never be.
  var answeredCallers: [(caller: RunTicket, answer: RunTicket.Answer)] = []
  /// Operations that have finished for all to see, and whose waiters are still to be told.
  var unsettled: [OperationCore] = []
  /// Tasks on lease, to be cancelled.
  var tasksToCancel: [(core: OperationCore, task: BodyTask)] = []
  /// How many operations finished, barriers not counted.
  var finishedCount = 0

  init(of lane: QueueLane? = nil) {
    self.lane = lane
  }
}
