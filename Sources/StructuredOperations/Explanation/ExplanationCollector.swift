/// Follows causes from operation to operation and from queue to queue, and asks each queue once.
///
/// What is found of one queue is true at one moment; that of another one at another.
struct ExplanationCollector {
  private var facts: [ObjectIdentifier: QueueFacts] = [:]
  /// Where the queues that were asked have told of an operation.
  private var members: [ObjectIdentifier: (queue: ObjectIdentifier, index: Int)] = [:]
  /// What has limits, or stands in line for them, in the queues that were asked.
  private var demands: [LimitTable.DemandID: any OperationProtocol] = [:]
  /// How the limits stood when they first mattered.
  private var limits: [LimitTable.LimitID: LimitTable.Scheduler.Lines] = [:]
  private var contents: ExplanationGraph.Contents = [:]
  private var explained: [ExplainedOperation] = []
  /// Those that are explained, or will be.
  private var reached: Set<ObjectIdentifier> = []
  private var pending: [any OperationProtocol] = []

  /// Explains an operation, and all that it goes back to.
  static func explanation(of operation: any OperationProtocol) async -> OperationExplanation {
    var collector = ExplanationCollector()
    collector.reach(operation)
    await collector.followCauses()
    return OperationExplanation(0, in: ExplanationGraph(collector.explained, contents: collector.contents))
  }

  /// Explains what is in a queue.
  static func explanation(of queue: AsyncOperationQueue) async -> QueueExplanation {
    var collector = ExplanationCollector()
    let facts = await collector.ask(queue)
    for member in facts.members { collector.reach(member.operation) }
    await collector.followCauses()
    let graph = ExplanationGraph(collector.explained, contents: collector.contents)
    return QueueExplanation(facts.header, facts.members.compactMap { graph.node(of: $0.operation) }, in: graph)
  }

  private mutating func followCauses() async {
    var next = 0
    while next < pending.count {
      let operation = pending[next]
      next += 1
      let found = await explain(operation)
      explained.append(found)
      for reason in found.reasons {
        if case .waitingForQueue(let queue, isSlotLent: _) = reason { await reachContents(of: queue) }
        for cause in reason.operations([:]) { reach(cause) }
      }
    }
  }

  private mutating func reach(_ operation: any OperationProtocol) {
    if reached.insert(ObjectIdentifier(operation)).inserted { pending.append(operation) }
  }

  private mutating func reachContents(of queue: AsyncOperationQueue) async {
    let id = ObjectIdentifier(queue)
    if contents[id] != nil { return }
    let operations = await ask(queue).members.map(\.operation)
    contents[id] = operations
    for operation in operations { reach(operation) }
  }

  @discardableResult
  private mutating func ask(_ queue: AsyncOperationQueue) async -> QueueFacts {
    let id = ObjectIdentifier(queue)
    if let known = facts[id] { return known }
    let found = await queue.facts()
    facts[id] = found
    for (index, member) in found.members.enumerated() {
      members[ObjectIdentifier(member.operation)] = (id, index)
      if let demand = member.demand { demands[demand] = member.operation }
    }
    return found
  }

  // MARK: One operation

  private mutating func explain(_ operation: any OperationProtocol) async -> ExplainedOperation {
    if members[ObjectIdentifier(operation)] == nil {
      let condition = operation.storage.condition
      if let queue = condition.queue as? AsyncOperationQueue { await ask(queue) }
    }
    if let (queue, index) = members[ObjectIdentifier(operation)], let facts = facts[queue] {
      let member = facts.members[index]
      let lacks = member.mayLackLimits ? await lacks(of: member.condition, member.demand) : []
      return ExplainedOperation(
        operation: operation, reasons: ExplanationReasons.reasons(of: member, in: facts, lacks: lacks),
        isCancelled: member.condition.isCancelled, limits: lacks.map(\.standing))
    }
    let condition = operation.storage.condition
    let lacks = await lacks(of: condition, condition.limitedStart?.demand)
    return ExplainedOperation(
      operation: operation, reasons: ExplanationReasons.reasons(of: condition, lacks: lacks),
      isCancelled: condition.isCancelled, limits: lacks.map(\.standing))
  }

  // MARK: Limits

  /// What an operation lacks of its limits, with those that have it.
  private mutating func lacks(
    of condition: OperationCondition,
    _ demand: LimitTable.DemandID?
  ) async -> [ExplanationReasons.Lack] {
    switch condition.phase {
    case .idle, .finished, .waiting(.blocked), .waiting(.skipped): return []
    case .waiting(.ready), .chosen, .executing: if condition.limitNeeds.isEmpty { return [] }
    }
    let needs = condition.limitNeeds
    let limits = await lines(of: needs)
    let isWaiting = demand.map { demand in needs.contains { limits[$0.limit.id]?.isWaiting(demand) == true } }
    // It has got its limits since or, where it executes, has not asked for them again.
    if isWaiting == false || isWaiting == nil && condition.phase == .executing { return [] }
    return needs.compactMap { need in
      let lines = limits[need.limit.id] ?? LimitTable.Scheduler.Lines(count: need.limit.count, used: 0)
      guard let lack = lines.lack(of: demand, cost: need.cost) else { return nil }
      let (holders, isKept): ([any OperationProtocol], Bool) =
        switch lack {
        case .count: ([], false)
        case .room(let holders): (holders.compactMap { demands[$0] }, false)
        case .kept(let first): (demands[first].map { [$0] } ?? [], true)
        }
      return ExplanationReasons.Lack(
        reason: .concurrencyLimit(need.limit, holders: holders),
        standing: ExplainedOperation.LimitStanding(count: lines.count, cost: need.cost, isKept: isKept))
    }
  }

  /// Asks the queues, too, whose operations have one of the limits or wait for it.
  private mutating func lines(of needs: [LimitNeed]) async -> [LimitTable.LimitID: LimitTable.Scheduler.Lines] {
    let unknown = Set(needs.map(\.limit.id).filter { limits[$0] == nil })
    if !unknown.isEmpty {
      let (lines, startedByHand) = LimitTable.lines(of: unknown)
      limits.merge(lines) { known, _ in known }
      for (demand, taker) in startedByHand {
        if let start = taker as? LimitedStart { demands[demand] = start.operation }
      }
    }
    for need in needs {
      for owner in limits[need.limit.id]?.owners ?? [] {
        if let queue = owner.object as? AsyncOperationQueue { await ask(queue) }
      }
    }
    return limits
  }
}
