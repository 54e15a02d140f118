import StructuredOperations

extension Referee {
  mutating func apply(_ event: Event) {
    switch event {
    case .addCalled(let call, let ids, let queue): adds[call] = (ids, queue, now)
    case .addReturned(let call, let result): addReturned(call, result)
    case .began(let id, let queue, let finished):
      if queue != model(id).queue { fault("\(id) ran in another place than it was added to") }
      began(id, finished)
    case .ended(let id): ended(id)
    case .waitBegan(let id, let lending): waitBegan(id, lending)
    case .waitEnded(let id): waitEnded(id)
    case .bodyRead(let id, let other, let outcome, let isCancelled): bodyRead(id, other, outcome, isCancelled)
    case .ownBarrierReturned(let id, let result):
      if result != .refused(.waitWouldDeadlock) { fault("\(id) called a barrier of its own queue: \(result)") }
    case .barrierCalled(let id, let queue, let kind, let limits): barrierCalled(id, queue, kind, limits)
    case .barrierReturned(let id, let isRefused): barrierReturned(id, isRefused)
    case .barrierBegan(let id, let finished): barrierBegan(id, finished)
    case .barrierEnded(let id, let isThrowing): barrierEnded(id, isThrowing)
    case .barrierSettled(let id, let outcome, let finished): barrierSettled(id, outcome, finished)
    case .barrierCallReturned(let id, let result): barrierCallReturned(id, result)
    case .barrierCancelled(let id): barrierCancelled(id)
    case .callCalled(let id, let queue, let limits):
      calls[id] = queue
      callLimits[id] = limits
      callTimes[id] = now
      callEvents[id] = ["called"]
      queues[queue].callCount += 1
    case .callBegan(let id):
      callEvents[id]?.append("began")
      if let queue = calls[id] { beginInQueue(queue, "call \(id)") }
      take(costs(callLimits[id] ?? []), "call \(id)")
      checkLine(ofCall: costs(callLimits[id] ?? []), "call \(id)", called: callTimes[id] ?? now)
    case .callEnded(let id, let isThrowing):
      callEvents[id]?.append(isThrowing ? "failed" : "ended")
      give(costs(callLimits[id] ?? []))
      if let queue = calls[id] {
        queues[queue].end()
        if isThrowing { mayFail(2000 + id, in: queue) }
      }
    case .callReturned(let id, let result): callReturned(id, result)
    case .callCancelled(let id): callEvents[id]?.append("cancelled")
    case .settled(let id, let outcome, let isFinished, let pending):
      checkWait(for: id, isFinished, pending)
      let now = now
      update(id) { model in
        model.settled = now
        model.hasSucceeded = outcome.isSuccess
      }
      if outcome.isFailure, let queue = model(id).queue { failed(id, in: queue) }
      if outcome == .operationError(.notReady), let queue = model(id).queue { rates[queue].mayHaveBegun(at: time) }
    case .valueCalled(let id, let reader): valueCalled(id, reader)
    case .valueCancelled(let reader): readers[reader]?.cancelled = now
    case .valueReturned(_, let reader, let outcome, let isFinished): valueReturned(reader, outcome, isFinished)
    case .waitCalled(_, let number): operationWaits.insert(number)
    case .finishSeen(let id, let isFinished, let pending): checkWait(for: id, isFinished, pending)
    case .waitReturned(let id, let number, let isFinished, let pending):
      operationWaits.remove(number)
      checkWait(for: id, isFinished, pending)
    case .startCalled(let id):
      let now = now
      update(id) { model in
        model.startCalls.append(now)
        model.openStarts += 1
      }
    case .startReturned(let id, let error, let isFinished):
      update(id) { $0.openStarts -= 1 }
      startReturned(id, error, isFinished)
    case .dependCalled(let id, let other): update(id) { $0.attempts.insert(other) }
    case .dependReturned(let id, let other, let requirement, let result): depended(id, other, requirement, result)
    case .undependCalled(let id, let other):
      let now = now
      mayFail()
      update(id) { model in
        model.edges[other]?.removed = .init(called: now, returned: nil)
      }
    case .undependReturned(let id, let other):
      update(id) { model in
        if let edge = model.edges.removeValue(forKey: other), edge.requirement == .success { model.lost.insert(other) }
      }
    case .cancelCalled(let id):
      let now = now
      mayFail()
      update(id) { model in
        if model.cancel == nil { model.cancel = .init(called: now, returned: nil) }
      }
    case .cancelReturned(let id, let wasFinished):
      let now = now
      if !wasFinished, model(id).cancel?.returned == nil { update(id) { $0.cancel?.returned = now } }
    case .cancelAllCalled(let queue): cancelAllCalled(queue)
    case .cancelAllReturned(let queue): cancelAllReturned(queue)
    case .settingCalled(let queue, let setting): queues[queue].change(to: setting, at: now)
    case .settingReturned(let queue): queues[queue].changed(at: now, time)
    case .limitAddCalled, .limitAddReturned, .countCalled, .countReturned, .rateCalled, .rateReturned, .attemptBegan,
      .attemptEnded, .retryEnded, .timedWaitBegan, .timedWaitEnded:
      applyToLimitsAndTime(event)
    case .priorityCalled(let id, let priority): priorityCalled(id, priority)
    case .priorityReturned(let id): priorityReturned(id)
    case .released(let id): update(id) { $0.isReleased = true }
    case .blockSet: break
    case .closeCalled(let queue): queues[queue].closeCalled(at: now)
    case .closeReturned(let queue): queues[queue].closeReturned(at: now)
    case .statesEnded(let queue, let last): statesEnded(queue, last)
    case .blockRan(let id, _, let isFinished, _):
      if !isFinished { fault("a completion block of \(id) ran before its end") }
    case .queueWaitCalled(let number, let queue): waits[number] = (queue, now)
    case .queueWaitReturned(let number, let unfinished): queueWaitReturned(number, unfinished)
    case .scopeCancelled: scopeCancelled()
    case .scopeEnding(let isThrowing):
      queues[0].free()
      isScopeEnding = true
      if isThrowing { scopeCancelled() }
    case .scopeEnded(let finished, let result): scopeEnded(finished, result)
    case .idle(let snapshots): checkRest(snapshots)
    }
  }

  private mutating func applyToLimitsAndTime(_ event: Event) {
    switch event {
    case .limitAddReturned(let id, let need, let result): limitAdded(id, need, result)
    case .countCalled(let count, let limit): limits[limit].change(to: count, at: now)
    case .countReturned(let limit): limits[limit].changed(at: now)
    case .rateCalled(let queue, let rate):
      rates[queue].change()
      changingRates[queue] = rate
    case .rateReturned(let queue): rates[queue].changed(to: changingRates[queue] ?? nil, at: time)
    case .attemptBegan(let id, let number): attemptBegan(id, number)
    case .attemptEnded(let id, let number, let result): attemptEnded(id, number, result)
    case .retryEnded(let id, let result): retryEnded(id, result)
    case .timedWaitBegan(let id): timedWaitBegan(id)
    case .timedWaitEnded(let id, let result): timedWaitEnded(id, result)
    default: break
    }
  }

  // MARK: Bodies

  private mutating func began(_ id: Int, _ finished: Set<Int>) {
    let now = now
    let before = model(id)
    if before.began != nil { fault("\(id) ran twice") }
    update(id) { $0.began = now }
    for (other, edge) in before.edges where edge.holds(at: now) && !finished.contains(other) {
      fault("\(id) ran before \(other), which it depends on, had finished")
    }
    // Blocks run in tasks of their own, which begin later than the operation: it may be cancelled in between.
    if isExact, !before.hasBlocks, before.cancel?.returned != nil || before.cancelAllReturned != nil {
      fault("\(id) ran though it had been cancelled before")
    }
    for (other, edge) in before.edges where edge.holds(at: now) && finished.contains(other) {
      checkHasNotSlipped(before, through: model(other))
    }
    if finished.contains(id) { fault("\(id) runs though it has finished") }
    if isExact, !before.hasBlocks, before.queue == 0, let failure = firstFailure {
      fault("\(id) ran though its scope had been cancelled for \(failure)")
    }
    if let queue = before.queue, let added = before.added {
      if added.called > now { fault("\(id) ran before it was added") }
      beginInQueue(queue, "\(id)")
      checkBarriers(of: before, queue, finished)
      if isExact { checkOrder(of: id, queue) }
      take(costs(of: id), "\(id)")
      checkLine(of: id, queue)
      return
    }
    take(costs(of: id), "\(id)")
    if before.startCalls.isEmpty {
      fault("\(id) ran though nobody had added or started it")
    }
  }

  /// Checks that cancelling all operations of a queue does not let a dependent run because its dependency left first.
  private mutating func checkHasNotSlipped(_ operation: OperationModel, through dependency: OperationModel) {
    guard dependency.began == nil, dependency.queue == operation.queue, dependency.cancel == nil,
      let cancelled = dependency.cancelAllCalled, let returned = operation.added?.returned, returned < cancelled,
      dependency.lost.isEmpty, dependency.edges.allSatisfy({ $0.value.requirement == .completion })
    else { return }
    fault("\(operation.plan.id) ran after \(dependency.plan.id) had been cancelled together with it")
  }

  private mutating func ended(_ id: Int) {
    let now = now
    if model(id).began == nil || model(id).ended != nil { fault("\(id) ended without running") }
    update(id) { $0.ended = now }
    give(costs(of: id))
    if let queue = model(id).queue { queues[queue].end() }
    if model(id).bodyFails { mayFail() }
  }

  private mutating func waitBegan(_ id: Int, _ lending: Event.Lending) {
    update(id) { model in
      model.isWaiting = true
      model.lending = lending
    }
    lend(costs(of: id), lending)
    if lending != .none, let queue = model(id).queue { queues[queue].lend(isCertain: lending == .certain) }
  }

  private mutating func waitEnded(_ id: Int) {
    update(id) { $0.isWaiting = false }
    let model = model(id)
    if model.lending != .none { take(costs(of: id), "\(id), which goes on,") }
    guard model.lending != .none, let queue = model.queue else { return }
    if queues[queue].goOn(isExact: isExact && model.lending == .certain) {
      fault("\(id) went on in queue \(queue) though \(queues[queue].running - 1) ran, and not more may")
    }
  }

  private mutating func beginInQueue(_ queue: Int, _ name: String) {
    if queues[queue].begin() {
      fault("\(name) is one of \(queues[queue].running) in queue \(queue), of which \(queues[queue].bound) may run")
    }
    beginUnderRate(queue, name)
    if let barrier = queues[queue].barriers.first(where: { $0.began != nil && $0.ended == nil }) {
      fault("\(name) runs beside barrier \(barrier.id) of queue \(queue)")
    }
  }

  mutating func beginUnderRate(_ queue: Int, _ name: String) {
    guard rates[queue].began(at: time), let rate = rates[queue].rate else { return }
    fault("\(name) is one of more than \(rate.count) that begin in queue \(queue) within \(rate.duration)")
  }

  // MARK: Answers

  private mutating func addReturned(_ call: Int, _ result: Event.AddResult) {
    guard let (ids, queue, called) = adds[call] else { return }
    let closing = queues[queue].closing
    let refused: [Int]
    switch result {
    case .count(let count):
      if count > 0, let closed = closing?.returned, closed < called { fault("queue \(queue), closed, took \(ids)") }
      guard count < ids.count else { return }
      refused = ids.count == 1 ? ids : []
    case .refused(let error):
      let isRight: Bool =
        switch error {
        case .alreadyEnqueued: true
        case .queueClosed: closing != nil
        case .alreadyExecuting, .alreadyFinished: ids.contains { !isUntouched($0, by: called) }
        default: false
        }
      if !isRight { fault("\(ids) were refused with \(error)") }
      refused = ids.count == 1 ? ids : []
    }
    // On threads, another call may have met an operation that a closed queue was about to refuse.
    if closing != nil || !isExact && queues.contains(where: { $0.closing != nil }) { return }
    for id in refused where isUntouched(id, by: called) { fault("\(id) was refused though nobody had it") }
  }

  /// Whether no other call can have added or started the operation so far.
  private func isUntouched(_ id: Int, by called: Int) -> Bool {
    let model = model(id)
    if !model.startCalls.isEmpty { return false }
    guard let added = model.added else { return true }
    return added.called > now
  }

  private mutating func startReturned(_ id: Int, _ error: OperationError?, _ isFinished: Bool) {
    let model = model(id)
    switch error {
    case nil: if !isFinished { fault("start() of \(id) came back before its end") }
    case .notReady: if model.attempts.isEmpty { fault("\(id) was not ready without depending on anything") }
    case .alreadyEnqueued:
      if model.queue == nil && !adds.values.contains(where: { $0.ids.contains(id) }) {
        fault("\(id) was already enqueued, but by nobody")
      }
    case .alreadyExecuting:
      if model.queue == nil, model.startCalls.count < 2 { fault("\(id) was executing already, but for nobody") }
    default: fault("start() of \(id) threw \(error.map { "\($0)" } ?? "")")
    }
  }

  /// Checks that when a wait returns, the operation has finished and its dependents have become ready.
  private mutating func checkWait(for id: Int, _ isFinished: Bool, _ pending: Set<Int>) {
    if !isFinished { fault("a wait for \(id) came back before its end") }
    update(id) { $0.hasBeenWaitedFor = true }
    // On threads, other waits may have returned since the states were read.
    for other in pending where isExact && model(other).attempts.contains(id) {
      if model(other).attempts.allSatisfy({ model($0).hasBeenWaitedFor }) {
        fault("a wait for \(id) came back before \(other) was ready")
      }
    }
  }

  private mutating func queueWaitReturned(_ number: Int, _ unfinished: Set<Int>) {
    guard let (queue, called) = waits.removeValue(forKey: number) else { return }
    for id in unfinished.sorted() {
      guard model(id).queue == queue, let returned = model(id).added?.returned, returned < called else { continue }
      fault("a wait for queue \(queue) came back before \(id) had finished")
    }
  }

  // MARK: Cancellation and priorities

  private mutating func cancelAllCalled(_ queue: Int) {
    let now = now
    queues[queue].cancelAllCount += 1
    mayFail()
    for (id, model) in operations where model.queue == queue {
      // An operation whose call of `add` has not returned may be cancelled too.
      guard let added = model.added, added.called < now else { continue }
      update(id) { $0.cancelAllCalled = $0.cancelAllCalled ?? now }
    }
    for index in queues[queue].barriers.indices {
      queues[queue].barriers[index].mayBeCancelled = true
      queues[queue].barriers[index].isBeingCancelled = queues[queue].barriers[index].added.returned != nil
    }
  }

  private mutating func cancelAllReturned(_ queue: Int) {
    let now = now
    queues[queue].cancelAllCount -= 1
    for (id, model) in operations where model.queue == queue {
      guard let added = model.added, added.called < now else { continue }
      let isCertain = added.returned.map { returned in model.cancelAllCalled.map { returned < $0 } ?? false } ?? false
      update(id) { model in
        // An operation that was added at the same time may have been cancelled, and later ones not.
        model.cancelAllCalled = model.cancelAllCalled ?? added.called
        if isCertain, model.began == nil, model.settled == nil { model.cancelAllReturned = now }
      }
    }
    for index in queues[queue].barriers.indices {
      queues[queue].barriers[index].mayBeCancelled = true
      let barrier = queues[queue].barriers[index]
      if barrier.isBeingCancelled, barrier.began == nil { queues[queue].barriers[index].isCancelled = true }
    }
  }

  private mutating func priorityCalled(_ id: Int, _ priority: QueuePriority) {
    let now = now
    update(id) { model in
      model.changingPriority = (priority, now)
      model.lastPriorityChange = now
      if let added = model.added, added.called < now, added.returned.map({ $0 > now }) ?? true {
        model.hasUnknownRank = true
      }
    }
  }

  private mutating func priorityReturned(_ id: Int) {
    let now = now
    update(id) { model in
      guard let (priority, called) = model.changingPriority else { return }
      model.changingPriority = nil
      model.lastPriorityChange = now
      let isMoved = priority != model.priority
      model.priority = priority
      guard let added = model.added, added.called < now else { return }
      // It is unknown whether it was in the queue by then.
      if added.called > called || (added.returned.map { $0 > called } ?? true) { model.hasUnknownRank = true }
      if isMoved { model.moved = .init(called: called, returned: now) }
    }
  }

  // MARK: Dependencies

  private mutating func depended(
    _ id: Int,
    _ other: Int,
    _ requirement: DependencyRequirement,
    _ result: Event.DependResult
  ) {
    let now = now
    switch result {
    case .onSelf: if id != other { fault("\(id) was told that \(other) is itself") }
    case .added(let isListed):
      if id == other { fault("\(id) depends on itself") }
      update(id) { model in
        let old = model.edges[other]
        model.edges[other] = .init(
          requirement: old?.requirement == .success ? .success : requirement, added: old?.added ?? now,
          isListed: isListed || old?.isListed == true,
          certainRequirement: old == nil ? requirement : old?.certainRequirement ?? .completion)
      }
    case .loop(let path):
      guard path.count >= 2, path[0] == id, path[1] == other, Set(path).count == path.count else {
        return fault("\(id) on \(other) closes no loop along \(path)")
      }
      for (one, next) in zip(path.dropFirst(), path.dropFirst(2) + [id]) where !model(one).attempts.contains(next) {
        fault("\(path) is no loop: \(one) does not depend on \(next)")
      }
    }
  }
}
