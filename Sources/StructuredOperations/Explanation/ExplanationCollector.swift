/// Follows causes from operation to operation and from queue to queue, and asks each queue once.
///
/// What is found of one queue is true at one moment; that of another one at another.
struct ExplanationCollector {
  private var facts: [ObjectIdentifier: QueueFacts] = [:]
  /// What the queues that were asked have told of an operation.
  private var members: [ObjectIdentifier: (facts: QueueFacts, member: QueueFacts.Member)] = [:]
  /// What has limits, or stands in line for them, in the queues that were asked.
  private var demands: [LimitTable.DemandID: any OperationProtocol] = [:]
  /// What stood in line, or had its limits, for starts by hand as the limits were looked at: a move gives a start another one.
  private var startDemands: [ObjectIdentifier: LimitTable.DemandID] = [:]
  /// How the limits stood when they were looked at.
  private var limits: [LimitTable.LimitID: LimitTable.Scheduler.Lines] = [:]
  /// Those of operations in the queues that were asked, to be looked at as soon as one of them matters.
  ///
  /// All in one step, since each step goes through all demands.
  private var unseenLimits: Set<LimitTable.LimitID> = []
  /// Those whose owners were asked.
  private var askedLimits: Set<LimitTable.LimitID> = []
  /// What has a limit, of which there may be many: listed once.
  private var holders: [LimitTable.LimitID: [any OperationProtocol]] = [:]
  private var builder = ExplanationGraphBuilder()

  /// Explains an operation, and all that it goes back to.
  static func explanation(of operation: any OperationProtocol) async -> OperationExplanation {
    var collector = ExplanationCollector()
    let node = collector.builder.number(operation)
    return OperationExplanation(node, in: await collector.graph())
  }

  /// Explains what is in a queue.
  static func explanation(of queue: AsyncOperationQueue) async -> QueueExplanation {
    var collector = ExplanationCollector()
    let facts = await collector.ask(queue)
    let nodes = facts.members.map { collector.builder.number($0.operation) }
    return QueueExplanation(facts.header, nodes, in: await collector.graph())
  }

  /// Follows causes from the operations that are numbered.
  private mutating func graph() async -> ExplanationGraph {
    while let operation = builder.next {
      let found = await explain(operation)
      for case .waitingForQueue(let queue, isSlotLent: _) in found.reasons
      where builder.contents[ObjectIdentifier(queue)] == nil {
        let facts = await ask(queue)
        builder.contents[ObjectIdentifier(queue)] = ExplanationGraph.Contents(
          operations: facts.members.map(\.operation), completionBlocks: facts.completionBlocks,
          lastingWaits: facts.lastingWaits)
      }
      builder.explain(found)
    }
    return ExplanationGraph(builder)
  }

  @discardableResult
  private mutating func ask(_ queue: AsyncOperationQueue) async -> QueueFacts {
    let id = ObjectIdentifier(queue)
    if let known = facts[id] { return known }
    let found = await queue.facts()
    facts[id] = found
    members.reserveCapacity(members.count + found.members.count)
    for member in found.members {
      members[ObjectIdentifier(member.operation)] = (found, member)
      if let demand = member.demand { demands[demand] = member.operation }
      if member.mayLackLimits { unseenLimits.formUnion(member.condition.limitNeeds.map(\.limit.id)) }
    }
    return found
  }

  // MARK: One operation

  private mutating func explain(_ operation: any OperationProtocol) async -> ExplainedOperation {
    let id = ObjectIdentifier(operation)
    if members[id] == nil {
      let queue = operation.storage.read { $0.assignment?.queue }
      if let queue = queue as? AsyncOperationQueue { await ask(queue) }
    }
    if let (facts, member) = members[id] {
      let lacks = member.mayLackLimits ? await lacks(of: member) : []
      return ExplainedOperation(
        operation: operation, reasons: ExplanationReasons.reasons(of: member, in: facts, lacks: lacks),
        isCancelled: member.condition.isCancelled, isEnding: member.condition.phase == .ending,
        ownWait: member.condition.ownWait, needsAllSlots: facts.width == 1, hasLentSlot: member.standing.hasLentSlot,
        remainingSuspension: facts.remainingSuspension, sharedWithBarrier: member.sharedWithBarrier,
        limits: lacks.map(\.standing))
    }
    let condition = operation.storage.condition
    let lacks = await lacksOfStarted(condition)
    return ExplainedOperation(
      operation: operation, reasons: ExplanationReasons.reasons(of: condition, lacks: lacks),
      isCancelled: condition.isCancelled, isEnding: condition.phase == .ending, ownWait: condition.ownWait,
      limits: lacks.map(\.standing))
  }

  // MARK: Limits

  private mutating func lacks(of member: QueueFacts.Member) async -> [ExplanationReasons.Lack] {
    await lacks(of: member.condition, member.demand, isReturning: member.standing.place == .returning)
  }

  /// What one lacks that is in no queue.
  private mutating func lacksOfStarted(_ condition: OperationCondition) async -> [ExplanationReasons.Lack] {
    guard let start = condition.details.read(\.limitedStart) ?? nil else { return await lacks(of: condition, nil) }
    await lookAtLimits(of: condition.limitNeeds)
    return await lacks(of: condition, startDemands[ObjectIdentifier(start)])
  }

  /// What an operation lacks of its limits, with those that have it.
  ///
  /// - Parameter isReturning: Whether its body has lent them, and asks for them once it has a slot.
  private mutating func lacks(
    of condition: OperationCondition,
    _ demand: LimitTable.DemandID?,
    isReturning: Bool = false
  ) async -> [ExplanationReasons.Lack] {
    switch condition.phase {
    case .idle, .ending, .finished, .waiting(.blocked), .waiting(.skipped): return []
    case .waiting(.ready), .chosen, .executing: if condition.limitNeeds.isEmpty { return [] }
    }
    let needs = condition.limitNeeds
    await lookAtLimits(of: needs)
    let isWaiting = demand.map { demand in needs.contains { limits[$0.limit.id]?.isWaiting(demand) == true } }
    // It has got its limits since or, where it executes, has not asked for them again.
    if isWaiting == false || isWaiting == nil && condition.phase == .executing && !isReturning { return [] }
    var lacks: [ExplanationReasons.Lack] = []
    for need in needs {
      let lines = limits[need.limit.id] ?? LimitTable.Scheduler.Lines(count: need.limit.count, used: 0)
      guard let lack = lines.lack(of: demand, cost: need.cost) else { continue }
      let (holders, isKept): ([any OperationProtocol], Bool) =
        switch lack {
        case .count: ([], false)
        case .room(let holders): (operations(holding: need.limit.id, holders), false)
        case .kept(let first): (demands[first].map { [$0] } ?? [], true)
        }
      lacks.append(
        ExplanationReasons.Lack(
          reason: .concurrencyLimit(need.limit, holders: holders),
          standing: ExplainedOperation.LimitStanding(count: lines.count, cost: need.cost, isKept: isKept)))
    }
    return lacks
  }

  /// Those of the demands that are known, once the owners of the limit were asked; not those whose bodies lend the limit.
  private mutating func operations(
    holding limit: LimitTable.LimitID,
    _ demands: [LimitTable.DemandID]
  ) -> [any OperationProtocol] {
    if let known = holders[limit] { return known }
    let found = demands.compactMap { self.demands[$0] }
      .filter { members[ObjectIdentifier($0)]?.member.condition.lends != true }
    holders[limit] = found
    return found
  }

  /// Asks the queues, too, whose operations have one of the limits or wait for it.
  private mutating func lookAtLimits(of needs: LimitNeeds) async {
    if needs.contains(where: { limits[$0.limit.id] == nil }) {
      unseenLimits.formUnion(needs.map(\.limit.id))
      let (lines, startedByHand) = LimitTable.lines(of: unseenLimits)
      unseenLimits = []
      limits.merge(lines) { known, _ in known }
      for (demand, taker) in startedByHand {
        guard let start = taker as? LimitedStart else { continue }
        demands[demand] = start.operation
        startDemands[ObjectIdentifier(start)] = demand
      }
    }
    for need in needs where askedLimits.insert(need.limit.id).inserted {
      for owner in limits[need.limit.id]?.owners ?? [] {
        if let queue = owner.object as? AsyncOperationQueue { await ask(queue) }
      }
    }
  }
}
