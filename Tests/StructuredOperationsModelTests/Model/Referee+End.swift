import StructuredOperations

extension Referee {
  /// Checks what must hold at the end of a run.
  mutating func checkEnd() {
    for ending in record.endings {
      checkEnd(of: ending)
      checkHistories(of: ending)
      checkBlocks(of: ending.id)
    }
    if !operationWaits.isEmpty { fault("\(operationWaits.count) waits have not come back") }
    if !waits.isEmpty { fault("\(waits.count) waits for queues have not come back") }
    checkReads()
    checkCalls()
    checkQueues()
    checkScope()
    checkLimits()
    // On threads, other threads may still hold references for a moment.
    if isExact {
      for remain in record.remains where remain.object != nil { fault("\(remain.label) is still there") }
    }
  }

  // MARK: Outcomes

  private mutating func checkEnd(of ending: RunRecord.Ending) {
    let (id, model) = (ending.id, model(ending.id))
    if !ending.snapshot.isFinished || model.settled == nil { return fault("\(id) has not finished") }
    if ending.snapshot.isCancelled, !model.mayBeCancelled { fault("\(id) was cancelled by nobody") }
    if model.queue == nil, model.startCalls.isEmpty { fault("\(id) finished though nobody ran it") }
    if model.began == nil {
      checkUnrun(ending, model)
    } else {
      checkRun(ending, model)
    }
  }

  private mutating func checkRun(_ ending: RunRecord.Ending, _ model: OperationModel) {
    let id = ending.id
    if model.ended == nil { fault("\(id) has finished, and its body has not") }
    let expected: RunRecord.Outcome =
      switch model.plan.body {
      case .main, .start, .callback, .lateCallback, .doubleCallback, .blocks, .fanIn, .held: .success
      case .throwingMain, .throwingStart, .throwingBlocks, .throwingLoop: .failure
      case .abandoned: .operationError(.abandoned)
      // A cancellation that came late may have had no effect.
      case .heldUnlessCancelled, .heldCallback:
        ending.snapshot.isCancelled && ending.outcome == .cancelled ? .cancelled : .success
      }
    if ending.outcome != expected { fault("\(id) came to \(ending.outcome), not \(expected)") }
    for (other, edge) in model.edges where edge.holds(at: model.began ?? 0) && edge.certainRequirement == .success {
      if operations[other]?.hasSucceeded != true { fault("\(id) ran though \(other) did not succeed") }
    }
  }

  private mutating func checkUnrun(_ ending: RunRecord.Ending, _ model: OperationModel) {
    let id = ending.id
    switch ending.outcome {
    case .cancelled: if !ending.snapshot.isCancelled { fault("\(id) came to a cancellation uncancelled") }
    case .dependencyFailed(let root, let isCancellation):
      if ending.snapshot.isCancelled { fault("\(id) was cancelled and failed for \(root)") }
      if !hasFailedDependency(model), model.lost.isEmpty {
        fault("\(id) did not run, and none that it depends on has failed")
      }
      guard let cause = record.endings.first(where: { $0.id == root }) else {
        return fault("\(id) did not run because of something unknown")
      }
      let isRoot =
        switch cause.outcome {
        case .cancelled: isCancellation
        case .failure, .operationError: !isCancellation
        default: false
        }
      if !isRoot || !reaches(root, from: id) { fault("\(root) is not why \(id) did not run: \(cause.outcome)") }
    case .operationError(.notReady):
      // The dependency whose output it takes was removed.
      if model.plan.body != .fanIn || model.lost.isEmpty { fault("\(id) had nothing to work on") }
    default: fault("\(id) did not run and came to \(ending.outcome)")
    }
  }

  /// Whether a chain of dependencies that require success leads from an operation to another.
  private func reaches(_ root: Int, from id: Int) -> Bool {
    var (open, seen): ([Int], Set<Int>) = ([id], [id])
    while let next = open.popLast() {
      let required = operations[next]?.edges.filter { $0.value.requirement == .success }.keys.map { $0 } ?? []
      for other in required + (operations[next]?.lost.map { $0 } ?? []) {
        if other == root { return true }
        if seen.insert(other).inserted { open.append(other) }
      }
    }
    return false
  }

  // MARK: States

  private mutating func checkHistories(of ending: RunRecord.Ending) {
    let (id, history) = (ending.id, ending.history)
    if let fault = Self.fault(in: history) { self.fault("\(id) was seen as \(history.map(Self.short)): \(fault)") }
    if history.last != ending.snapshot { fault("the last that was seen of \(id) was not its end") }
    let hasExecuted = history.contains { $0.isExecuting }
    let isFanIn = model(id).plan.body == .fanIn
    if hasExecuted != (model(id).began != nil), !isFanIn { fault("\(id) was seen to execute: \(hasExecuted)") }
    for (snapshots, isWhole) in ending.lateHistories {
      let isRight =
        isWhole
        ? !snapshots.isEmpty && snapshots == history.suffix(snapshots.count)
        : snapshots.isEmpty || history.indices.contains { history[$0...].starts(with: snapshots) }
      if !isRight {
        fault("one saw \(id) as \(snapshots.map(Self.short)), another as \(history.map(Self.short))")
      }
    }
  }

  static func short(_ snapshot: OperationSnapshot) -> String { "\(snapshot.state)\(snapshot.isCancelled ? "*" : "")" }

  /// Describes what is wrong with a complete history of an operation's states; nil if nothing is.
  private static func fault(in history: [OperationSnapshot]) -> String? {
    let order: [OperationState] = [.pending, .ready, .executing, .finished]
    func rank(_ state: OperationState) -> Int { order.firstIndex(of: state) ?? 0 }
    if history.last?.isFinished != true { return "no end" }
    for (one, next) in zip(history, history.dropFirst()) {
      if one.isFinished { return "something after the end" }
      if one == next { return "the same twice" }
      if one.isCancelled, !next.isCancelled { return "no longer cancelled" }
      if one.isCancelled != next.isCancelled, next.isFinished { return "cancelled by its end" }
      if rank(next.state) < rank(one.state), one.state != .ready || next.isCancelled { return "back again" }
      if rank(next.state) > rank(one.state) + 1, one.state != .ready { return "a leap" }
    }
    return nil
  }

  // MARK: Completion blocks

  /// Checks that the last block set before the end ran once, each block set after the end ran once, and no replaced
  /// block ran.
  private mutating func checkBlocks(of id: Int) {
    var sets: [(number: Int, wasFinished: Bool, isFinished: Bool)] = []
    var runs: [Int: Int] = [:]
    var hasScopeEnded = false
    for event in record.events {
      if case .scopeEnded = event { hasScopeEnded = true }
      if case .blockRan(id, let number, _, _) = event, hasScopeEnded, model(id).queue == 0,
        sets.contains(where: { $0.number == number })
      {
        fault("the scope ended before a completion block of \(id)")
      }
      if case .blockSet(id, let number, let wasFinished, let isFinished) = event {
        sets.append((number, wasFinished, isFinished))
      }
      guard case .blockRan(id, let number, _, let outcome) = event else { continue }
      runs[number, default: 0] += 1
      if let outcome, outcome != outcomes[id] { fault("a completion block of \(id) was given \(outcome)") }
    }
    for (index, set) in sets.enumerated() {
      let count = runs[set.number] ?? 0
      let next = index + 1 < sets.count ? sets[index + 1] : nil
      if count > 1 { fault("a completion block of \(id) ran \(count) times") }
      if count == 0, next == nil || set.wasFinished || next?.wasFinished == true {
        fault("a completion block of \(id) did not run")
      }
      if count == 1, let next, !next.isFinished { fault("a completion block of \(id) ran though it had been replaced") }
    }
  }
}
