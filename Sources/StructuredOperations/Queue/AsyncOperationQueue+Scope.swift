extension AsyncOperationQueue {
  /// The body of the queue's scope has ended: what is left runs, or leaves where the scope failed, and then the runner
  /// ends.
  private func endScope(isCancelled: Bool) {
    if isCancelled { front.cancel() }
    takeTurn { $0.endScope(isCancelled: isCancelled, &$1) }
    front.wakeSleeper()
  }

  /// Ends the scope, and suspends until everything in it has ended.
  ///
  /// - Parameter group: Where the queue's runner runs.
  nonisolated(nonsending) func endScope(
    isCancelled: Bool,
    awaiting group: inout ThrowingTaskGroup<Void, any Error>
  ) async throws {
    await endScope(isCancelled: isCancelled)
    guard let context = ExecutionContext.ofOwnTask else { return try await group.waitForAll() }
    let wait = BodyWait(of: context, for: .scope(of: self))
    _ = await BodyWait.begin(wait)
    await beginWaitForAll(wait)
    try await group.waitForAll()
    DependencyGraph.forget(wait, of: self)
    let isDeadlocked = await scopeEnded()
    if wait.end(.done) { wait.goOnWithSlot() }
    _ = await wait.untilGoingOn()
    if isDeadlocked { throw OperationError.waitWouldDeadlock }
  }

  /// - Returns: Whether everything was cancelled because the end would never have come.
  private func scopeEnded() -> Bool {
    state.scopeWait = nil
    return state.isScopeDeadlocked
  }

  /// The task around the queue's scope was cancelled.
  nonisolated func cancelScope() {
    front.cancel()
    perform(front.post(.scopeCancelled, need: .turn))
  }
}
