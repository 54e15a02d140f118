/// What the first half of a queue's turn has decided, to be performed in the second.
struct QueueTurn {
  /// What the runner starts as a child task.
  enum ChildTask: Sendable {
    case worker(WorkItem, WorkerTraits)
    case completionBlock(CompletionBlock.Call, QueueState.BlockID)
  }

  let queue: AsyncOperationQueue
  /// The traits of the worker that takes the turn; nil if it is none, or where it is to end.
  let worker: WorkerTraits?
  /// What that worker runs next.
  var next: WorkItem?
  /// Callers of `run` who have an answer.
  var answeredCallers: [(caller: OneShot<CallAnswer>, answer: CallAnswer)] = []
  /// Operations that are published as finished, and whose waiters are still to be told.
  var finishedUnrun: [OperationStorage] = []
  /// Dependents in other queues, whose readiness has changed.
  var changesElsewhere: [OperationStorage.ReadinessChange] = []
  /// Operations of callers whose waits would deadlock.
  var callsToWithdraw: [any OperationProtocol] = []
  /// Queues that are to look again for what unblocks them.
  var queuesToTell: [any OwningQueue] = []
  /// Queues whose scopes would never end.
  var scopesToCancel: [any OwningQueue] = []
  /// Waits whose bodies have their slots and resume.
  var resumingBodies: [BodyWait] = []
  /// Waits that are over, of bodies in other queues or in none.
  var waitsEndedElsewhere: [BodyWait] = []
  /// Owners of operations elsewhere that may have their concurrency limits now.
  var limitNotices = LimitTable.Notices()
  /// Leased tasks, to be cancelled.
  var tasksToCancel: [(storage: OperationStorage, task: BodyTask)] = []
  var timerAction = QueueTimeStateMachine.TimerAction.keep
  var end = QueueSharedState.TurnEnd(hasMoreEvents: false, isQueueEmpty: false)
  /// How many operations finished, and how, barriers not counted.
  var outcomes = OutcomeCounts()
  var finishedBarriers = 0

  init(of worker: WorkerTraits?, in queue: AsyncOperationQueue) {
    self.worker = worker
    self.queue = queue
  }
}
