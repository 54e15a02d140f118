extension QueueFacts {
  /// What a queue had at one moment, as it was found.
  struct Source: Sendable {
    struct Member: Sendable {
      /// Nil until the scheduler has heard of it.
      fileprivate(set) var id: Int?
      /// Nil where it has left the queue.
      let operation: (any OperationProtocol)?
      let priority: QueuePriority
      let condition: OperationCondition

      var isFinished: Bool { operation == nil || condition.phase == .finished }
    }

    /// What an event that the queue has not applied changes.
    enum Step: Sendable {
      /// - member: Its index.
      case added(OperationStorage, member: Int)
      case severalAdded([OperationStorage], firstMember: Int)
      case barrierAdded(OperationStorage, member: Int)
      case slotRequested(Int)
      /// - member: Its index.
      case priorityChanged(member: Int, QueuePriority)
    }

    /// As the last turn has left it, until the ``preview()``.
    var scheduler: QueueScheduler<OperationStorage>
    let inLine: EntriesInLine
    let header: String
    let rateHold: Duration?
    let remainingSuspension: Duration?
    /// Those that the scheduler has, then those that the steps add.
    private(set) var members: [Member]
    /// What was chosen ahead.
    let batch: QueueSharedState.Batch.Remainder
    /// What the next turn will apply, in its order.
    let steps: [Step]
    /// The operations whose completion blocks have not ended.
    let completionBlocks: [any OperationProtocol]
    /// The waits for all that is in the queue that the queue has found no reason to end.
    var lastingWaits: Set<ObjectIdentifier> = []
    /// What will pass the barrier that it is directly behind, once that is due.
    var passingOnceDue: Set<Int> = []
    /// The segments whose barriers will fall once they are due: their ends are their former places.
    var segmentsOfFallen: Set<Int> = []

    /// Applies what the next turn will begin with, and how the operations stand, whatever the queue has heard of.
    ///
    /// Nothing of it is told to the operations. O(n).
    mutating func preview() {
      scheduler.takeBack(batch.replacements, batch.items, inLine: batch.inLine.map(\.item))
      for step in steps {
        switch step {
        case .added(let storage, let member): add(storage, member)
        case .severalAdded(let storages, let first):
          for (offset, storage) in storages.enumerated() { add(storage, first + offset) }
        case .barrierAdded(let storage, let member):
          members[member].id = scheduler.addBarrier(storage, readiness: members[member].condition.readiness)
        case .slotRequested(let id): if scheduler.hasReleasedSlot(id) { scheduler.requestSlot(id) }
        case .priorityChanged(let member, let priority):
          guard let id = members[member].id else { continue }
          leaveLine(id)
          scheduler.setPriority(id, to: priority)
        }
      }
      for member in members {
        guard let id = member.id else { continue }
        if case .waiting(let readiness) = member.condition.phase { update(id, to: readiness) }
        if member.condition.lends, scheduler.entries[id]?.phase == .executing { scheduler.releaseSlot(id) }
      }
    }

    private mutating func add(_ storage: OperationStorage, _ index: Int) {
      members[index].id = scheduler.add(
        storage, priority: members[index].priority, readiness: members[index].condition.readiness,
        runsInCaller: storage.runsInCaller)
    }

    /// An operation that has not begun stands like that now.
    private mutating func update(_ id: Int, to readiness: OperationReadiness) {
      // It was chosen, and has got a dependency since: whoever is to begin it will put it back.
      if readiness == .blocked, scheduler.entries[id]?.phase == .executing { return scheduler.putBack(id) }
      if readiness == .ready, scheduler.isInLine(id) { return }
      leaveLine(id)
      scheduler.update(id, to: readiness)
    }

    /// Where an operation stands in line for its limits, it is ready but for them.
    private mutating func leaveLine(_ id: Int) { if scheduler.isInLine(id) { scheduler.leaveLine(id) } }
  }
}
