import StructuredOperations

// Concurrency limits with everything idle: who may wait for them.
extension Referee {
  /// Who may wait for limits.
  enum LimitWaiter: Hashable {
    case operation(Int)
    case barrier(Int)
    case call(Int)
  }

  private struct Demand {
    let waiter: LimitWaiter
    let costs: [Int: Int]
    let isReturning: Bool
  }

  /// Finds all that may lack limits.
  ///
  /// One lacks a limit where there is no room for its cost, or where somebody may be ahead of it in the line of a limit
  /// that lacks one in its turn. Nobody is ahead whose cost is above a count, or whose queue can begin nothing.
  mutating func findLackingLimits() {
    let demands = limits.isEmpty ? [] : demandsAtRest()
    var lacking: Set<LimitWaiter> = []
    var open = demands
    for demand in demands where !hasRoom(demand) { lacking.insert(demand.waiter) }
    while true {
      let blocking = demands.filter { lacking.contains($0.waiter) && isPossible($0) }
      let blocked = open.filter { demand in
        lacking.contains(demand.waiter) || blocking.contains { sharesLimit($0, demand) && !isBehind($0, demand) }
      }
      if blocked.isEmpty { break }
      lacking.formUnion(blocked.map(\.waiter))
      open.removeAll { lacking.contains($0.waiter) }
    }
    lackingLimits = lacking
  }

  private func demandsAtRest() -> [Demand] {
    var demands: [Demand] = []
    for (id, model) in operations.sorted(by: { $0.key < $1.key }) {
      let costs = (limitNeeds[id] ?? [:]).filter { $0.value.called < now }.mapValues(\.cost)
      if costs.isEmpty || model.settled != nil || model.ended != nil { continue }
      let isReturning = model.began != nil
      let mayStand = isReturning ? model.isWaiting && model.lending != .none : mayStand(model)
      if mayStand { demands.append(Demand(waiter: .operation(id), costs: costs, isReturning: isReturning)) }
    }
    for barrier in queues.flatMap(\.barriers) where !barrier.limits.isEmpty && barrier.began == nil {
      demands.append(Demand(waiter: .barrier(barrier.id), costs: costs(barrier.limits), isReturning: false))
    }
    for (id, events) in callEvents.sorted(by: { $0.key < $1.key }) {
      guard events == ["called"], let limits = callLimits[id], !limits.isEmpty else { continue }
      demands.append(Demand(waiter: .call(id), costs: costs(limits), isReturning: false))
    }
    return demands
  }

  /// Whether an operation that has not begun may wait for its limits alone.
  private func mayStand(_ model: OperationModel) -> Bool {
    guard let queue = model.queue, let added = model.added, added.called < now else { return model.openStarts > 0 }
    if queues[queue].isSuspended, !queues[queue].mayHaveFailed { return false }
    if queues[queue].running >= queues[queue].effectiveLimit || rates[queue].isFull(at: time) { return false }
    if program.features.passesBarriers { return true }
    return !model.edges.contains { $0.value.isListed && operations[$0.key]?.settled == nil }
  }

  private func hasRoom(_ demand: Demand) -> Bool {
    demand.costs.allSatisfy { limit, cost in limits[limit].leastCount - limits[limit].used >= cost }
  }

  private func isPossible(_ demand: Demand) -> Bool {
    demand.costs.allSatisfy { limit, cost in cost <= limits[limit].count }
  }

  private func sharesLimit(_ one: Demand, _ other: Demand) -> Bool {
    one.waiter != other.waiter && one.costs.keys.contains { other.costs[$0] != nil }
  }

  /// Whether one certainly stands behind another in each line.
  private func isBehind(_ one: Demand, _ other: Demand) -> Bool {
    if one.isReturning || other.isReturning { return other.isReturning && !one.isReturning }
    guard case .operation(let id) = one.waiter, case .operation(let second) = other.waiter else { return false }
    return hasCertainRank(model(id)) && hasCertainRank(model(second)) && isAhead(model(second), of: model(id))
  }

  /// Whether the place in lines is that of the addition to the queue, or of the last change of priority.
  func hasCertainRank(_ model: OperationModel) -> Bool {
    guard model.queue != nil, let added = model.added, !model.hasUnknownRank else { return false }
    return limitNeeds[model.plan.id]?.values.allSatisfy { $0.called < added.called } ?? true
  }

  // MARK: Starts by hand

  /// Checks that an operation that was started by hand and has not begun lacks a limit.
  mutating func checkStart(of id: Int, isCancelled: Bool) {
    let model = model(id)
    guard model.queue == nil, model.openStarts > 0, model.began == nil, model.settled == nil else { return }
    if isCancelled { return fault("the start of \(id), which was cancelled, does not end") }
    if !lackingLimits.contains(.operation(id)) {
      fault("\(id) was started, nothing is in its way, and nothing happens")
    }
  }
}
