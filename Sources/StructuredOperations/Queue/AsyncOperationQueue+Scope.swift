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
  /// - Parameter group: Where the queue's runner runs.
  nonisolated(nonsending) func endScope(
    isCancelled: Bool,
    awaiting group: inout ThrowingTaskGroup<Void, any Error>
  ) async throws {
    await endScope(isCancelled: isCancelled)
    guard let context = ExecutionContext.ofOwnTask else {
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
