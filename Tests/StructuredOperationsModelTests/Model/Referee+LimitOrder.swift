import StructuredOperations

// Concurrency limits: the order in which they are taken.
extension Referee {
  /// Whether an operation can have lacked no limit since: it has none, or there is room for all who are involved.
  ///
  /// Those are operations of its own queue: one of another queue that is ahead in the line holds it up until that queue has
  /// taken its turn, though there is room for both.
  func lacksNoLimit(_ id: Int, since earliest: Int) -> Bool {
    guard let needs = limitNeeds[id] else { return true }
    if needs.values.contains(where: { $0.called > earliest }) { return false }
    let users = limitUsers(since: earliest)
    // Who stands in line for one limit and lacks another one holds up those behind it.
    var open = Array(needs.keys)
    var seen = Set(open)
    while let limit = open.popLast() {
      let concerned = users.filter { $0.costs[limit] != nil }
      guard limits[limit].lastChange <= earliest, concerned.allSatisfy({ $0.queue == model(id).queue }),
        concerned.reduce(0, { $0 + ($1.costs[limit] ?? 0) }) <= limits[limit].count
      else { return false }
      for other in concerned.flatMap(\.costs.keys) where seen.insert(other).inserted { open.append(other) }
    }
    return true
  }

  /// All who may have had limits since, or stood in line: operations with their queues, and others without.
  private func limitUsers(since earliest: Int) -> [(queue: Int?, costs: [Int: Int])] {
    let others = queues.flatMap(\.barriers).map(\.limits) + callLimits.values
    return others.map { (nil, costs($0)) }
      + operations.compactMap { id, model in
        model.settled.map { $0 <= earliest } ?? false ? nil : (model.queue, costs(of: id))
      }
  }

  /// Checks that an operation with limits that begins has overtaken nobody in line.
  mutating func checkLine(of id: Int, _ queue: Int) {
    let model = model(id)
    guard model.changingPriority == nil, let added = model.added, !model.hasUnknownRank else { return }
    var earliest = max(lastRest, added.called, queues[queue].lastFull)
    earliest = max(earliest, lastEnd(ofDependenciesOf: model))
    if model.lastPriorityChange > earliest { return }
    checkLine(costs(of: id), "\(id)", chosenAfter: earliest) { referee, other in referee.isAhead(other, of: model) }
  }

  /// The same for a barrier or a call of `run`.
  mutating func checkLine(ofCall costs: [Int: Int], _ name: String, called: Int) {
    checkLine(costs, name, chosenAfter: max(lastRest, called)) { _, other in
      if other.priority != .normal { return other.priority > .normal }
      return other.ranked?.returned.map { $0 < called } ?? false
    }
  }

  private mutating func checkLine(
    _ costs: [Int: Int],
    _ name: String,
    chosenAfter earliest: Int,
    isAhead: (Referee, OperationModel) -> Bool
  ) {
    if costs.isEmpty || !isExact || program.features.passesBarriers || program.features.takesTime { return }
    for (other, model) in operations.sorted(by: { $0.key < $1.key }) {
      let needs = self.costs(of: other)
      guard needs.keys.contains(where: { costs[$0] != nil }), let queue = model.queue, hasCertainRank(model),
        hasWaited(model, queue, since: isSettled(model) ? earliest : min(earliest, lastRest)),
        hasSlots(queue, since: model), isAhead(self, model)
      else { continue }
      // With a count above what is needed it may have been chosen as well, and not begun yet.
      let isLacking = needs.contains { limits[$0.key].used + $0.value > limits[$0.key].bound }
      let isStanding = needs.allSatisfy { limit, cost in cost <= limits[limit].leastSinceRest }
      if isLacking, isStanding { fault("\(name) took limits ahead of \(other), which stood in line before it") }
    }
  }

  /// Whether the operation stands in line from its addition on, and not from the turn in which its queue hears of a
  /// dependency or of a priority.
  private func isSettled(_ model: OperationModel) -> Bool {
    model.attempts.isEmpty && model.lastPriorityChange <= model.added?.called ?? -1
  }

  /// Whether the queue has had slots for all that was in it since an operation was added, or since everything was idle.
  private func hasSlots(_ queue: Int, since model: OperationModel) -> Bool {
    guard let added = model.added, queues[queue].barriers.isEmpty, !queues[queue].isSuspended else { return false }
    let wasThereAtRest = added.returned.map { $0 <= lastRest } ?? false
    guard queues[queue].lastSetting < added.called || wasThereAtRest && queues[queue].lastSetting <= lastRest else {
      return false
    }
    let count = operations.values.count { other in
      other.queue == queue && (other.settled.map { $0 > (wasThereAtRest ? lastRest : -1) } ?? true)
    }
    return count + calls.values.count { $0 == queue } <= queues[queue].leastLimit
  }
}
