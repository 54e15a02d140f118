extension AsyncOperationQueue {
  /// Starts the task that runs operations: the only unstructured one of a queue, since nobody awaits the queue's work.
  ///
  /// It is detached, so that the first to add an operation hands neither its priority nor its task-local values on to
  /// all that others add. It holds the queue and ends when nothing runs.
  nonisolated func startRunner() {
    guard let executor else {
      Task.detached(priority: taskPriority) { await self.runOperations() }
      return
    }
    Task.detached(executorPreference: executor, priority: taskPriority) { await self.runOperations() }
  }

  /// Runs operations as child tasks of one group, until nothing runs; in a scope, until the scope has ended.
  nonisolated func runOperations() async {
    await withDiscardingTaskGroup { group in
      while let children = await self.nextChildren() {
        for (child, name) in children { start(child, name, in: &group) }
      }
    }
  }

  /// A task without an executor of its own is made in another way: one made with a preference for none would still ask
  /// for it at every switch.
  private nonisolated func start(_ child: QueueTurn.ChildTask, _ name: String, in group: inout DiscardingTaskGroup) {
    switch child {
    case .worker(let assignment, let lane):
      if let executor = lane.executor {
        group.addTask(name: name, executorPreference: executor, priority: lane.priority) {
          await self.work(on: assignment, lane)
        }
      } else {
        group.addTask(name: name, priority: lane.priority) { await self.work(on: assignment, lane) }
      }
    case .completionBlock(let block):
      group.addTask(name: name, executorPreference: executor) {
        await block()
        await self.completionBlockEnded()
      }
    }
  }

  /// A child task: runs one operation after another, until there is none for it, or its task has been cancelled or
  /// raised, which is for good.
  private nonisolated func work(on first: QueueTurn.Assignment, _ lane: QueueLane) async {
    guard let task = BodyTask.current else { preconditionFailure("a child task without a task") }
    await ExecutionContext.$host.withValue(self) {
      var next: QueueTurn.Assignment? = first
      while let assignment = next {
        let core = assignment.core
        if isScoped, task.isCancelled { core.markCancelledByTask() }
        var beginning = core.begin(in: task, isClaimed: assignment.isClaimed)
        if beginning.standing != .ready {
          next = await notClaimed(assignment, beginning.standing, lane: lane)
          continue
        }
        if beginning.body == nil {
          next = await finished(assignment, core.conclude(nil), in: task, lane)
        } else {
          let result = await ExecutionContext.$current.withValue(beginning.context) {
            await beginning.body.runOnce(under: core.executor ?? executor)
          }
          beginning.context = nil
          if isScoped, task.isCancelled { core.markCancelledByTask() }
          if let following = finishPlainly(assignment, result, task, lane) {
            next = following
          } else if let end = core.finishNow(result) {
            next = await finished(assignment, end, in: task, lane)
          } else {
            next = await finished(assignment, await core.finish(result), in: task, lane)
          }
        }
        if executor != nil { await giveWay() }
      }
    }
  }

  /// Ends a job: under an executor of the user's each operation begins in one of its own.
  ///
  /// So what tests with such an executor look at in between, and bring into another order, is single operations. Not
  /// inlined, or else the switch to the actor would be optimised away.
  @inline(never)
  private func giveWay() {}

  /// Goes on after an operation that has finished for all to see, and settles it.
  ///
  /// - Returns: What the child task goes on with; nil where it ends.
  private nonisolated func finished(
    _ assignment: QueueTurn.Assignment,
    _ end: OperationCore.End,
    in task: BodyTask,
    _ lane: QueueLane
  ) async -> QueueTurn.Assignment? {
    let notices = end.tellDependents()
    let mayGoOn = !task.isCancelled && !end.isTaskRaised
    let next: QueueTurn.Assignment?
    if mayGoOn, !isFixed, end.isPlain, let exchange = exchange(assignment, notices, lane) {
      next = exchange.next()
    } else {
      next = await finished(assignment, end, notices, lane: mayGoOn ? lane : nil)
    }
    assignment.core.settle()
    return next
  }

  /// Has the queue let go of an operation that has finished and has told its dependents.
  ///
  /// - Returns: Nil where that takes a turn.
  private nonisolated func exchange(
    _ assignment: QueueTurn.Assignment,
    _ notices: ShortList<OperationCore.Notice>,
    _ lane: QueueLane
  ) -> QueueFront.Exchange? {
    guard let first = notices.first else { return front.exchange(assignment.id, in: lane) }
    // Many at once are a turn's work.
    guard notices.count <= QueueFront.Hand.largestSize, notices.allSatisfy({ $0.host === self }) else { return nil }
    if notices.count == 1, let id = first.entry, !first.core.isOfCaller, QueueLane(of: first.core, in: defaults) == lane
    {
      let exchange = first.core.claimAsHeir(named: id) {
        front.handOver(assignment.id, to: QueueFront.Hand.Card(id: id, work: first.core))
      }
      if let exchange { return exchange }
    }
    return front.exchange(assignment.id, in: lane, releasing: notices)
  }

  /// Finishes an operation for which nothing is left to do but to begin with the next one.
  ///
  /// - Returns: That one; nil where there is more to do.
  private nonisolated func finishPlainly(
    _ assignment: QueueTurn.Assignment,
    _ result: consuming OperationBody.Result,
    _ task: BodyTask,
    _ lane: QueueLane
  ) -> QueueTurn.Assignment? {
    // A turn after each operation gives the main actor away in between.
    if isFixed { return nil }
    let exchange = assignment.core.finishPlainly(result) {
      task.isCancelled ? nil : front.exchange(assignment.id, in: lane)
    }
    return exchange?.next()
  }

  /// The child tasks to start next, with their names; nil where the runner has to end.
  ///
  /// Suspends while there is none to start.
  private func nextChildren() async -> [(QueueTurn.ChildTask, name: String)]? {
    while true {
      takeTurn()
      if !state.children.isEmpty { return state.children.removeEach().map { ($0, nextChildName()) } }
      if isDone {
        if state.scope == .none ? front.stop() : front.close() { return nil }
      } else {
        await withUnsafeContinuation { sleeper in
          if !front.sleep(sleeper) { sleeper.resume() }
        }
      }
    }
  }

  /// Whether the runner may end.
  ///
  /// That of a scope waits for the end of the scope and of everything in it.
  private var isDone: Bool {
    if state.scope == .none { return state.scheduler.isIdle }
    return state.scope.hasEnded && state.scheduler.isEmpty && state.completionBlockCount == 0
  }

  private func completionBlockEnded() {
    state.completionBlockCount -= 1
    if state.completionBlockCount == 0 { front.wakeSleeper() }
  }
}
