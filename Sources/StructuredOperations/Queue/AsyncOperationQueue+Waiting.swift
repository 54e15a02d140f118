extension AsyncOperationQueue {
  /// Suspends until the queue is empty, of operations added meanwhile and of barriers too (QX-03, QX-04).
  ///
  /// Returns at once where it is empty. Holds no thread; cancelling the waiting task changes nothing.
  public func waitUntilAllOperationsAreFinished() async {
    takeTurn()
    if state.scheduler.isEmpty { return }
    await withUnsafeContinuation { emptinessWaiters.append($0) }
  }
}
