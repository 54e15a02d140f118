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
    let remainingSuspension = now.flatMap { time?.remainingSuspension(at: $0) }
    var list = MemberList(operationCount, moved: Set(input.events.compactMap(\.movedOperation)))
    let steps = DependencyGraph.withLock { _, _ in
      for case (let id, let storage?) in state.scheduler.works.enumerated() { list.append(storage, id) }
      return input.events.compactMap { step(for: $0, &list) }
    }
    return QueueFacts.Source(
      scheduler: state.scheduler, inLine: state.inLine, header: description, rateHold: hold,
      remainingSuspension: remainingSuspension, members: list.members,
      batch: input.batch, steps: steps, completionBlocks: state.runningBlocks.valuesInOrder,
      lastingWaits: input.events.isEmpty && input.batch.replacements.isEmpty ? state.lastingWaits : [])
  }

  /// What an event changes, with what the next turn will read then.
  private func step(for event: QueueEvent, _ list: inout MemberList) -> QueueFacts.Source.Step? {
    switch event {
    case .added(let storage), .callAdded(let storage, _): return .added(storage, member: list.append(storage))
    case .severalAdded(let storages):
      for storage in storages { list.append(storage) }
      return .severalAdded(storages, firstMember: list.members.count - storages.count)
    case .barrierAdded(let storage, _): return .barrierAdded(storage, member: list.append(storage))
    case .slotRequested(let wait):
      guard let id = wait.operation.storage.entry(in: self), state.releasedSlots[id] === wait else { return nil }
      return .slotRequested(id)
    case .changed(let storage, .priority):
      return list.movedMembers[ObjectIdentifier(storage)].map { .priorityChanged(member: $0, storage.rankedPriority) }
    case .changed(_, .readiness), .changed(_, .limits), .notBegun, .finished, .completionBlockAdded,
      .completionBlockEnded, .allCancelled, .callWithdrawn, .slotReleased, .wholeQueueWaitBegan, .graphChanged,
      .concurrencyLimitsChanged, .widthChanged, .startRateChanged, .suspended, .suspendedFor, .resumed, .timerEnded,
      .leftUnrun, .scopeEnded, .scopeCancelled, .scopeNeverEnds:
      return nil
    }
  }
}

/// The operations of a queue, and where those are that have moved.
private struct MemberList {
  private(set) var members: [QueueFacts.Source.Member] = []
  private let moved: Set<ObjectIdentifier>
  private(set) var movedMembers: [ObjectIdentifier: Int] = [:]

  init(_ capacity: Int, moved: Set<ObjectIdentifier>) {
    self.moved = moved
    members.reserveCapacity(capacity)
  }

  /// - Returns: The index of the member.
  @discardableResult
  mutating func append(_ storage: OperationStorage, _ id: Int? = nil) -> Int {
    if !moved.isEmpty, moved.contains(ObjectIdentifier(storage)) {
      movedMembers[ObjectIdentifier(storage)] = members.count
    }
    members.append(storage.member(id))
    return members.count - 1
  }
}

extension OperationStorage {
  fileprivate func member(_ id: Int?) -> QueueFacts.Source.Member {
    read {
      QueueFacts.Source.Member(
        id: id, operation: $0.state.operationInQueue ?? $0.endingOperation, priority: $0.rankedPriority,
        condition: $0.condition)
    }
  }
}
