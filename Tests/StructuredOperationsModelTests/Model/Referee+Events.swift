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
    case .waitBegan(let id):
      update(id) { $0.isWaiting = true }
      if let queue = model(id).queue { queues[queue].end() }
    case .waitEnded(let id):
      update(id) { $0.isWaiting = false }
      if let queue = model(id).queue, queues[queue].goOn(isExact: isExact) {
        fault("\(id) went on in queue \(queue) though \(queues[queue].running - 1) ran, and not more may")
      }
    case .barrierCalled(let id, let queue):
      queues[queue].barriers.append(
        .init(id: id, added: .init(called: now, returned: nil), mayBeCancelled: queues[queue].isCancelled))
    case .barrierReturned(let id): updateBarrier(id) { $0.added.returned = $1 }
    case .barrierBegan(let id, let finished): barrierBegan(id, finished)
    case .barrierEnded(let id):
      updateBarrier(id) { $0.ended = $1 }
      if let queue = queueOfBarrier(id) { queues[queue].end() }
    case .callCalled(let id, let queue):
      calls[id] = queue
      callEvents[id] = ["called"]
      queues[queue].callCount += 1
    case .callBegan(let id):
      callEvents[id]?.append("began")
      if let queue = calls[id] { beginInQueue(queue, "call \(id)") }
    case .callEnded(let id):
      callEvents[id]?.append("ended")
      if let queue = calls[id] { queues[queue].end() }
    case .callReturned(let id, let hasThrown): callEvents[id]?.append(hasThrown ? "thrown" : "returned")
    case .callCancelled(let id): callEvents[id]?.append("cancelled")
    case .settled(let id, let hasSucceeded, let isFinished, let pending):
      checkWait(for: id, isFinished, pending)
      let now = now
      update(id) { model in
        model.settled = now
        model.hasSucceeded = hasSucceeded
      }
    case .waitCalled(_, let number): operationWaits.insert(number)
    case .finishSeen(let id, let isFinished, let pending): checkWait(for: id, isFinished, pending)
    case .waitReturned(let id, let number, let isFinished, let pending):
      operationWaits.remove(number)
      checkWait(for: id, isFinished, pending)
    case .startCalled(let id):
      let now = now
      update(id) { $0.startCalls.append(now) }
    case .startReturned(let id, let error, let isFinished): startReturned(id, error, isFinished)
    case .dependCalled(let id, let other): update(id) { $0.attempts.insert(other) }
    case .dependReturned(let id, let other, let requirement, let result): depended(id, other, requirement, result)
    case .undependCalled(let id, let other):
      let now = now
      update(id) { model in
        model.edges[other]?.removed = .init(called: now, returned: nil)
      }
    case .undependReturned(let id, let other):
      update(id) { model in
        if let edge = model.edges.removeValue(forKey: other), edge.requirement == .success { model.lost.insert(other) }
      }
    case .cancelCalled(let id):
      let now = now
      update(id) { model in
        if model.cancel == nil { model.cancel = .init(called: now, returned: nil) }
      }
    case .cancelReturned(let id, let wasFinished):
      let now = now
      if !wasFinished, model(id).cancel?.returned == nil { update(id) { $0.cancel?.returned = now } }
    case .cancelAllCalled(let queue): cancelAllCalled(queue)
    case .cancelAllReturned(let queue): cancelAllReturned(queue)
    case .settingCalled(let queue, let setting): queues[queue].change(to: setting)
    case .settingReturned(let queue): queues[queue].changed()
    case .priorityCalled(let id, let priority): priorityCalled(id, priority)
    case .priorityReturned(let id): priorityReturned(id)
    case .released(let id): update(id) { $0.isReleased = true }
    case .blockSet: break
    case .blockRan(let id, _, let isFinished):
      if !isFinished { fault("a completion block of \(id) ran before its end") }
    case .queueWaitCalled(let number, let queue): waits[number] = (queue, now)
    case .queueWaitReturned(let number, let unfinished): queueWaitReturned(number, unfinished)
    case .scopeCancelled: scopeCancelled()
    case .scopeEnding(let isThrowing):
      queues[0].free()
      if isThrowing { scopeCancelled() }
    case .scopeEnded(let finished, let hasThrown): scopeEnded(finished, hasThrown)
    case .idle(let snapshots): checkRest(snapshots)
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
    if let queue = before.queue, let added = before.added {
      if added.called > now { fault("\(id) ran before it was added") }
      beginInQueue(queue, "\(id)")
      checkBarriers(of: before, queue, finished)
      if isExact { checkOrder(of: id, queue) }
    } else if before.startCalls.isEmpty {
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
    if let queue = model(id).queue { queues[queue].end() }
  }

  private mutating func beginInQueue(_ queue: Int, _ name: String) {
    if queues[queue].begin() {
      fault("\(name) is one of \(queues[queue].running) in queue \(queue), of which \(queues[queue].bound) may run")
    }
    if let barrier = queues[queue].barriers.first(where: { $0.began != nil && $0.ended == nil }) {
      fault("\(name) runs beside barrier \(barrier.id) of queue \(queue)")
    }
  }

  // MARK: Answers

  private mutating func addReturned(_ call: Int, _ result: Event.AddResult) {
    guard let (ids, _, called) = adds[call] else { return }
    let refused: [Int]
    switch result {
    case .count(let count):
      guard count < ids.count else { return }
      refused = ids.count == 1 ? ids : []
    case .refused(let error):
      let isRight: Bool =
        switch error {
        case .alreadyEnqueued: true
        case .alreadyExecuting, .alreadyFinished: ids.contains { !isUntouched($0, by: called) }
        default: false
        }
      if !isRight { fault("\(ids) were refused with \(error)") }
      refused = ids.count == 1 ? ids : []
    }
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
    for (id, model) in operations where model.queue == queue {
      // An operation whose call of `add` has not returned may be cancelled too.
      guard let added = model.added, added.called < now else { continue }
      update(id) { $0.cancelAllCalled = $0.cancelAllCalled ?? now }
    }
    for index in queues[queue].barriers.indices { queues[queue].barriers[index].mayBeCancelled = true }
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
    for index in queues[queue].barriers.indices { queues[queue].barriers[index].mayBeCancelled = true }
  }

  private mutating func scopeCancelled() {
    let now = now
    queues[0].free()
    queues[0].isCancelled = true
    for (id, model) in operations where model.queue == 0 {
      update(id) { $0.cancelAllCalled = $0.cancelAllCalled ?? now }
    }
    for index in queues[0].barriers.indices { queues[0].barriers[index].mayBeCancelled = true }
  }

  private mutating func scopeEnded(_ finished: Set<Int>, _ hasThrown: Bool) {
    for (id, model) in operations where model.queue == 0 && !finished.contains(id) {
      fault("the scope ended before \(id) had finished")
    }
    if hasThrown != queues[0].isCancelled { fault("the scope threw: \(hasThrown)") }
    if queues[0].running > 0 { fault("the scope ended while \(queues[0].running) ran") }
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

  // MARK: Barriers

  func queueOfBarrier(_ id: Int) -> Int? {
    queues.firstIndex { $0.barriers.contains { $0.id == id } }
  }

  private mutating func updateBarrier(_ id: Int, _ change: (inout QueueModel.Barrier, Int) -> Void) {
    guard let queue = queueOfBarrier(id), let index = queues[queue].barriers.firstIndex(where: { $0.id == id }) else {
      return
    }
    change(&queues[queue].barriers[index], now)
  }
}
