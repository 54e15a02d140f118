// A turn is one synchronous stretch on the actor: it applies what has come in, chooses what runs, and performs the rest.
// Choosing an operation and marking it as chosen is one turn, so no slot is given away twice.
extension AsyncOperationQueue {
  /// Takes a turn: applies the change and all mail, and chooses what runs next.
  func takeTurn(_ change: (inout QueueScheduler<QueuedOperation>) -> Void = { _ in }) {
    var turn = QueueTurn()
    collectMail(&turn)
    change(&scheduler)
    end(&turn)
  }

  /// The turn of a child task whose operation is over.
  ///
  /// - Returns: What the child task runs next; nil where it leaves.
  func finished(
    _ assignment: QueueTurn.Assignment,
    _ result: Result<any Sendable, any Error>?,
    isTaskCancelled: Bool
  ) -> QueueTurn.Assignment? {
    var turn = QueueTurn(of: isTaskCancelled ? nil : assignment.lane)
    // The news of the cancelled scope reaches its child tasks before it reaches the queue.
    if isTaskCancelled, scope != .none, assignment.work.caller == nil { _ = assignment.work.core.markCancelled() }
    conclude(assignment.id, assignment.work, result, &turn)
    collectMail(&turn)
    end(&turn)
    return turn.next
  }

  /// Cancels every operation and barrier in the queue, waiting and executing ones, and removes none (QX-01).
  ///
  /// All are marked in one turn, so that no operation runs because one that it depends on has left already. What is
  /// added afterwards is not cancelled (QX-02). Barriers keep their places and skip their blocks.
  public func cancelAllOperations() {
    var turn = QueueTurn()
    collectMail(&turn)
    cancelAll(&turn)
    end(&turn)
  }

  /// The body of the queue's scope has ended: what is left runs, or leaves where the scope failed, and then the runner
  /// ends.
  func endScope(isCancelled: Bool) {
    var turn = QueueTurn()
    collectMail(&turn)
    scope = isCancelled || scope == .cancelled ? .endingCancelled : .ending
    freeFromRestraint()
    if isCancelled { cancelAll(&turn) }
    end(&turn)
    front.wakeSleeper()
  }

  /// The task around the queue's scope was cancelled.
  nonisolated func cancelScope() {
    perform(front.post(.scopeCancelled, need: .turn))
  }

  // MARK: Inputs

  private func collectMail(_ turn: inout QueueTurn) {
    for mail in front.collect() { apply(mail, &turn) }
  }

  private func apply(_ mail: QueueMail, _ turn: inout QueueTurn) {
    switch mail {
    case .operation(let work):
      // Under a cancelled scope nothing begins any more.
      if scope.isCancelled { _ = work.core.markCancelled() }
      let (priority, standing) = work.core.priorityAndStanding
      work.core.admit(as: scheduler.add(work, priority: priority, standing: standing))
    case .barrier(let work):
      if scope.isCancelled { _ = work.core.markCancelled() }
      let (_, standing) = work.core.priorityAndStanding
      work.core.admit(as: scheduler.addBarrier(work, standing: standing))
    case .change(let core, .standing):
      guard let (id, standing) = core.entryAndStanding else { return }
      scheduler.update(id, to: standing)
    case .change(let core, .priority(let priority)):
      guard let (id, _) = core.entryAndStanding else { return }
      scheduler.setPriority(id, to: priority)
    case .scopeCancelled:
      scope = scope.isEnding ? .endingCancelled : .cancelled
      freeFromRestraint()
      cancelAll(&turn)
    }
  }

  private func cancelAll(_ turn: inout QueueTurn) {
    for (id, work) in scheduler.allWork {
      if let task = work.core.markCancelled() { turn.tasksToCancel.append((work.core, task)) }
      scheduler.update(id, to: .leaving)
    }
  }

  /// Lets go what nobody is left to let go.
  private func freeFromRestraint() {
    scheduler.resume()
    if scheduler.limit == 0 { scheduler.setLimit(1) }
  }

  /// An operation is over: everybody sees it, the queue lets go of it, its dependents are told. Its waiters are last, at
  /// the end of the turn.
  private func conclude(
    _ id: QueueTurn.EntryID,
    _ work: QueuedOperation,
    _ result: Result<any Sendable, any Error>?,
    _ turn: inout QueueTurn
  ) {
    let end = work.core.conclude(result)
    if !scheduler.isBarrier(id) { turn.finishedCount += 1 }
    scheduler.finished(id)
    for dependent in end.dependents {
      guard let notice = dependent.core.dependencyFinished(dependent.key, hasSucceeded: end.hasSucceeded) else { continue }
      if notice.host !== self {
        notice.deliver()
      } else if let id = notice.entry {
        scheduler.update(id, to: notice.standing)
      }
    }
    if let block = end.completionBlock {
      completionBlockCount += 1
      children.append(.completionBlock(block))
    }
    if result == nil, let caller = work.caller { turn.answeredCallers.append((caller, .leave)) }
    turn.unsettled.append(work.core)
  }

  // MARK: Decisions

  /// Chooses all that may run, publishes, and performs what is left.
  private func end(_ turn: inout QueueTurn) {
    var mail: [QueueMail] = []
    repeat {
      for item in mail { apply(item, &turn) }
      choose(&turn)
      mail = front.turnEnded(scheduler, finishedCount: turn.finishedCount)
      turn.finishedCount = 0
    } while !mail.isEmpty
    perform(turn)
  }

  private func choose(_ turn: inout QueueTurn) {
    while true {
      while let (id, work) = scheduler.nextDeparture() {
        let standing = work.core.claim()
        if standing == .leaving {
          conclude(id, work, nil, &turn)
        } else {
          scheduler.update(id, to: standing)
        }
      }
      guard let (id, work) = scheduler.startNext() else { return }
      switch work.core.claim() {
      case .ready: assign(id, work, &turn)
      case .pending: scheduler.putBack(id)
      case .leaving: conclude(id, work, nil, &turn)
      }
    }
  }

  /// Gives an operation to the child task that takes the turn, or has a new one started for it.
  private func assign(_ id: QueueTurn.EntryID, _ work: QueuedOperation, _ turn: inout QueueTurn) {
    let bodyExecutor = work.core.executor ?? executor ?? work.core.defaultExecutor
    let priority =
      switch (work.core.taskPriority, taskPriority) {
      case (let one?, let other?): max(one, other)
      case (let one, let other): one ?? other
      }
    let assignment = QueueTurn.Assignment(id: id, work: work, lane: QueueLane(executor: bodyExecutor, priority: priority))
    if let caller = work.caller {
      turn.answeredCallers.append((caller, .run(assignment)))
    } else if turn.next == nil, turn.lane == assignment.lane {
      turn.next = assignment
    } else {
      children.append(.worker(assignment))
    }
  }

  // MARK: Effects

  private func perform(_ turn: QueueTurn) {
    for (core, task) in turn.tasksToCancel { core.cancel(task) }
    for core in turn.unsettled { core.settle() }
    for (caller, answer) in turn.answeredCallers { caller.answer(answer) }
    if scheduler.isEmpty {
      for waiter in emptinessWaiters.removeEach() { waiter.resume() }
    }
    // Where nothing runs any more the runner is woken to end.
    if !children.isEmpty { perform(front.wake()) } else if scheduler.executingCount == 0 { front.wakeSleeper() }
  }

  nonisolated func perform(_ action: QueueFront.Mailbox.WakeAction) {
    switch action {
    case .nothing, .refuse: break
    case .startRunner: startRunner()
    case .resume(let sleeper): sleeper.resume()
    }
  }
}
