/// What a queue decides, and from what: applies events one by one, and chooses what runs.
///
/// One value, so that a turn asks once for access to it. ``QueueScheduler`` decides about slots and order; what follows
/// for operations, bodies and callers is noted in a ``QueueTurn``, which the queue performs in the second half.
struct QueueState: Sendable {
  typealias EntryID = QueueScheduler<OperationStorage>.EntryID

  var scheduler: QueueScheduler<OperationStorage>
  private(set) var scope: QueueScope
  /// What the failure of an operation means for the others.
  private let onFailure: OperationFailurePolicy
  /// The first failure, as it is kept, where that has cancelled all others.
  private(set) var failure: (any Error)?
  /// What the runner starts next.
  var children: [QueueTurn.ChildTask] = []
  /// The largest size of the next batch of operations chosen ahead.
  var batchSize = 1
  /// That of those of them that are in line for their concurrency limits.
  var batchSizeInLine = 1
  /// Whether a turn since the last batch may have chosen what a task is about to have join that, or has given it a new place.
  ///
  /// Otherwise the next batch continues the last one.
  var mayHaveChosenArrivals = true
  /// The number of the first batch that the last one continues.
  var firstBatch = 0
  typealias BlockID = SlotMap<any OperationProtocol>.ID
  /// The operations whose completion blocks run, or are about to.
  private(set) var runningBlocks = SlotMap<any OperationProtocol>()
  /// The waits of bodies that have released their slots.
  var releasedSlots: [EntryID: BodyWait] = [:]
  /// The waits of bodies for everything in this queue.
  var wholeQueueWaits: [BodyWait] = []
  /// The body whose own task has opened the scope and waits for its end.
  var scopeWait: BodyWait?
  /// Whether that wait could never have ended, so that everything was cancelled.
  var isScopeDeadlocked = false
  var trigger = StallAnalysisTrigger()
  /// The operations that stand in line for their concurrency limits.
  var inLine = EntriesInLine()
  /// Nil until there is a start rate, or a timed suspension.
  var time: QueueTime?
  /// Those who run operations in their own tasks, while they wait to be chosen.
  private var callers: [EntryID: OneShot<CallAnswer>] = [:]
  /// Where operations without an executor run, and the least priority of their tasks.
  let defaults: WorkerTraits.Defaults

  init(
    scheduler: QueueScheduler<OperationStorage>,
    scope: QueueScope,
    onFailure: OperationFailurePolicy = .continue,
    defaults: WorkerTraits.Defaults
  ) {
    self.scheduler = scheduler
    self.scope = scope
    self.onFailure = onFailure
    self.defaults = defaults
  }

  // MARK: Events

  /// Applies an event.
  mutating func apply(_ event: consuming QueueEvent, _ turn: inout QueueTurn) {
    if case .finished = event {} else { mayHaveChosenArrivals = true }
    switch consume event {
    case .added(let storage): admit(storage, &turn)
    case .severalAdded(let storages): for storage in storages { admit(storage, &turn) }
    case .callAdded(let storage, let caller): callers[admit(storage, &turn)] = caller
    case .barrierAdded(let storage, let caller): admitBarrier(storage, caller, &turn)
    case .changed(let storage, let change): changed(storage, change, &turn)
    case .notBegun(let id, let storage, let readiness): notBegun(id, storage, readiness, &turn)
    case .finished(let id, let operation, let outcome):
      finished(id, outcome, followUps: operation.map { $0.storage.takeFollowUps(of: $0) }, &turn)
      if outcome == .failed { failed(&turn) }
    case .completionBlockAdded(let call): run(call)
    // The task that has run it holds the operation still, so that nothing is freed here.
    case .completionBlockEnded(let id): _ = runningBlocks.removeValue(for: id)
    case .callWithdrawn(let storage): withdraw(storage, &turn)
    case .allCancelled: cancelAll(&turn)
    case .slotReleased(let wait): releaseSlot(for: wait, &turn)
    case .slotRequested(let wait): requestSlot(for: wait, in: turn.queue)
    case .wholeQueueWaitBegan(let wait): wholeQueueWaitBegan(wait, &turn)
    case .graphChanged: trigger.graphChanged()
    // What it means is asked before something is chosen.
    case .concurrencyLimitsChanged: break
    case .widthChanged(let limit):
      scheduler.setMaxConcurrentOperationCount(scope.ignoresSuspension && limit == 0 ? 1 : limit)
      trigger.graphChanged()
    case .startRateChanged(let rate): if rate != nil || time != nil { setStartRate(rate, turn.queue.queueClock) }
    case .suspended:
      if !scope.ignoresSuspension { scheduler.suspend() }
      time?.machine.cancelResumption()
    case .suspendedFor(let duration): suspend(for: duration, turn.queue.queueClock)
    case .resumed: resume()
    case .timerEnded(let number): time?.machine.timerEnded(number)
    case .leftUnrun(let start): time?.machine.leftUnrun(start)
    case .scopeEnded(let isCancelled):
      scope = isCancelled || scope == .cancelled ? .endingCancelled : .ending
      liftRestraints()
      if isCancelled { cancelAll(&turn) }
    case .scopeCancelled: cancelScope(&turn)
    case .scopeNeverEnds: cancelDeadlockedScope(&turn)
    }
  }

  @discardableResult
  private mutating func admit(_ storage: consuming OperationStorage, _ turn: inout QueueTurn) -> EntryID {
    cancelUnderCancelledScope(storage)
    let id = scheduler.nextID
    let (readiness, priority, inLine) = storage.modify { $0.admit(as: id, rank: scheduler.nextRank) }
    let mayStand = readiness == .ready && !scheduler.hasBarrier
    let standsInLine = inLine.map { adopt($0, id, storage, if: mayStand, &turn) } ?? false
    let runsInCaller = storage.runsInCaller
    scheduler.add(
      storage, priority: priority, readiness: readiness, runsInCaller: runsInCaller, isInLine: standsInLine)
    if trigger.isInUse { added(id, readiness, &turn) }
    return id
  }

  private mutating func admitBarrier(
    _ storage: OperationStorage,
    _ caller: OneShot<CallAnswer>?,
    _ turn: inout QueueTurn
  ) {
    cancelUnderCancelledScope(storage)
    if !scheduler.hasBarrier { trigger.graphChanged() }
    let id = scheduler.nextID
    let readiness = storage.modify { $0.admit(as: id, rank: scheduler.nextRank).0 }
    scheduler.addBarrier(storage, readiness: readiness, runsInCaller: storage.runsInCaller)
    if let caller { callers[id] = caller }
    added(id, readiness, &turn)
  }

  /// Under a cancelled scope nothing begins any more.
  private func cancelUnderCancelledScope(_ storage: OperationStorage) {
    if scope.isCancelled { _ = storage.markCancelled() }
  }

  /// Reads how the operation stands now: it may have changed again, or may have left, since the event was sent.
  private mutating func changed(
    _ storage: OperationStorage,
    _ change: OperationChange,
    _ turn: inout QueueTurn
  ) {
    guard let (id, readiness) = storage.entryAndReadiness(in: turn.queue) else { return }
    if readiness != .ready || !standsAsBefore(id, storage) { leaveLine(id, &turn) }
    // One in line is ready. The readiness has its own event, but that may come late: a worker posts it with the position
    // that the operation had before this change.
    if !scheduler.isInLine(id) { scheduler.update(id, to: readiness) }
    switch change {
    case .readiness, .limits: break
    case .priority: scheduler.setPriority(id, to: storage.rankedPriority)
    }
    renewPosition(of: id, storage)
  }

  /// Tells an operation that may have moved, or is blocked again, where it comes once it is ready.
  mutating func renewPosition(of id: EntryID, _ storage: OperationStorage) {
    guard let position = scheduler.position(ofBlocked: id) else { return }
    mayHaveChosenArrivals = true
    storage.modify { $0.renewPosition(position) }
  }

  /// An operation was chosen, and is not ready any more or stands in line for its limits.
  private mutating func notBegun(
    _ id: EntryID,
    _ storage: OperationStorage,
    _ readiness: OperationReadiness,
    _ turn: inout QueueTurn
  ) {
    switch readiness {
    // Blocked, or chosen ahead and ready but for its limits.
    case .blocked, .ready:
      withdrawDemand(id, &turn)
      let standsInLine = adoptPlaceInLine(id, storage, &turn)
      if standsInLine { scheduler.standInLine(id) } else { scheduler.putBack(id) }
      // As long as it counted as executing, events about it were ignored.
      updatePriority(id, storage)
      if standsInLine { return }
      // While it was chosen it could not fall behind a barrier.
      if mayStall { trigger.graphChanged() }
      changed(storage, .readiness, &turn)
    case .skipped: skip(id, storage, &turn)
    }
  }

  /// Moves an operation to the end of its level where that is another one than the queue knows.
  ///
  /// Otherwise it keeps its place, since nothing of it has changed.
  private mutating func updatePriority(_ id: EntryID, _ storage: OperationStorage) {
    let priority = storage.rankedPriority
    if scheduler.entries[id]?.priority != priority { scheduler.setPriority(id, to: priority) }
  }

  /// An operation is published as finished: the queue lets it go.
  private mutating func finished(
    _ id: EntryID,
    _ outcome: OutcomeKind,
    followUps: OperationStateMachine.FollowUps?,
    _ turn: inout QueueTurn
  ) {
    if scheduler.isBarrier(id) {
      turn.finishedBarriers += 1
      trigger.graphChanged()
    } else {
      turn.outcomes.count(outcome)
      if mayStall { trigger.operationsChanged() }
    }
    scheduler.finished(id)
    withdrawDemand(id, &turn)
    if !callers.isEmpty, let caller = callers.removeValue(forKey: id) {
      turn.answeredCallers.append((caller, .skipped))
    }
    guard let followUps else { return }
    if let held = followUps.heldLimits { giveBack(held, &turn) }
    for wait in followUps.waitingBodies where wait.finishedOne() {
      if wait.slotOwner === turn.queue {
        requestSlot(for: wait, in: turn.queue)
      } else {
        turn.waitsEndedElsewhere.append(wait)
      }
    }
    if let call = followUps.completionCall { run(call) }
  }

  private mutating func run(_ call: CompletionBlock.Call) {
    children.append(.completionBlock(call, runningBlocks.insert(call.operation)))
  }

  /// Dependents of an operation that has finished.
  ///
  /// - Parameter number: The number of the batch that there was before the end was told them.
  mutating func apply(
    _ changes: ShortList<OperationStorage.ReadinessChange>,
    since number: Int,
    _ turn: inout QueueTurn
  ) {
    for change in changes {
      if change.otherQueue == nil {
        // Where a turn since has given it a new place, it may have been told to another task, too.
        if change.ready == nil || number < firstBatch { mayHaveChosenArrivals = true }
        changed(change.storage, .readiness, &turn)
      } else {
        turn.changesElsewhere.append(change)
      }
    }
  }

  /// Marks everything in the queue as cancelled, before any of it leaves.
  mutating func cancelAll(_ turn: inout QueueTurn) {
    // What a task is about to have join was ready, and leaves now.
    mayHaveChosenArrivals = true
    for (id, storage) in scheduler.allWork {
      if let task = storage.markCancelled() { turn.tasksToCancel.append((storage, task)) }
      leaveLine(id, &turn)
      scheduler.update(id, to: .skipped)
    }
  }

  /// An operation has failed, perhaps in a scope that cancels everything then.
  ///
  /// Example: A fails, and before its worker comes to take a turn, another turn admits B, which A's failure skips. The scope fails as
  /// A did.
  private mutating func failed(_ turn: inout QueueTurn) {
    guard onFailure == .cancelAll, failure == nil else { return }
    failure = turn.queue.firstFailure.withLock { $0 }
    cancelScope(&turn)
  }

  mutating func cancelScope(_ turn: inout QueueTurn) {
    scope = scope.hasEnded ? .endingCancelled : .cancelled
    liftRestraints()
    cancelAll(&turn)
  }

  /// Lifts the suspension and a limit of 0, since nobody may be left to do it.
  private mutating func liftRestraints() {
    resume()
    if scheduler.maxConcurrentOperationCount == 0 { scheduler.setMaxConcurrentOperationCount(1) }
  }

  private mutating func resume() {
    scheduler.resume()
    time?.machine.cancelResumption()
    trigger.graphChanged()
  }

  // MARK: Decisions

  /// Chooses all that may run, and lets go what is skipped.
  mutating func choose(_ turn: inout QueueTurn) {
    if trigger.isInUse { updateWatch(of: turn.queue) }
    if time != nil { readClock() }
    while true {
      if let isHeld = time?.machine.holdsStarts { scheduler.startsAreHeld = isHeld }
      switch scheduler.next(firstInLine: firstInLine(in: turn.queue)) {
      case .skip(let id, let storage):
        let readiness = storage.apply { $0.claimSkipped() }
        if readiness == .skipped { skip(id, storage, &turn) } else { scheduler.update(id, to: readiness) }
      case .dismissCaller(let id): dismissCaller(id, &turn)
      case .resume(let id):
        if takeLimitsAgain(id, &turn) { resume(id, &turn) } else { scheduler.standInLine(id) }
      case .start(let id, let storage):
        switch storage.apply({ $0.claim { takeLimits($0, as: $1, $2, id, &turn) } }) {
        case .judged(.ready):
          dispatch(WorkItem(id: id, storage: storage, startTime: time?.machine.started()), &turn)
        case .judged(let readiness): notBegun(id, storage, readiness, &turn)
        case .lacksLimits: scheduler.standInLine(id)
        }
      case .nothing:
        // From here on it says whether something waits for the rate alone.
        if scheduler.startsAreHeld { scheduler.startsAreHeld = scheduler.isStartHeld(isAnyInLine: !inLine.isEmpty) }
        guard isStallAnalysisDue, resolveStall(&turn) else { return }
      }
    }
  }

  /// A body that has waited has its slot, and its limits.
  private mutating func resume(_ id: EntryID, _ turn: inout QueueTurn) {
    guard let wait = releasedSlots.removeValue(forKey: id) else { preconditionFailure("a body resumed unasked") }
    turn.resumingBodies.append(wait)
  }

  /// An operation finishes without running; its waiters are told in the second half of the turn.
  private mutating func skip(_ id: EntryID, _ storage: OperationStorage, _ turn: inout QueueTurn) {
    let finish = storage.publishFinish()
    let changes = finish.releaseDependents(by: ObjectIdentifier(turn.queue))
    finished(id, finish.outcome, followUps: finish.followUps.map(storage.takeFollowUps), &turn)
    apply(changes, since: firstBatch, &turn)
    turn.finishedUnrun.append(storage)
    if finish.outcome == .failed { failed(&turn) }
  }

  /// Cancels the operation of a call that would have waited for ever.
  ///
  /// A barrier leaves now, and what is behind it waits for it no longer.
  /// Example: A's body awaits B, whose body calls `runBarrier` of A's queue. The call throws. What B adds to that queue then, and
  /// waits for, is not to wait for A.
  private mutating func withdraw(_ storage: OperationStorage, _ turn: inout QueueTurn) {
    if let task = storage.markCancelled() { turn.tasksToCancel.append((storage, task)) }
    guard let (id, _) = storage.entryAndReadiness(in: turn.queue) else { return }
    guard scheduler.isBarrier(id), storage.apply({ $0.claimSkipped() }) == .skipped else {
      return changed(storage, .readiness, &turn)
    }
    leaveLine(id, &turn)
    for id in scheduler.giveUpPlace(id) { renewPosition(of: id, scheduler.work(of: id)) }
    skip(id, storage, &turn)
  }

  /// A barrier is skipped whose caller waits: the caller goes on, and the barrier finishes when it is due.
  private mutating func dismissCaller(_ id: EntryID, _ turn: inout QueueTurn) {
    guard let caller = callers.removeValue(forKey: id) else { return }
    // It never runs, though what made it skipped is undone.
    _ = scheduler.work(of: id).markCancelled()
    turn.answeredCallers.append((caller, .skipped))
  }

  /// Gives an operation to the worker that takes the turn, to its caller, or to a new child task.
  private mutating func dispatch(_ item: WorkItem, _ turn: inout QueueTurn) {
    if !callers.isEmpty, let caller = callers.removeValue(forKey: item.id) {
      turn.answeredCallers.append((caller, .run(item)))
      return
    }
    let traits = WorkerTraits(of: item.storage, in: defaults)
    if turn.next == nil, turn.worker == traits {
      turn.next = item
    } else {
      children.append(.worker(item, traits))
    }
  }
}
