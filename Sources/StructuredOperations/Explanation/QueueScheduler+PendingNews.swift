extension QueueScheduler<OperationStorage> {
  /// Applies what the next turn will begin with: operations that were added, replaced, or asked for their slots again, and
  /// those that have become ready or blocked.
  ///
  /// Nothing of it is told to the operations. O(n).
  ///
  /// - Parameters:
  ///   - entry: Finds the entry of an operation.
  ///   - returning: Finds the entry that has lent its slot for a wait.
  mutating func preview(
    _ news: QueueSharedState.News,
    entry: (OperationStorage) -> EntryID?,
    returning: (BodyWait) -> EntryID?
  ) {
    for replacement in news.batch.replacements { replaced(replacement.finished, by: replacement.started) }
    for item in news.batch.items { putBackReady(item.id) }
    for event in news.events {
      switch event {
      case .added(let storage), .callAdded(let storage, _): preview(storage)
      case .batchAdded(let storages): for storage in storages { preview(storage) }
      case .barrierAdded(let storage, _): addBarrier(storage, readiness: storage.unclaimedReadiness ?? .skipped)
      case .slotRequested(let wait): if let id = returning(wait), hasReleasedSlot(id) { requestSlot(id) }
      case .changed(let storage, let change): if let id = entry(storage) { preview(id, storage, change) }
      case .notBegun, .finished, .failed, .completionBlockAdded, .completionBlockEnded, .allCancelled,
        .slotReleased, .wholeQueueWaitBegan, .graphChanged, .limitsChanged, .limitChanged, .startRateChanged,
        .suspended,
        .suspendedFor, .resumed, .timerEnded, .leftUnrun, .scopeEnded, .scopeCancelled, .scopeNeverEnds:
        break
      }
    }
  }

  private mutating func preview(_ storage: OperationStorage) {
    add(
      storage, priority: storage.rankedPriority, readiness: storage.unclaimedReadiness ?? .skipped,
      runsInCaller: storage.runsInCaller)
  }

  private mutating func preview(_ id: EntryID, _ storage: OperationStorage, _ change: OperationChange) {
    switch change {
    case .readiness, .limits: break
    case .priority:
      if isInLine(id) { leaveLine(id) }
      setPriority(id, to: storage.rankedPriority)
    case .escalation:
      if isInLine(id) { leaveLine(id) }
      raisePriority(id, to: storage.rankedPriority)
    }
  }

  /// An operation that has not been chosen stands like that now, whatever the queue has heard of.
  mutating func preview(_ id: EntryID, _ readiness: OperationReadiness) {
    if isInLine(id) {
      if readiness == .ready { return }
      leaveLine(id)
    }
    update(id, to: readiness)
  }
}
