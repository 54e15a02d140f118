extension AsyncOperationQueue {
  /// Suspends until the queue is empty, of operations added meanwhile and of barriers too.
  ///
  /// Returns at once where it is empty. Holds no thread; cancelling the waiting task changes nothing.
  ///
  /// A body's own task that calls this, of this queue or of another, lends its slot, and waits until only operations are
  /// left that wait likewise, or for one that does: its dependents, bodies that await it, what is behind a barrier that
  /// has to wait for it. What comes to do so only while this wait is under way may be refused: `addDependency` throws
  /// ``OperationError/dependencyCycle(_:)``, ``AsyncOperation/value`` ``OperationError/waitWouldDeadlock``, and
  /// ``AsyncOperation/waitUntilFinished()`` stops the program.
  public nonisolated(nonsending) func waitUntilAllOperationsAreFinished() async {
    if let context = ExecutionContext.ofOwnTask {
      await waitUntilOnlyWaitersAreLeft(BodyWait(of: context, for: .all(of: self)))
    } else {
      let taskWait = TaskWait.begin(for: .all(of: self))
      defer { taskWait?.end() }
      await waitUntilEmpty()
    }
  }

  /// Suspends until everything that is in the queue now has finished, barriers too; what is added later is not waited
  /// for.
  ///
  /// Holds no thread; cancelling the waiting task changes nothing. The waiting task hands its priority on to them, as to any
  /// operation that it awaits. A body's own task lends its slot, and does not wait for what waits for it.
  ///
  /// - Complexity: O(n log n) to begin with; O(m n) more in a body, where m bodies of the queue wait so: it looks at what they wait for.
  ///   Where all n do that is O(n³) for all of them; ``waitUntilAllOperationsAreFinished()`` takes O(n).
  public nonisolated(nonsending) func waitForCurrentOperations() async {
    let context = ExecutionContext.ofOwnTask
    var awaited = await operations(notBehind: context?.operation.storage)
    await OperationStorage.escalating(awaited.map(\.storage)) {
      guard let context else {
        for operation in awaited { await operation.waitUntilFinished() }
        return
      }
      awaited = DependencyGraph.independent(of: context.operation.storage, awaited)
      while case .deadlock(let loop) = await BodyWait.wait(for: awaited) {
        let found = Set(loop.map(\.storage))
        awaited.removeAll { found.contains($0.storage) || $0.isFinished }
      }
    }
  }

  /// What is in the queue, barriers included, and does not have to wait for an operation that may be in it.
  private func operations(notBehind storage: OperationStorage?) -> [any OperationProtocol] {
    schedulerWithPendingEvents.work(notBehind: storage?.entry(in: self)).compactMap(\.work.enqueuedOperation)
  }

  func waitUntilEmpty() async {
    // A turn that is on its way chooses what was added, for the task that takes it.
    if !shared.isRunnerReplaced { process() }
    // The scheduler does not know what an observer has added in that turn.
    if shared.isEmpty { return }
    await withUnsafeContinuation { emptinessWaiters.append($0) }
  }

  private nonisolated(nonsending) func waitUntilOnlyWaitersAreLeft(_ wait: BodyWait) async {
    if case .begun = await BodyWait.begin(wait) {
      await process(.wholeQueueWaitBegan(wait))
      _ = await wait.untilResumed()
      DependencyGraph.remove(wait, for: self)
    }
  }
}
