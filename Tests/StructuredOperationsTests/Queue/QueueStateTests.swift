import Testing
import TestSupport

@testable import StructuredOperations

@Suite("QueueState", .timeLimit(.minutes(15)), .hangGuard)
struct QueueStateTests {
  private(set) var queue = AsyncOperationQueue(isSuspended: true)

  // The queue takes no turn, since its runner counts as awake: it would apply events of operations that only the states of
  // the tests know.
  init() { _ = queue.shared.wake() }

  func state(limit: Int) -> QueueState {
    QueueState(
      scheduler: QueueScheduler(maxConcurrentOperationCount: limit, defaultWidth: 64), scope: .none,
      defaults: queue.defaults)
  }

  /// Adds operations as the queue does.
  func add(_ operations: [AsyncOperation<Void>], to state: inout QueueState, _ turn: inout QueueTurn) {
    for operation in operations {
      _ = operation.storage.enqueue(operation, in: queue)
      state.apply(.added(operation.storage), &turn)
    }
  }

  /// Has an operation that was chosen ahead take the slot of one that has finished, as the next turn learns it.
  func replace(
    _ finished: QueueState.EntryID,
    by item: QueueSharedState.Batch.Item,
    in state: inout QueueState
  ) {
    let replacement = QueueSharedState.Batch.Replacement(finished: finished, started: item.id)
    state.takeBack(QueueSharedState.Batch.Remainder(replacements: [replacement], items: [], nextSize: 1))
  }

  @Test("What is chosen and put back, since it is not ready any more, does not count for the start rate")
  func putBackUnderRate() async throws {
    var turn = QueueTurn(of: nil, in: queue)
    var state = state(limit: 2)
    state.setStartRate(OperationStartRate(1, per: .seconds(10)), QueueClock(ManualClock()))
    let (blocked, next, last) = (AsyncOperation {}, AsyncOperation {}, AsyncOperation {})
    add([blocked, next, last], to: &state, &turn)
    try await blocked.addDependency(last)
    state.choose(&turn)

    #expect(state.scheduler.executingCount == 1)
    #expect(next.storage.unclaimedReadiness == nil)
    #expect(last.storage.unclaimedReadiness == .ready)
    #expect(state.scheduler.startsAreHeld)
    for operation in [next, blocked, last] { operation.finish() }
  }

  @Test("Under a start rate no more is chosen ahead than may begin, and what has begun counts")
  func prefetchUnderRate() throws {
    var turn = QueueTurn(of: nil, in: queue)
    var state = state(limit: 1)
    let clock = ManualClock()
    state.setStartRate(OperationStartRate(3, per: .seconds(10)), QueueClock(clock))
    let operations = (0..<5).map { _ in AsyncOperation {} }
    add(operations, to: &state, &turn)
    state.choose(&turn)
    state.batchSize = 64
    let prefetched = state.prefetch(in: queue)
    let content = try #require(prefetched)
    #expect(content.items.map(\.work) == [operations[2].storage, operations[1].storage])
    #expect(content.countsStartsSince == .zero)

    // One begins two seconds later, the other is put back.
    clock.advance(by: .seconds(2))
    let finished = try #require(operations[0].storage.entry(in: queue))
    let started = QueueSharedState.Batch.Replacement(finished: finished, started: content.items[1].id)
    state.takeBack(
      QueueSharedState.Batch.Remainder(
        replacements: [started], items: [content.items[0]], nextSize: 64, startTimes: [.seconds(2)]))
    state.choose(&turn)
    #expect(state.prefetch(in: queue)?.items.map(\.work) == [operations[2].storage])

    // The first one does not count any more.
    clock.advance(by: .seconds(8))
    state.takeBack(QueueSharedState.Batch.Remainder(replacements: [], items: [content.items[0]], nextSize: 64))
    state.choose(&turn)
    #expect(state.prefetch(in: queue)?.items.map(\.work) == [operations[3].storage, operations[2].storage])
    for operation in operations { operation.finish() }
  }

  @Test("A prefetched operation that is not ready when it is to begin does not count for the start rate")
  func notBegunUnderRate() async throws {
    var turn = QueueTurn(of: nil, in: queue)
    var state = state(limit: 1)
    state.setStartRate(OperationStartRate(2, per: .seconds(10)), QueueClock(ManualClock()))
    let (running, next, late) = (AsyncOperation {}, AsyncOperation {}, AsyncOperation {})
    add([running, next], to: &state, &turn)
    state.choose(&turn)
    let item = try #require(state.prefetch(in: queue)?.items.first)
    try await next.addDependency(late)
    let finished = try #require(running.storage.entry(in: queue))
    let replacement = QueueSharedState.Batch.Replacement(finished: finished, started: item.id)
    state.takeBack(
      QueueSharedState.Batch.Remainder(replacements: [replacement], items: [], nextSize: 1, startTimes: [.zero]))
    #expect(state.time?.machine.holdsStarts == true)

    state.apply(.leftUnrun(.zero), &turn)
    state.apply(.notBegun(item.id, item.work, .blocked), &turn)

    #expect(state.time?.machine.holdsStarts == false)
    next.cancel()
    for operation in [running, next] { operation.finish() }
  }

  /// What else decides when an operation of a queue runs.
  enum Circumstance: CaseIterable { case nothing, noBlocked, barrier, startRate, lineForLimits }

  @Test(
    "What becomes ready may join the batch as long as dependencies and slots alone decide",
    arguments: Circumstance.allCases)
  func joining(circumstance: Circumstance) async throws {
    typealias Joining = QueueSharedState.Batch.Joining
    for (limit, count, joining) in [
      (2, 1, Joining.freeSlots(1)), (5, 2, .freeSlots(3)),
      (1, 1, .everything), (1, 2, .everything), (1, 3, .beforeLast),
    ] {
      var turn = QueueTurn(of: nil, in: queue)
      var state = state(limit: limit)
      let operations = (0..<count).map { _ in AsyncOperation {} }
      let blocked = AsyncOperation {}
      if circumstance != .noBlocked { try await blocked.addDependency(operations[0]) }
      if circumstance == .startRate {
        state.setStartRate(OperationStartRate(9, per: .seconds(10)), QueueClock(ManualClock()))
      }
      let limited = AsyncOperation {}
      let full = ConcurrencyLimit(0)
      if circumstance == .lineForLimits {
        limited.storage.setLimits([full])
        add([limited], to: &state, &turn)
      }
      add(operations + (circumstance == .noBlocked ? [] : [blocked]), to: &state, &turn)
      let barrier = AsyncOperation {}
      if circumstance == .barrier {
        _ = barrier.storage.enqueue(barrier, in: queue)
        state.apply(.barrierAdded(barrier.storage, caller: nil), &turn)
      }
      state.choose(&turn)

      let content = state.prefetch(in: queue)

      switch circumstance {
      case .nothing: #expect(content?.joining == joining, "\(limit), \(count)")
      case .noBlocked, .barrier, .startRate:
        #expect(content?.joining ?? .nothing == .nothing)
        #expect(content?.items.isEmpty != true, "a batch of nothing that nothing may join")
      case .lineForLimits:
        #expect(content?.joining ?? .nothing == .nothing)
        #expect(content?.isBesideLine ?? true && content?.inLine.map(\.item.work) == [limited.storage])
      }
      if circumstance == .lineForLimits {
        limited.cancel()
        state.apply(.changed(limited.storage, .readiness), &turn)
      }
      for operation in operations + [blocked, barrier, limited] where !operation.storage.isIdle { operation.finish() }
    }
  }

  @Test("A prefetched operation that is blocked when it is to begin is judged anew", arguments: [false, true])
  func notBegun(isCancelled: Bool) async throws {
    var turn = QueueTurn(of: nil, in: queue)
    var state = state(limit: 1)
    let (running, next, late) = (AsyncOperation {}, AsyncOperation {}, AsyncOperation {})
    add([running, next], to: &state, &turn)
    state.choose(&turn)
    let item = try #require(state.prefetch(in: queue)?.items.first)
    #expect(item.work === next.storage)

    // What a child task does whose operation has finished, while others change what it is about to run.
    try await next.addDependency(late)
    let finished = try #require(running.storage.entry(in: queue))
    replace(finished, by: item, in: &state)
    guard
      case .notReady(let readiness) = next.storage.begin(in: try #require(BodyTask.current), isPrefetched: true)
    else { throw Unexpected("begun") }
    #expect(readiness == .blocked)
    if isCancelled { next.cancel() } else { try await late.start() }
    state.apply(.notBegun(item.id, item.work, readiness), &turn)
    state.choose(&turn)

    #expect(turn.finishedUnrun.contains { $0 === next.storage } == isCancelled)
    #expect(next.storage.unclaimedReadiness == nil)
    if !isCancelled { _ = next.storage.publishFinish() }
    _ = running.storage.publishFinish()
  }

  @Test("One that depends on a barrier behind it by then falls behind that barrier")
  func notBegunBeforeBarrier() async throws {
    var turn = QueueTurn(of: nil, in: queue)
    var state = state(limit: 2)
    let (running, next, barrier) = ((0..<2).map { _ in AsyncOperation {} }, AsyncOperation {}, AsyncOperation {})
    let (blocked, late) = (AsyncOperation {}, AsyncOperation {})
    try await blocked.addDependency(late)
    add(running + [next, blocked], to: &state, &turn)
    _ = barrier.storage.enqueue(barrier, in: queue)
    state.apply(.barrierAdded(barrier.storage, caller: nil), &turn)
    state.choose(&turn)
    let item = try #require(state.prefetch(in: queue)?.items.first)
    #expect(item.work === next.storage)

    try await next.addDependency(barrier)
    let finished = try running.map { try #require($0.storage.entry(in: queue)) }
    replace(finished[0], by: item, in: &state)
    // The free slot has the queue look for what unblocks it; but the operation is chosen still, so it cannot be moved.
    state.apply(.finished(finished[1], followUps: nil, .succeeded), &turn)
    state.choose(&turn)
    #expect(!state.isStallAnalysisDue)
    state.apply(.notBegun(item.id, item.work, .blocked), &turn)
    blocked.cancel()
    state.apply(.changed(blocked.storage, .readiness), &turn)
    state.choose(&turn)

    #expect(barrier.storage.unclaimedReadiness == nil)
    for operation in running + [barrier, next] { operation.finish() }
  }

  @Test("What it depends on by then, behind a barrier, passes that, though others run still")
  func notBegunBeforePassing() async throws {
    var turn = QueueTurn(of: nil, in: queue)
    var state = state(limit: 3)
    let (running, next, barrier) = ((0..<3).map { _ in AsyncOperation {} }, AsyncOperation {}, AsyncOperation {})
    let (blocked, behind) = (AsyncOperation {}, AsyncOperation {})
    try await blocked.addDependency(AsyncOperation {})
    add(running + [next, blocked], to: &state, &turn)
    _ = barrier.storage.enqueue(barrier, in: queue)
    state.apply(.barrierAdded(barrier.storage, caller: nil), &turn)
    add([behind], to: &state, &turn)
    state.choose(&turn)
    let item = try #require(state.prefetch(in: queue)?.items.first)
    #expect(item.work === next.storage)

    let finished = try running.map { try #require($0.storage.entry(in: queue)) }
    replace(finished[0], by: item, in: &state)
    state.apply(.finished(finished[1], followUps: nil, .succeeded), &turn)
    // The free slot has the queue look for what unblocks it; but the operation is chosen still.
    state.choose(&turn)
    #expect(!state.isStallAnalysisDue)
    try await next.addDependency(behind)
    #expect(behind.storage.unclaimedReadiness == .ready)
    state.apply(.notBegun(item.id, item.work, .blocked), &turn)
    state.choose(&turn)

    #expect(behind.storage.unclaimedReadiness == nil)
    for operation in running + [behind, next, barrier, blocked] { operation.finish() }
  }

  @Test("A change of priority leads to the one that the operation has, whatever it was when the change was posted")
  func priority() async throws {
    var turn = QueueTurn(of: nil, in: queue)
    var state = state(limit: 0)
    let (one, other) = (AsyncOperation {}, AsyncOperation {})
    add([one, other], to: &state, &turn)
    await other.setQueuePriority(.low)
    OperationStorage.escalate([other.storage], to: .high)
    state.apply(.changed(other.storage, .priority), &turn)
    state.apply(.widthChanged(1), &turn)
    state.choose(&turn)
    #expect(other.storage.unclaimedReadiness == nil && one.storage.unclaimedReadiness == .ready)
    _ = other.storage.publishFinish()
    for storage in [one.storage] {
      #expect(storage.apply { $0.claim() } == .ready)
      _ = storage.publishFinish()
    }
  }

  @Test("An operation is admitted under the identifier that the scheduler gives it")
  func admission() {
    var turn = QueueTurn(of: nil, in: queue)
    var state = state(limit: 0)
    let operations = (0..<3).map { _ in AsyncOperation {} }
    add(operations, to: &state, &turn)
    for operation in operations {
      let id = operation.storage.entry(in: queue)
      #expect(id.map { state.scheduler.work(of: $0) === operation.storage } == true)
    }
    operations.forEach { $0.cancel() }
    state.apply(.allCancelled, &turn)
    state.choose(&turn)
    #expect(turn.finishedUnrun.map { ObjectIdentifier($0) } == operations.map { ObjectIdentifier($0.storage) })
    #expect(turn.outcomes.cancelled == 3 && turn.outcomes.total == 3)
  }

  @Test(
    "The first failure cancels the rest, where that is the policy; later ones change nothing",
    arguments: [OperationFailurePolicy.continue, .cancelAll])
  mutating func failure(policy: OperationFailurePolicy) throws {
    queue = AsyncOperationQueue(
      name: nil, limit: 0, taskPriority: nil, executor: nil, isSuspended: true, isMain: false, scope: .none,
      onFailure: policy)
    var turn = QueueTurn(of: nil, in: queue)
    var state = QueueState(
      scheduler: QueueScheduler(maxConcurrentOperationCount: 0, defaultWidth: 64, isSuspended: true), scope: .open,
      onFailure: policy,
      defaults: queue.defaults)
    let operations = (0..<2).map { _ in AsyncOperation {} }
    let (elsewhere, dependent) = (AsyncOperation { throw Failure(code: 1) }, AsyncOperation {})
    elsewhere.storage.finishAlone(elsewhere.storage.publishFinish(.error(Failure(code: 1))), as: elsewhere)
    try DependencyGraph.add(elsewhere, to: dependent, requirement: .success)
    add(operations, to: &state, &turn)
    state.choose(&turn)
    #expect(turn.outcomes.total == 0)
    add([dependent], to: &state, &turn)
    state.apply(.resumed, &turn)
    state.mayHaveChosenArrivals = false
    state.choose(&turn)

    let cancels = policy == .cancelAll
    #expect(state.mayHaveChosenArrivals == cancels, "what is about to join the next batch has left")
    #expect(turn.outcomes.failed == 1 && turn.outcomes.cancelled == (cancels ? 2 : 0))
    #expect(
      state.scope == (cancels ? .cancelled : .open) && state.scheduler.maxConcurrentOperationCount == (cancels ? 1 : 0))
    if cancels {
      guard case OperationError.dependencyFailed(let root, underlying: _)? = state.failure else {
        throw Unexpected("no failure")
      }
      #expect(root === elsewhere)
    } else {
      #expect(state.failure == nil)
      operations.forEach { $0.cancel() }
      state.apply(.allCancelled, &turn)
      state.choose(&turn)
    }
  }

  @Test("An operation that was skipped and is ready again by the time of the turn is not skipped")
  func skippedNoMore() async throws {
    var turn = QueueTurn(of: nil, in: queue)
    var state = state(limit: 1)
    let (failed, operation) = (AsyncOperation<Void> { throw Failure() }, AsyncOperation {})
    try await failed.start()
    try await operation.addDependency(failed, requiring: .success)
    add([operation], to: &state, &turn)
    await operation.removeDependency(failed)

    state.choose(&turn)

    #expect(turn.finishedUnrun.isEmpty)
    #expect(operation.storage.unclaimedReadiness == nil, "it was started")
    _ = operation.storage.publishFinish()
  }

  @Test("Whatever has changed of an operation, the queue learns whether it is ready")
  func readinessWithPriority() async throws {
    for change in [OperationChange.readiness, .priority] {
      var turn = QueueTurn(of: nil, in: queue)
      var state = state(limit: 1)
      let (dependency, operation) = (AsyncOperation {}, AsyncOperation {})
      try await operation.addDependency(dependency)
      add([operation], to: &state, &turn)
      state.choose(&turn)
      #expect(operation.storage.unclaimedReadiness == .blocked)
      // That it is ready is posted to the queue, and not to this state.
      try await dependency.start()

      state.apply(.changed(operation.storage, change), &turn)
      state.choose(&turn)

      #expect(operation.storage.unclaimedReadiness == nil, "it was started")
      _ = operation.storage.publishFinish()
    }
  }

  @Test("A wait that is over when its body comes to release the slot keeps the slot")
  func overBeforeRelease() async throws {
    var turn = QueueTurn(of: nil, in: queue)
    var state = state(limit: 1)
    let (running, awaited) = (AsyncOperation {}, AsyncOperation {})
    add([running], to: &state, &turn)
    state.choose(&turn)
    let task = try #require(BodyTask.current)
    let context = ExecutionContext(operation: running, task: task)
    let wait = ExecutionContext.$queue.withValue(queue) { BodyWait(of: context, for: .operations([awaited])) }
    guard case .run = running.storage.begin(in: task) else { throw Unexpected("not begun") }
    running.storage.apply { $0.waitBegan(wait) }
    #expect(wait.finishedOne())

    // The request comes first, and has no effect.
    state.apply(.slotRequested(wait), &turn)
    #expect(turn.resumingBodies.isEmpty)
    state.apply(.slotReleased(wait), &turn)

    #expect(turn.resumingBodies.map { $0 === wait } == [true])
    #expect(state.releasedSlots.isEmpty && state.scheduler.waitingCount == 0)
    _ = running.storage.publishFinish()
  }
}
