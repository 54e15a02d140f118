/// Decides what keeps one operation from finishing, from what was found of it; asks nobody.
enum ExplanationReasons {
  typealias Reason = OperationExplanation.Reason

  /// What an operation lacks of its limits.
  struct Lack: Sendable {
    let reason: Reason
    let standing: ExplainedOperation.LimitStanding
  }

  /// The reasons of an operation in a queue.
  ///
  /// - Parameter lacks: What it lacks of its limits.
  static func reasons(of member: QueueFacts.Member, in facts: QueueFacts, lacks: [Lack]) -> [Reason] {
    switch member.condition.phase {
    case .finished: []
    case .waiting(.skipped): leaving(member, facts)
    case .waiting(.blocked): member.dependencies.map { .dependency($0) } + held(member, facts)
    case .waiting(.ready): waiting(member, facts, lacks)
    case .idle, .chosen: [.beginning]
    case .ending: [.executing(since: member.condition.startedAt)]
    case .executing:
      executing(member.condition, hasLentSlot: member.standing.hasLentSlot) + returning(member, facts, lacks)
    }
  }

  /// The reasons of an operation in no queue.
  static func reasons(of condition: OperationCondition, lacks: [Lack]) -> [Reason] {
    var condition = condition
    let dependencies = condition.takeDependencies().map { Reason.dependency($0) }
    return switch condition.phase {
    case .finished: []
    case .idle: dependencies + [.notAdded]
    // One that was added since its queue was asked.
    case .waiting: dependencies.isEmpty ? [.beginning] : dependencies
    case .chosen: lacks.isEmpty ? [.beginning] : lacks.map(\.reason)
    case .ending: [.executing(since: condition.startedAt)]
    case .executing: executing(condition, hasLentSlot: false) + lacks.map(\.reason)
    }
  }

  private static func leaving(_ member: QueueFacts.Member, _ facts: QueueFacts) -> [Reason] {
    let isHeld = !member.operation.storage.runsInCaller || member.standing.isBarrier
    return [.leaving] + (facts.isSuspended && isHeld ? [.suspended(facts.queue)] : [])
      + (member.standing.isBarrier ? behind(member) : [])
  }

  /// What keeps everything in a queue, or everything behind a barrier.
  private static func held(_ member: QueueFacts.Member, _ facts: QueueFacts) -> [Reason] {
    var reasons: [Reason] = []
    if facts.isSuspended { reasons.append(.suspended(facts.queue)) }
    if facts.isLimitZero { reasons.append(.limitIsZero(facts.queue)) }
    return reasons + behind(member)
  }

  private static func behind(_ member: QueueFacts.Member) -> [Reason] {
    var reasons: [Reason] = []
    if let barrier = member.barrier { reasons.append(.behindBarrier(barrier)) }
    if !member.ahead.isEmpty { reasons.append(.operationsAhead(member.ahead)) }
    return reasons
  }

  private static func waiting(_ member: QueueFacts.Member, _ facts: QueueFacts, _ lacks: [Lack]) -> [Reason] {
    let held = held(member, facts)
    if !held.isEmpty { return held }
    // A slot, a start and the limits are taken in one step, so all of them that are lacking are told.
    var reasons: [Reason] = []
    if case .waitingForSlot(let place) = member.standing.place {
      reasons.append(.noSlot(facts.queue, place: place, holders: facts.slotHolders))
    }
    if member.standing.place.isInLine, let hold = facts.rateHold { reasons.append(.startRate(facts.queue, hold)) }
    reasons += lacks.map(\.reason)
    return reasons.isEmpty ? [.beginning] : reasons
  }

  private static func executing(_ condition: OperationCondition, hasLentSlot: Bool) -> [Reason] {
    let details = condition.details.value
    var reasons: [Reason] = [.executing(since: details.startedAt)]
    if details.completion?.isPending == true { reasons.append(.callback) }
    var inTasks: [any OperationProtocol] = []
    var seen: Set<ObjectIdentifier> = []
    var queues: [Reason] = []
    for wait in details.waits {
      switch wait.subject {
      case .operations(let operations):
        let unfinished = operations.filter { !$0.storage.hasEnded }
        if !wait.isOwn {
          inTasks += unfinished.filter { seen.insert(ObjectIdentifier($0)).inserted }
        } else if !unfinished.isEmpty {
          reasons.append(.waiting(for: unfinished, isSlotLent: wait.lendsSlot || hasLentSlot))
        }
      case .all(let owner), .scope(let owner):
        guard let queue = owner as? AsyncOperationQueue else { continue }
        queues.append(.waitingForQueue(queue, isSlotLent: wait.isOwn && (wait.lendsSlot || hasLentSlot)))
      case .closure: continue
      }
    }
    if !inTasks.isEmpty {
      // By `withLentSlot`, and not for a wait of the body's own task.
      let isLentForClosure = hasLentSlot && !details.waits.contains { $0.isOwn && $0.lendsSlot }
      reasons.append(.waiting(for: inTasks, isSlotLent: isLentForClosure))
    }
    return reasons + queues
  }

  /// What keeps a body that has waited.
  private static func returning(_ member: QueueFacts.Member, _ facts: QueueFacts, _ lacks: [Lack]) -> [Reason] {
    let lacksSlot = member.standing.place == .returning
    return (lacksSlot ? [.returning(facts.queue, holders: facts.slotHolders)] : []) + lacks.map(\.reason)
  }
}
