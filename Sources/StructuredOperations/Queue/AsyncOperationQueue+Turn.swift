// A turn has two halves: deciding (events are applied, and what runs is chosen), and performing what was decided. Both run on
// the actor without a suspension. So what one turn chooses no other one has chosen meanwhile, and no slot is given twice.
extension AsyncOperationQueue {
  /// Takes a turn.
  ///
  /// - Parameters:
  ///   - event: An event of the caller's, applied after those that wait in the mailbox.
  ///   - changes: Dependents of the operation whose end the event tells.
  ///   - number: The number of the batch that there was before that end changed them.
  ///   - worker: The traits of the worker that takes the turn; nil if it is none, or where it is to end.
  /// - Returns: What that worker runs next.
  @discardableResult
  func process(
    _ event: QueueEvent? = nil,
    _ changes: ShortList<OperationStorage.ReadinessChange> = ShortList(),
    since number: Int = 0,
    for worker: WorkerTraits? = nil
  ) -> WorkItem? {
    var turn = QueueTurn(of: worker, in: self)
    decide(event, changes, since: number, &turn, &state)
    perform(turn)
    return turn.next
  }

  private nonisolated func decide(
    _ event: consuming QueueEvent?,
    _ changes: ShortList<OperationStorage.ReadinessChange>,
    since number: Int,
    _ turn: inout QueueTurn,
    _ state: inout QueueState
  ) {
    if var input = shared.collect() {
      state.takeBack(input.batch)
      // Taken out one by one: to copy an event would retain what it holds.
      input.events.reverseInPlace()
      while let event = input.events.popLast() { state.apply(event, &turn) }
    }
    if let event { state.apply(event, &turn) }
    state.apply(changes, since: number, &turn)
    state.choose(&turn)
    state.tellOpening(&turn)
    let batch = state.prefetch(in: turn.queue)
    if state.time != nil { turn.timerAction = state.timerAction() }
    // Events that are posted meanwhile have to wait: producers that never pause would never let the turn end.
    turn.end = shared.turnEnded(
      state.scheduler, outcomes: turn.outcomes, finishedBarriers: turn.finishedBarriers,
      isScopeCancelled: state.scope.isCancelled, batch: batch)
  }

  private func perform(_ turn: QueueTurn) {
    for change in turn.changesElsewhere { change.notify() }
    for storage in turn.finishedUnrun { storage.tellWaiters() }
    turn.limitNotices.tell()
    for (caller, answer) in turn.answeredCallers { caller.fulfil(with: answer) }
    for wait in turn.resumingBodies { wait.resume() }
    for wait in turn.waitsEndedElsewhere { wait.resumeWithSlot() }
    if turn.end.isQueueEmpty, !emptinessWaiters.isEmpty {
      for waiter in emptinessWaiters.removeEach() { waiter.resume() }
    }
    if !state.children.isEmpty || turn.end.hasMoreEvents {
      perform(shared.wake())
    } else if state.scheduler.isIdle {
      // Nothing runs any more: the runner may end.
      shared.wakeSleeper()
    }
    perform(turn.timerAction)
    for queue in turn.queuesToTell { queue.graphChanged() }
    for operation in turn.callsToWithdraw { operation.withdrawCall() }
    for queue in turn.scopesToCancel { queue.scopeNeverEnds() }
    // Last, since that runs cancellation handlers, which may take their time.
    for (storage, task) in turn.tasksToCancel { storage.cancel(task) }
  }

  nonisolated func perform(_ action: QueueSharedState.Mailbox.WakeAction) {
    switch action {
    case .nothing, .refuse: break
    case .startRunner: startRunner()
    case .takeTurn: preconditionFailure("a turn was left to a poster that takes none")
    case .resume(let sleeper): sleeper.resume()
    }
  }

  /// Cancels every operation and barrier in the queue, waiting and executing ones; each of them still finishes.
  ///
  /// All are marked in one turn, so that no operation runs because one that it depends on has left already. What is
  /// added afterwards is not cancelled. Barriers keep their places and skip their blocks. What has to run in any case, such as a
  /// report, belongs in another queue. Suspends until the actor of the queue is free; the cancellation handlers of bodies
  /// have run when this returns, but for those that another thread runs at the time, which has cancelled their operations before.
  public nonisolated func cancelAllOperations() async {
    // Outside of the actor: cancellation handlers may take their time.
    for (storage, task) in await markAllCancelled() { storage.cancel(task) }
  }

  private func markAllCancelled() -> [(storage: OperationStorage, task: BodyTask)] {
    var turn = QueueTurn(of: nil, in: self)
    decide(.allCancelled, ShortList(), since: 0, &turn, &state)
    let tasks = turn.tasksToCancel
    turn.tasksToCancel = []
    perform(turn)
    return tasks
  }
}
