// A turn is one synchronous stretch on the actor: it applies what has come in, chooses what runs, and performs the
// rest. Choosing an operation and marking it as chosen is one turn, so no slot is given away twice.
extension AsyncOperationQueue {
  /// Takes a turn: applies all mail and the input, chooses what runs next, publishes, and performs what follows.
  ///
  /// - Parameter lane: That of the child task that takes the turn; nil where there is none, or where it is to leave.
  /// - Returns: What that child task runs next.
  @discardableResult
  func takeTurn(
    of lane: QueueLane? = nil,
    _ input: (inout QueueState, inout QueueTurn) -> Void = { _, _ in }
  ) -> QueueTurn.Assignment? {
    var turn = QueueTurn(of: lane, in: self)
    take(&turn, input, &state)
    perform(turn)
    return turn.next
  }

  private nonisolated func take(
    _ turn: inout QueueTurn,
    _ input: (inout QueueState, inout QueueTurn) -> Void,
    _ state: inout QueueState
  ) {
    if let news = front.collect() {
      state.takeBack(news.hand)
      for mail in news.mail { state.apply(mail, &turn) }
    }
    input(&state, &turn)
    state.choose(&turn)
    let hand = state.chooseAhead()
    // Mail that comes meanwhile has to wait: producers that never rest would never let the turn end.
    turn.hasMoreMail = front.turnEnded(state.scheduler, finishedCount: turn.finishedCount, hand: hand)
  }

  private func perform(_ turn: QueueTurn) {
    for core in turn.unsettled { core.settle() }
    for (caller, answer) in turn.answeredCallers { caller.answer(answer) }
    for wait in turn.goingOn { wait.goOn() }
    for wait in turn.endedElsewhere { wait.goOnWithSlot() }
    if state.scheduler.isEmpty, !emptinessWaiters.isEmpty {
      for waiter in emptinessWaiters.removeEach() { waiter.resume() }
    }
    if !state.children.isEmpty || turn.hasMoreMail {
      perform(front.wake())
    } else if state.scheduler.isIdle {
      // Nothing runs any more: the runner ends.
      front.wakeSleeper()
    }
    for operation in turn.callsToCancel { operation.cancel() }
    for host in turn.scopesToGiveUp { host.scopeNeverEnds() }
    // Last, since that runs cancellation handlers, which may take their time.
    for (core, task) in turn.tasksToCancel { core.cancel(task) }
  }

  nonisolated func perform(_ action: QueueFront.Mailbox.WakeAction) {
    switch action {
    case .nothing, .refuse: break
    case .startRunner: startRunner()
    case .resume(let sleeper): sleeper.resume()
    }
  }

  // MARK: Inputs

  /// The turn of a task whose operation has finished for all to see; the task settles it afterwards.
  ///
  /// What its dependents have become by that is part of the turn, which chooses among them.
  ///
  /// - Parameter lane: Nil where the task leaves in any case.
  /// - Returns: What the task runs next; nil where it leaves.
  func finished(
    _ assignment: QueueTurn.Assignment,
    _ end: OperationCore.End,
    _ notices: ShortList<OperationCore.Notice>,
    lane: QueueLane?
  ) -> QueueTurn.Assignment? {
    // While this task waited for its turn, another one's may have dealt.
    if let lane, notices.isEmpty, end.isPlain, let exchange = front.exchange(assignment.id, in: lane) {
      return exchange.next()
    }
    return takeTurn(of: lane) { $0.letGo(assignment.id, end, notices, &$1) }
  }

  /// The turn of a task that has been given an operation ahead which does not run now.
  ///
  /// - Returns: What the task runs next; nil where it leaves.
  func notClaimed(_ assignment: QueueTurn.Assignment, _ standing: OperationStanding, lane: QueueLane)
    -> QueueTurn.Assignment?
  {
    takeTurn(of: lane) { $0.notClaimed(assignment.id, assignment.core, standing, &$1) }
  }

  /// Cancels every operation and barrier in the queue, waiting and executing ones, and removes none (QX-01).
  ///
  /// All are marked in one turn, so that no operation runs because one that it depends on has left already. What is
  /// added afterwards is not cancelled (QX-02). Barriers keep their places and skip their blocks.
  public nonisolated func cancelAllOperations() async {
    // Outside of the actor: cancellation handlers may take their time.
    for (core, task) in await markAllCancelled() { core.cancel(task) }
  }

  private func markAllCancelled() -> [(core: OperationCore, task: BodyTask)] {
    var tasks: [(core: OperationCore, task: BodyTask)] = []
    takeTurn { state, turn in
      state.cancelAll(&turn)
      tasks = turn.tasksToCancel
      turn.tasksToCancel = []
    }
    return tasks
  }
}
