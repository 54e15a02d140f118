/// What a queue's turns change, and how: applies what has come in and chooses what runs.
///
/// One value, so that a turn asks once for access to it. What follows from a turn is noted in a ``QueueTurn`` and
/// performed by the queue afterwards.
struct QueueState: Sendable {
  typealias EntryID = QueueScheduler<OperationCore>.EntryID

  var scheduler: QueueScheduler<OperationCore>
  var scope: QueueScope
  /// What the runner starts next.
  var children: [QueueTurn.ChildTask] = []
  /// How many operations are chosen ahead.
  var handSize = 1
  /// How many completion blocks run, or are about to.
  var completionBlockCount = 0
  /// The waits of bodies that have lent their slots.
  var lendings: [EntryID: BodyWait] = [:]
  /// Bodies that wait until only such are left as wait for them.
  var waitsForAll: [BodyWait] = []
  /// The body whose own task has opened the scope and waits for its end.
  var scopeWait: BodyWait?
  /// Whether that wait could never have ended, so that everything was cancelled.
  var isScopeDeadlocked = false
  var review = QueueReview()
  /// Those who run operations in their own tasks, while they wait to be chosen.
  private var callers: [EntryID: RunTicket] = [:]
  /// Where operations run, and how, that do not say it themselves.
  let defaults: QueueLane.Defaults

  init(scheduler: QueueScheduler<OperationCore>, scope: QueueScope, defaults: QueueLane.Defaults) {
    self.scheduler = scheduler
    self.scope = scope
    self.defaults = defaults
  }

  // MARK: Inputs

  mutating func apply(_ mail: consuming QueueMail, _ turn: inout QueueTurn) {
    switch consume mail {
    case .operation(let core): add(core)
    case .operations(let cores):
      for core in cores { add(core) }
    case .call(let core, let caller):
      cancelUnderCancelledScope(core)
      core.admit { priority, standing in
        let id = scheduler.add(core, priority: priority, standing: standing, isOfCaller: true)
        callers[id] = caller
        return (id, scheduler.rank(of: id))
      }
      review.added(core)
    case .barrier(let core):
      cancelUnderCancelledScope(core)
      if !scheduler.hasBarrier { review.graphChanged() }
      core.admit { (scheduler.addBarrier(core, standing: $1), 0) }
    case .change(let core, .standing):
      guard let (id, standing) = core.entryAndStanding(in: turn.queue) else { return }
      scheduler.update(id, to: standing)
    case .change(let core, .priority):
      guard let (id, _) = core.entryAndStanding(in: turn.queue) else { return }
      scheduler.setPriority(id, to: core.rankedPriority)
    case .change(let core, .donation):
      guard let (id, _) = core.entryAndStanding(in: turn.queue) else { return }
      scheduler.raisePriority(id, to: core.rankedPriority)
    case .returned(let wait): returned(wait, turn)
    case .scopeGivenUp: giveUpScope(&turn)
    case .graphChanged: review.graphChanged()
    case .scopeCancelled:
      scope = scope.hasEnded ? .endingCancelled : .cancelled
      freeFromRestraint()
      cancelAll(&turn)
    }
  }

  private mutating func add(_ core: OperationCore) {
    cancelUnderCancelledScope(core)
    core.admit { priority, standing in
      let id = scheduler.add(core, priority: priority, standing: standing)
      return (id, scheduler.rank(of: id))
    }
    review.added(core)
  }

  /// Marks everything in the queue as cancelled, before any of it is let go.
  mutating func cancelAll(_ turn: inout QueueTurn) {
    for (id, core) in scheduler.allWork {
      if let task = core.markCancelled() { turn.tasksToCancel.append((core, task)) }
      scheduler.update(id, to: .leaving)
    }
  }

  mutating func resume() {
    scheduler.resume()
    review.graphChanged()
  }

  mutating func setLimit(_ limit: Int) {
    scheduler.setLimit(scope.isEnding && limit == 0 ? 1 : limit)
    review.graphChanged()
  }

  /// The body of the scope has ended.
  mutating func endScope(isCancelled: Bool, _ turn: inout QueueTurn) {
    scope = isCancelled || scope == .cancelled ? .endingCancelled : .ending
    freeFromRestraint()
    if isCancelled { cancelAll(&turn) }
  }

  /// An operation has finished for all to see and its dependents have been told: the queue lets go of it.
  mutating func letGo(
    _ id: EntryID,
    _ end: OperationCore.End,
    _ notices: ShortList<OperationCore.Notice>,
    _ turn: inout QueueTurn
  ) {
    if scheduler.isBarrier(id) {
      review.graphChanged()
    } else {
      turn.finishedCount += 1
      if mayComeToRest { review.operationsChanged() }
    }
    scheduler.finished(id)
    for notice in notices {
      if notice.host !== turn.queue {
        notice.deliver()
      } else if let (id, standing) = notice.core.entryAndStanding(in: turn.queue) {
        // As it stands now: it may have left since it was told.
        scheduler.update(id, to: standing)
      }
    }
    for wait in end.waits where wait.finishedOne() {
      if wait.host === turn.queue { returned(wait, turn) } else { turn.endedElsewhere.append(wait) }
    }
    if let block = end.completionBlock {
      completionBlockCount += 1
      children.append(.completionBlock(block))
    }
    if !callers.isEmpty, let caller = callers.removeValue(forKey: id) { turn.answeredCallers.append((caller, .leave)) }
  }

  /// Lets go what nobody is left to let go.
  private mutating func freeFromRestraint() {
    scheduler.resume()
    if scheduler.limit == 0 { scheduler.setLimit(1) }
    review.graphChanged()
  }

  /// Under a cancelled scope nothing begins any more.
  private func cancelUnderCancelledScope(_ core: OperationCore) {
    if scope.isCancelled { _ = core.markCancelled() }
  }

  // MARK: Decisions

  /// Chooses all that may run, and lets go what leaves.
  mutating func choose(_ turn: inout QueueTurn) {
    while true {
      while let (id, core) = scheduler.nextDeparture() {
        let standing = core.claimDeparture()
        if standing == .leaving {
          conclude(id, core, &turn)
        } else {
          scheduler.update(id, to: standing)
        }
      }
      // After those that leave, for whom some of these have waited.
      while let id = scheduler.nextReturn() { goOn(id, &turn) }
      guard let (id, core) = scheduler.startNext() else {
        if isReviewDue, bringOn(&turn) { continue }
        return
      }
      let standing = core.claim()
      if standing == .ready {
        assign(QueueTurn.Assignment(id: id, core: core), &turn)
      } else {
        notClaimed(id, core, standing, &turn)
      }
    }
  }

  /// What was chosen turned out to stand otherwise by now.
  mutating func notClaimed(
    _ id: EntryID,
    _ core: OperationCore,
    _ standing: OperationStanding,
    _ turn: inout QueueTurn
  ) {
    switch standing {
    case .ready: preconditionFailure("an operation was claimed and is not to run")
    case .pending:
      scheduler.putBack(id)
      // What it has become since is known to nobody: as long as it counted as executing, news of it were dropped.
      if let (id, standing) = core.entryAndStanding(in: turn.queue) { scheduler.update(id, to: standing) }
    case .leaving: conclude(id, core, &turn)
    }
  }

  /// An operation leaves without running.
  ///
  /// Its waiters are told at the end of the turn.
  private mutating func conclude(_ id: EntryID, _ core: OperationCore, _ turn: inout QueueTurn) {
    let end = core.conclude(nil)
    letGo(id, end, end.tellDependents(), &turn)
    turn.unsettled.append(core)
  }

  /// Gives an operation to the child task that takes the turn, to its caller, or to a new child task.
  private mutating func assign(_ assignment: QueueTurn.Assignment, _ turn: inout QueueTurn) {
    if !callers.isEmpty, let caller = callers.removeValue(forKey: assignment.id) {
      turn.answeredCallers.append((caller, .run(assignment)))
      return
    }
    let lane = QueueLane(of: assignment.core, in: defaults)
    if turn.next == nil, turn.lane == lane {
      turn.next = assignment
    } else {
      children.append(.worker(assignment, lane))
    }
  }
}
