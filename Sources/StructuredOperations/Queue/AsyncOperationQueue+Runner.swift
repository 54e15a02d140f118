extension AsyncOperationQueue {
  /// Starts the task that runs operations: the only unstructured one of a queue, since nobody awaits the queue's work.
  ///
  /// It is detached, so that the first to add an operation hands neither its priority nor its task-local values on to
  /// all that others add. It holds the queue and ends when nothing runs.
  nonisolated func startRunner() {
    Task.detached(executorPreference: executor, priority: taskPriority) { await self.runOperations() }
  }

  /// Runs operations as child tasks of one group, until nothing runs; in a scope, until the scope has ended.
  nonisolated func runOperations() async {
    await withDiscardingTaskGroup { group in
      while let children = await self.nextChildren() {
        for child in children {
          switch child {
          case (.worker(let assignment), let name):
            group.addTask(
              name: name, executorPreference: assignment.lane.executor, priority: assignment.lane.priority
            ) {
              await self.work(on: assignment)
            }
          case (.completionBlock(let block), let name):
            group.addTask(name: name, executorPreference: executor) {
              await block()
              await self.completionBlockEnded()
            }
          }
        }
      }
    }
  }

  /// A child task: runs one operation after another, until there is none for it, or its task has been cancelled, which
  /// is for good.
  private nonisolated func work(on first: QueueTurn.Assignment) async {
    var next: QueueTurn.Assignment? = first
    while let assignment = next {
      // A task that is cancelled before its operation begins was so by the task around the queue's scope.
      if Task.isCancelled { _ = assignment.work.core.markCancelled() }
      let result = await assignment.work.core.run(as: assignment.work.operation, in: self, under: executor)
      next = await finished(assignment, result, isTaskCancelled: Task.isCancelled)
    }
  }

  /// The child tasks to start next, with their names; nil where the runner has to end.
  ///
  /// Suspends while there is none to start.
  private func nextChildren() async -> [(QueueTurn.ChildTask, name: String)]? {
    while true {
      takeTurn()
      if !children.isEmpty { return children.removeEach().map { ($0, nextChildName()) } }
      if isDone {
        if scope == .none ? front.stop() : front.close() { return nil }
      } else {
        await withCheckedContinuation { sleeper in
          if !front.sleep(sleeper) { sleeper.resume() }
        }
      }
    }
  }

  /// Whether the runner may end. That of a scope waits for the end of the scope and of everything in it.
  private var isDone: Bool {
    if scope == .none { return scheduler.executingCount == 0 }
    return scope.isEnding && scheduler.isEmpty && completionBlockCount == 0
  }

  private func completionBlockEnded() {
    completionBlockCount -= 1
    if completionBlockCount == 0 { front.wakeSleeper() }
  }
}

extension AsyncOperationQueue: OperationHost {
  nonisolated func operationChanged(_ core: OperationCore, _ change: OperationChange) {
    let need: QueueFront.Mailbox.Need =
      switch change {
      case .priority: .nothing
      case .standing:
        switch core.priorityAndStanding.1 {
        case .pending: .nothing
        case .ready: .slot
        case .leaving: .noSlot
        }
      }
    perform(front.post(.change(core, change), need: need))
  }
}
