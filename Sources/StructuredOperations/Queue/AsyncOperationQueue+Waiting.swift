extension AsyncOperationQueue {
  /// Suspends until the queue is empty, of operations added meanwhile and of barriers too (QX-03, QX-04).
  ///
  /// Returns at once where it is empty. Holds no thread; cancelling the waiting task changes nothing.
  ///
  /// A body's own task that calls this, of this queue or of another, lends its slot, and waits until only operations are
  /// left that wait likewise, or for one that does: its dependents, bodies that await it, what is behind a barrier that
  /// has to wait for it (QX-05).
  public nonisolated(nonsending) func waitUntilAllOperationsAreFinished() async {
    if let context = ExecutionContext.ofOwnTask {
      await waitUntilOnlyWaitersAreLeft(BodyWait(of: context, for: .all(of: self)))
    } else {
      await waitUntilEmpty()
    }
  }

  private func waitUntilEmpty() async {
    takeTurn()
    if state.scheduler.isEmpty { return }
    await withUnsafeContinuation { emptinessWaiters.append($0) }
  }

  private nonisolated(nonsending) func waitUntilOnlyWaitersAreLeft(_ wait: BodyWait) async {
    if case .begun = await BodyWait.begin(wait) {
      await beginWaitForAll(wait)
      _ = await wait.untilGoingOn()
    }
  }

  func beginWaitForAll(_ wait: BodyWait) {
    takeTurn { state, _ in state.beginWaitForAll(wait) }
  }
}
