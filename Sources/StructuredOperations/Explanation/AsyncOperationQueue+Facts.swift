extension AsyncOperationQueue {
  /// What the queue knows of its operations at one moment.
  ///
  /// The queue is looked at in one stretch on its actor, during which nothing is chosen. What follows from that is worked out
  /// elsewhere. O(n log n + dependencies).
  nonisolated func facts() async -> QueueFacts { QueueFacts(await look(), of: self) }

  /// Looks at each operation once, and at those again that an event is about; changes nothing.
  ///
  /// Meanwhile no dependency is added, and no wait of a body's own task begins: the conditions are
  /// read under the graph's lock. O(n + events).
  private func look() -> QueueFacts.Source {
    // Before the lock: the clock is the user's.
    let now = state.time?.clock.elapsed
    let input = shared.pendingInput
    var time = state.time?.machine
    time?.preview(input)
    let hold = now.flatMap { time?.startsAreHeld(at: $0) }
    var members: [QueueFacts.Source.Member] = []
    members.reserveCapacity(operationCount)
    let steps = DependencyGraph.withLock { _, _ in
      for case (let id, let storage?) in state.scheduler.works.enumerated() { members.append(storage.member(id)) }
      return input.events.compactMap { step(for: $0, &members) }
    }
    return QueueFacts.Source(
      scheduler: state.scheduler, inLine: state.inLine, header: description, rateHold: hold, members: members,
      batch: input.batch, steps: steps)
  }

  /// What an event changes, with what the next turn will read then.
  private func step(for event: QueueEvent, _ members: inout [QueueFacts.Source.Member]) -> QueueFacts.Source.Step? {
    switch event {
    case .added(let storage), .callAdded(let storage, _):
      members.append(storage.member())
      return .added(storage, member: members.count - 1)
    case .batchAdded(let storages):
      for storage in storages { members.append(storage.member()) }
      return .batchAdded(storages, firstMember: members.count - storages.count)
    case .barrierAdded(let storage, _):
      members.append(storage.member())
      return .barrierAdded(storage, member: members.count - 1)
    case .slotRequested(let wait):
      guard let id = wait.operation.storage.entry(in: self), state.releasedSlots[id] === wait else { return nil }
      return .slotRequested(id)
    case .changed(let storage, .priority):
      return storage.entryAndReadiness(in: self).map { .priorityChanged($0.entry, storage.rankedPriority) }
    case .changed(_, .readiness), .changed(_, .limits), .notBegun, .finished, .failed, .completionBlockAdded,
      .completionBlockEnded, .allCancelled, .slotReleased, .wholeQueueWaitBegan, .graphChanged,
      .concurrencyLimitsChanged, .widthChanged, .startRateChanged, .suspended, .suspendedFor, .resumed, .timerEnded,
      .leftUnrun, .scopeEnded, .scopeCancelled, .scopeNeverEnds:
      return nil
    }
  }
}

extension OperationStorage {
  fileprivate func member(_ id: Int? = nil) -> QueueFacts.Source.Member {
    read {
      QueueFacts.Source.Member(
        id: id, operation: $0.assignment?.operation, priority: $0.rankedPriority, condition: $0.condition)
    }
  }
}
