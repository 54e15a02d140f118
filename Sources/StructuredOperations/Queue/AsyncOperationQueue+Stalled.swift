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
    var first: (id: QueueState.EntryID, operation: any OperationProtocol)?
    return waiting.compactMap { id, storage in
      guard let operation = storage.enqueuedOperation else { return nil }
      if let reason = reasons[storage] {
        if first == nil { first = (id, operation) }
        return scheduler.isBarrier(id) ? nil : StalledOperation(operation: operation, reason: reason)
      }
      // In the order of addition, so everything that the first one holds up is behind it.
      guard let first, !scheduler.isBarrier(id), scheduler.isBehind(id, first.id) else { return nil }
      let cause = first.operation.label
      let barrier = scheduler.isBarrier(first.id) ? "the barrier \(cause)" : "a barrier that waits for \(cause)"
      return StalledOperation(operation: operation, reason: "is behind \(barrier), which is stalled")
    }
  }
}
