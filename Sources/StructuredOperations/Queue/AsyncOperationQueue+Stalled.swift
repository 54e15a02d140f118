extension AsyncOperationQueue {
  /// The operations that can never start as things stand, in the order of addition, each with the reason in words.
  ///
  /// Those are the ones that depend, through any number of steps, on an operation which is in no queue and has not been
  /// started; and those behind a barrier that has to wait for such a one. The list changes as soon as that operation is
  /// added or started, or the dependency removed. Suspension, and a limit of 0, stall nothing. O(operations and their
  /// dependencies).
  public var stalled: [StalledOperation] {
    let scheduler = schedulerWithPendingEvents
    let waiting = scheduler.waitingOperations
    let reasons = DependencyGraph.stalled(waiting.map(\.work))
    var first: (id: QueueState.EntryID, operation: any OperationProtocol)?
    return waiting.compactMap { id, storage in
      guard let operation = storage.enqueuedOperation else { return nil }
      if let reason = reasons[storage] {
        if first == nil { first = (id, operation) }
        return StalledOperation(operation: operation, reason: reason)
      }
      // In the order of addition, so every barrier that the first one holds up is behind it.
      guard let first, scheduler.isBehind(id, first.id) else { return nil }
      return StalledOperation(
        operation: operation, reason: "is behind a barrier that waits for \(first.operation.label), which is stalled")
    }
  }
}
