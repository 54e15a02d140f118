extension AsyncOperationQueue {
  /// The closure of the queue's scope has ended: what is left runs, or is skipped where the scope failed, and then the
  /// runner ends.
  private func endScope(isCancelled: Bool) {
    if isCancelled { shared.cancel() }
    process(.scopeEnded(isCancelled: isCancelled))
    shared.wakeSleeper()
  }

  /// Ends the scope, and suspends until everything in it has ended.
  ///
  /// - Parameters:
  ///   - isCancelled: Whether what is left is skipped, since the closure of the scope has failed.
  ///   - group: Where the queue's runner runs, which ends last.
  nonisolated(nonsending) func endScope(
    isCancelled: Bool,
    awaiting group: inout ThrowingTaskGroup<Void, any Error>
  ) async throws {
    let context = ExecutionContext.ofOwnTask
    if isCancelled || context != nil {
      // Not left to the runner. In a failed scope a body may wait to be cancelled, and hold the only thread of the queue's executor.
      // And the wait of a body for the end is seen by others at once: what is about to be skipped must be gone by then.
      await endScope(isCancelled: isCancelled)
    } else {
      // The runner may be in a turn, for which this task would have to wait.
      perform(shared.post(.scopeEnded(isCancelled: false), need: .turn))
    }
    guard let context else {
      let taskWait = TaskWait.begin(for: .scope(of: self))
      defer { taskWait?.end() }
      return try await group.waitForAll()
    }
    let wait = BodyWait(of: context, for: .scope(of: self))
    _ = await BodyWait.begin(wait)
    await process(.wholeQueueWaitBegan(wait))
    try await group.waitForAll()
    DependencyGraph.remove(wait, for: self)
    let isDeadlocked = await scopeEnded()
    if wait.end(.done) { wait.resumeWithSlot() }
    _ = await wait.untilResumed()
    if isDeadlocked { throw OperationError.waitWouldDeadlock }
  }

  /// - Returns: Whether everything was cancelled because the scope would never have ended.
  private func scopeEnded() -> Bool {
    state.scopeWaitEnded(in: self)
    return state.isScopeDeadlocked
  }

  /// The first failure in a scope that cancels everything then; nil if there was none.
  var failure: (any Error)? { state.failure.map(KeptError.restored) }

  /// The task around the queue's scope was cancelled.
  nonisolated func cancelScope() {
    shared.cancel()
    perform(shared.post(.scopeCancelled, need: .turn))
  }
}
