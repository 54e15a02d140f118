extension AsyncOperationQueue {
  /// The operations that can never start as things stand, in the order of addition, each with the reason in words.
  ///
  /// Those are the ones that depend, through any number of steps, on an operation which is in no queue and has not been
  /// started; and those behind a barrier that has to wait for such a one, or depends on one. The list changes as soon as that operation is
  /// added or started, or the dependency removed. Suspension, and a limit of 0, stall nothing.
  ///
  /// - Complexity: O(operations and their dependencies).
  public var stalled: [StalledOperation] {
    let scheduler = schedulerWithPendingEvents
    let waiting = scheduler.waitingWork
    let reasons = DependencyGraph.stalled(waiting.map(\.work))
    // Everything that any of them holds up is behind this one.
    let first = waiting.filter { reasons[$0.work] != nil }.min { scheduler.isBehind($1.id, $0.id) }
    return waiting.compactMap { id, storage in
      guard !scheduler.isBarrier(id), let operation = storage.enqueuedOperation else { return nil }
      if let reason = reasons[storage] { return StalledOperation(operation: operation, reason: reason) }
      guard let first, scheduler.isBehind(id, first.id), let cause = first.work.enqueuedOperation?.label else {
        return nil
      }
      let barrier = scheduler.isBarrier(first.id) ? "the barrier \(cause)" : "a barrier that waits for \(cause)"
      return StalledOperation(operation: operation, reason: "is behind \(barrier), which is stalled")
    }
  }
}
