/// What one turn of a queue has decided and not done yet.
struct QueueTurn {
  /// An operation that was chosen.
  struct Assignment: Sendable {
    let id: QueueScheduler<OperationCore>.EntryID
    let core: OperationCore
    /// Whether it was chosen for good, and not only ahead.
    var isClaimed = true
  }

  /// What the runner starts as a child task.
  enum ChildTask: Sendable {
    case worker(Assignment, QueueLane)
    case completionBlock(OperationCore.CompletionBlock)
  }

  /// Whose turn it is.
  let queue: AsyncOperationQueue
  /// The lane of the child task that takes the turn; nil where it is none, or where it is to leave.
  let lane: QueueLane?
  /// What that child task runs next.
  var next: Assignment?
  /// Callers whose turn it is, or will never be.
  var answeredCallers: [(caller: RunTicket, answer: RunTicket.Answer)] = []
  /// Operations that have finished for all to see, and whose waiters are still to be told.
  var unsettled: [OperationCore] = []
  /// Operations whose callers would wait in vain.
  var callsToCancel: [any OperationProtocol] = []
  /// Queues whose scopes' ends would never come.
  var scopesToGiveUp: [any OperationHost] = []
  /// Waits whose bodies have their slots and go on.
  var goingOn: [BodyWait] = []
  /// Waits that are over, of bodies in other queues or in none.
  var endedElsewhere: [BodyWait] = []
  /// Tasks on lease, to be cancelled.
  var tasksToCancel: [(core: OperationCore, task: BodyTask)] = []
  /// Whether there is mail for another turn.
  var hasMoreMail = false
  /// How many operations finished, barriers not counted.
  var finishedCount = 0

  init(of lane: QueueLane?, in queue: AsyncOperationQueue) {
    self.lane = lane
    self.queue = queue
  }
}
