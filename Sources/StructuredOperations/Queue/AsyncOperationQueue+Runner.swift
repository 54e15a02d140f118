extension AsyncOperationQueue {
  /// Starts the task that starts child tasks: unstructured, since no task owns the queue's work.
  ///
  /// It is detached, so that the first to add an operation hands neither its priority nor its task-local values on to
  /// all that others add. It holds the queue and ends when nothing runs.
  nonisolated func startRunner() {
    guard let executor else {
      Task.detached(priority: defaults.priority) { await self.runOperations() }
      return
    }
    Task.detached(executorPreference: executor, priority: defaults.priority) { await self.runOperations() }
  }

  /// Starts a task that takes a turn and runs what it gets there, where there is no runner.
  ///
  /// Unstructured and detached, as the runner is, which follows only where there is more to start.
  nonisolated func startWorker(_ traits: WorkerTraits) {
    let name = shared.nextTaskName()
    guard let executor = traits.executor else {
      Task.detached(name: name, priority: traits.priority) { await self.workAlone(traits) }
      return
    }
    Task.detached(name: name, executorPreference: executor, priority: traits.priority) { await self.workAlone(traits) }
  }

  private nonisolated func workAlone(_ traits: WorkerTraits) async {
    if let first = await process(for: traits) { await work(on: first, traits) }
  }

  /// Runs operations as child tasks of one group, until nothing runs; in a scope, until the scope has ended.
  nonisolated func runOperations() async {
    await withDiscardingTaskGroup { group in
      while let children = await self.nextChildren() {
        for (child, name) in children { start(child, name, in: &group) }
      }
    }
  }

  /// A task without an executor is made without a preference: see ``OperationBody/childExecutor(isBlocking:)``.
  private nonisolated func start(_ child: QueueTurn.ChildTask, _ name: String, in group: inout DiscardingTaskGroup) {
    switch child {
    case .worker(let item, let traits):
      if let executor = traits.executor {
        group.addTask(name: name, executorPreference: executor, priority: traits.priority) {
          await self.work(on: item, traits)
        }
      } else {
        group.addTask(name: name, priority: traits.priority) { await self.work(on: item, traits) }
      }
    case .completionBlock(let call, let id):
      if let executor {
        group.addTask(name: name, executorPreference: executor) { await self.run(call, id) }
      } else {
        group.addTask(name: name) { await self.run(call, id) }
      }
    }
  }

  private nonisolated func run(_ call: CompletionBlock.Call, _ id: QueueState.BlockID) async {
    await call.run()
    await process(.completionBlockEnded(id))
  }

  /// The child tasks to start next, with their names; nil if the runner has to end.
  ///
  /// Suspends while there is none to start.
  private func nextChildren() async -> [(QueueTurn.ChildTask, name: String)]? {
    while true {
      // The turn that has chosen them may have been another task's.
      if !state.children.isEmpty { return state.children.removeEach().map { ($0, shared.nextTaskName()) } }
      if shared.isTurnDue {
        process()
      } else if isDone {
        if state.scope == .none ? shared.stop() : shared.endScope() { return nil }
        // Something was posted, if only what needs no turn of its own.
        process()
      } else {
        // On the actor still: a turn in between could leave child tasks that nobody starts.
        await suspendTask(registering: shared.sleep)
      }
    }
  }

  /// Whether the runner may end.
  ///
  /// That of a scope waits for the end of the scope and of everything in it.
  private var isDone: Bool {
    if state.scope == .none { return state.scheduler.isIdle }
    return state.scope.hasEnded && state.scheduler.isEmpty && state.runningBlocks.isEmpty && !shared.isAdding
  }
}
