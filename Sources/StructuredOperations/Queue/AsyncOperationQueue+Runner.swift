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
    var next: QueueTurn.Assignment? = first
    while let assignment = next {
      let end = await assignment.core.run(under: executor, taskCancelsOperation: isScoped)
      let notices = end.tellDependents()
      let mayGoOn = !Task.isCancelled && !end.isTaskRaised
      // A turn after each operation gives the main actor away in between.
      if mayGoOn, !isFixed, notices.isEmpty, end.isPlain, let card = front.exchange(assignment.id, in: lane) {
        next = await begin(card, lane)
      } else {
        next = await finished(assignment, end, notices, lane: mayGoOn ? lane : nil)
      }
      assignment.core.settle()
    }
  }

  /// Goes on with an operation that was chosen ahead.
  private nonisolated func begin(_ card: QueueFront.Hand.Card, _ lane: QueueLane) async -> QueueTurn.Assignment? {
    let next = QueueTurn.Assignment(card)
    let standing = next.core.claim()
    return standing == .ready ? next : await notClaimed(next, standing, lane: lane)
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
