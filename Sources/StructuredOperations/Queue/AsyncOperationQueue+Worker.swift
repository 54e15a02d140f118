extension AsyncOperationQueue {
  /// A worker: runs one operation after another, until there is none for it, or its task has been cancelled or escalated,
  /// which cannot be undone.
  nonisolated func work(on first: WorkItem, _ traits: WorkerTraits) async {
    guard let task = BodyTask.current else { preconditionFailure("a worker without a task") }
    first.storage.raise(task, in: self)
    await ExecutionContext.$queue.withValue(self) {
      var next: WorkItem? = first
      while let item = next.take() {
        let storage = item.storage
        if isScoped, task.isCancelled { storage.apply { $0.taskWasCancelled() } }
        switch storage.begin(in: task, isPrefetched: item.isPrefetched, hasTaken: item.hasTaken) {
        case .notReady(let readiness):
          leavesUnrun(item)
          next = await process(.notBegun(item.id, storage, readiness), for: traits)
        case .skip:
          leavesUnrun(item)
          next = await finish(item, storage.publishFinish(), in: task, traits)
        case .run(let body, let context):
          var body: OperationBody? = consume body
          var result = await ExecutionContext.$current.withValue(consume context) {
            await body.runOnce(under: storage.executor ?? executor)
          }
          storage.weaken(&result)
          if isScoped, task.isCancelled { storage.apply { $0.taskWasCancelled() } }
          var remaining: OperationBody.Result? = consume result
          next = finishAtOnce(item, &remaining, in: task, traits)
          if let result = remaining.take() {
            next = await finish(item, await storage.publishFinishOnceTaskIsFree(result), in: task, traits)
          }
        }
        if executor != nil { await endJob() }
      }
    }
  }

  /// Ends a job: under an executor of the user's each operation begins in a job of its own.
  ///
  /// So executors of tests can observe and reorder single operations. Not inlined, since otherwise the switch to the actor
  /// would be optimised away.
  @inline(never)
  private func endJob() {}

  /// The fast path for an operation whose end concerns nobody but the queue and plain waiters.
  ///
  /// - Parameter result: Taken where the operation finishes.
  /// - Returns: What the worker runs next; nil if nothing has happened, since there is more to do.
  @inline(__always)
  private nonisolated func finishAtOnce(
    _ item: WorkItem,
    _ result: inout OperationBody.Result?,
    in task: BodyTask,
    _ traits: WorkerTraits
  ) -> WorkItem? {
    // On the main queue a turn after each operation lets other work of the main actor run.
    if isMain { return nil }
    // Where nothing was chosen ahead, or observers have to be told in between, no lock is needed to find that.
    if !shared.mayHaveNext || item.storage.isEverObserved { return nil }
    let time = time(ifCounted: item)
    return item.storage.finishAtOnce(&result) { outcome, held in
      task.isCancelled || outcome == .failed && cancelsOnFailure
        ? nil : takeNext(after: item, outcome, givingBack: held, for: traits, at: time)
    }?.workItem()
  }

  /// An operation ends from which nothing else follows but that its limits are given back.
  ///
  /// May be called under the operation's lock.
  private nonisolated func takeNext(
    after item: WorkItem,
    _ outcome: OutcomeKind,
    givingBack held: LimitTable.DemandID?,
    for worker: WorkerTraits,
    at time: Duration?
  ) -> QueueSharedState.Next? {
    if held == nil, !shared.mayHaveLine { return shared.takeNext(after: item.id, outcome, for: worker.id, at: time) }
    return shared.takeNext(after: item.id, outcome, givingBack: held, of: self, for: worker.id, at: time)
  }

  /// Has the queue let an operation go that is published as finished, and tells its waiters.
  ///
  /// - Returns: What the worker runs next; nil if it ends.
  private nonisolated func finish(
    _ item: WorkItem,
    _ finish: borrowing OperationStateMachine.Finish,
    in task: BodyTask,
    _ traits: WorkerTraits
  ) async -> WorkItem? {
    let isEscalated = item.storage.isTaskEscalated(to: finish.escalatedPriority, in: self)
    let mayContinue = !task.isCancelled && !isEscalated
    return await self.finish(item, finish, for: mayContinue ? traits : nil)
  }

  /// - Parameter worker: Nil if the task ends in any case.
  nonisolated(nonsending) func finish(
    _ item: WorkItem,
    _ finish: borrowing OperationStateMachine.Finish,
    for worker: WorkerTraits?
  ) async -> WorkItem? {
    // Before others become ready: see ``PrefetchedBatch/joinAndTakeNext(after:_:since:for:at:arrival:work:)``.
    let batch = shared.batchNumber
    let changes = finish.releaseDependents(by: ObjectIdentifier(self))
    // Assigned, since to bind it would copy it.
    var next = finishBetweenTurns(item, finish, changes, since: batch, for: worker)
    if next == nil { next = await finishInTurn(item, finish, changes, since: batch, for: worker) }
    item.storage.tellWaiters()
    return next
  }

  /// Not inlined, so that ``finish(_:_:for:)`` stays small enough to be: each end would take one more asynchronous call.
  @inline(never)
  private func finishInTurn(
    _ item: WorkItem,
    _ finish: borrowing OperationStateMachine.Finish,
    _ changes: ShortList<OperationStorage.ReadinessChange>,
    since batch: Int,
    for worker: WorkerTraits?
  ) -> WorkItem? {
    // While this task waited for the actor, another one's turn may have chosen ahead.
    if let following = finishBetweenTurns(item, finish, changes, since: batch, for: worker) { return following }
    if leavesSlot(after: item, finish, changes) { return nil }
    return process(.finished(item.id, followUps: finish.followUps, finish.outcome), changes, since: batch, for: worker)
  }

  /// Has the queue let an operation go without a turn, as far as nothing follows from its end but that limits go back.
  ///
  /// - Returns: What the worker runs next; nil if nothing has happened, and a turn has to follow.
  private nonisolated func finishBetweenTurns(
    _ item: WorkItem,
    _ finish: borrowing OperationStateMachine.Finish,
    _ changes: ShortList<OperationStorage.ReadinessChange>,
    since batch: Int,
    for worker: WorkerTraits?
  ) -> WorkItem? {
    guard let worker, changes.isEmpty ? shared.mayHaveNext : shared.mayHaveBatch, !isMain,
      !(finish.outcome == .failed && cancelsOnFailure)
    else { return nil }
    let time = time(ifCounted: item)
    if changes.isEmpty {
      if finish.hasFollowUps || shared.mayHaveLine {
        return finishWithLimits(item, finish, for: worker, at: time)
      }
      return shared.takeNext(after: item.id, finish.outcome, for: worker.id, at: time)?.workItem()
    }
    // Whoever goes on because of the end, as the dependents that have changed, is to find the limits given back. And what has
    // become ready may come before those in line, or after them.
    guard !finish.hasFollowUps, !shared.mayHaveLine else { return nil }
    guard let runnable = runnable(changes, worker),
      let (next, action) = shared.joinAndTakeNext(
        after: item.id, finish.outcome, changes, runnable: runnable, since: batch, for: worker.id, at: time)
    else { return nil }
    perform(action)
    return next.workItem()
  }

  /// The same for an operation that has limits, or where others are in line for theirs.
  ///
  /// Not inlined, since few operations have limits.
  @inline(never)
  private nonisolated func finishWithLimits(
    _ item: WorkItem,
    _ finish: borrowing OperationStateMachine.Finish,
    for worker: WorkerTraits,
    at time: Duration?
  ) -> WorkItem? {
    guard finish.onlyLimitsFollow || !finish.hasFollowUps else { return nil }
    let held = finish.hasFollowUps ? item.storage.read { $0.heldLimits } : nil
    let next = takeNext(after: item, finish.outcome, givingBack: held, for: worker, at: time)
    if next != nil, held != nil { _ = item.storage.modify { $0.takeHeldLimits() } }
    return next?.workItem()
  }

  /// Has the queue let an operation go without a turn, from which nothing follows, while slots are free.
  private nonisolated func leavesSlot(
    after item: WorkItem,
    _ finish: borrowing OperationStateMachine.Finish,
    _ changes: ShortList<OperationStorage.ReadinessChange>
  ) -> Bool {
    guard changes.isEmpty, shared.mayHaveBatch, !finish.hasFollowUps,
      !(finish.outcome == .failed && cancelsOnFailure)
    else { return false }
    return shared.leaveSlot(after: item.id, finish.outcome)
  }

  /// Which dependents the worker could run; nil where they are many, or one has not become ready, or is of another queue.
  private nonisolated func runnable(
    _ changes: ShortList<OperationStorage.ReadinessChange>,
    _ worker: WorkerTraits
  ) -> SmallIndexSet? {
    if changes.count > SmallIndexSet.capacity { return nil }
    var runnable = SmallIndexSet()
    for index in changes.indices {
      let isRunnable: Bool? = changes.read(at: index) { change in
        guard change.otherQueue == nil, change.ready != nil else { return nil }
        return !change.storage.runsInCaller && WorkerTraits(of: change.storage, in: defaults) == worker
      }
      guard let isRunnable else { return nil }
      if isRunnable { runnable.insert(index) }
    }
    return runnable
  }
}
