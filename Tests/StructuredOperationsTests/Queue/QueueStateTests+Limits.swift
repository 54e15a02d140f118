import Testing

@testable import StructuredOperations

// Concurrency limits.
extension QueueStateTests {
  @Test("One in line that is blocked by the time it could begin leaves the lines")
  func blockedWhenChosen() async throws {
    var turn = QueueTurn(of: nil, in: queue)
    var state = state(limit: 1)
    let limit = ConcurrencyLimit(0)
    let (limited, late) = (AsyncOperation {}, AsyncOperation {})
    limited.storage.setLimits([limit])
    add([limited], to: &state, &turn)
    state.choose(&turn)
    #expect(!state.inLine.isEmpty)

    // The queue has not heard of it yet. It is not told of the room either: it knows nothing of this state's entries.
    try await limited.addDependency(late)
    LimitTable.setOpening(.nothing, of: queue).tell()
    limit.setCount(1)
    state.choose(&turn)

    #expect(state.inLine.isEmpty)
    #expect(limited.storage.unclaimedReadiness == .blocked)
    try await late.start()
    state.apply(.changed(limited.storage, .readiness), &turn)
    state.choose(&turn)
    #expect(limited.storage.unclaimedReadiness == nil && limit.available == 0)
    let entry = try #require(limited.storage.entry(in: queue))
    let followUps = limited.storage.publishFinish().followUps
    #expect(followUps === limited)
    state.apply(.finished(entry, followUps: followUps, .succeeded), &turn)
    #expect(limit.available == 1)
  }

  @Test("Chosen ahead, an operation takes its limits when it begins, and gives them back when the next one replaces it")
  func limitedAhead() throws {
    var turn = QueueTurn(of: nil, in: queue)
    var state = state(limit: 1)
    let limit = ConcurrencyLimit(1)
    let (running, next) = (AsyncOperation {}, AsyncOperation {})
    next.storage.setLimits([limit])
    add([running, next], to: &state, &turn)
    state.choose(&turn)
    let item = try #require(state.prefetch(in: queue)?.items.first)
    #expect(item.work === next.storage && limit.available == 1)

    replace(try #require(running.storage.entry(in: queue)), by: item, in: &state)
    guard case .run = next.storage.begin(in: try #require(BodyTask.current), isPrefetched: true) else {
      throw Unexpected("not begun")
    }
    #expect(limit.available == 0)
    var result: OperationBody.Result? = .output(OperationOutput(()))
    let refused: Bool? = next.storage.finishAtOnce(&result) { _, _ in nil }
    #expect(refused == nil && limit.available == 0, "given back before the end")
    let following = next.storage.finishAtOnce(&result) { _, held in
      LimitTable.replace(held, of: queue) { _, _ in .other }.successor
    }

    #expect(following == .other && limit.available == 1)
    #expect(next.isFinished && next.storage.read { !$0.hasLimits })
    running.finish()
  }

  @Test("Chosen ahead, an operation that lacks a limit when it is to begin stands in line, and others begin")
  func limitedAheadWithoutRoom() throws {
    var turn = QueueTurn(of: nil, in: queue)
    var state = state(limit: 1)
    let limit = ConcurrencyLimit(0)
    let (running, limited, free, last) = (AsyncOperation {}, AsyncOperation {}, AsyncOperation {}, AsyncOperation {})
    limited.storage.setLimits([limit])
    add([running, limited, free, last], to: &state, &turn)
    state.choose(&turn)
    let item = try #require(state.prefetch(in: queue)?.items.first)

    replace(try #require(running.storage.entry(in: queue)), by: item, in: &state)
    guard
      case .notReady(let readiness) = item.work.begin(in: try #require(BodyTask.current), isPrefetched: true)
    else { throw Unexpected("begun") }
    #expect(readiness == .ready)
    #expect(limited.storage.read { $0.limitDemand != nil })
    state.apply(.notBegun(item.id, item.work, readiness), &turn)
    state.choose(&turn)

    #expect(!state.inLine.isEmpty && limited.storage.unclaimedReadiness == .ready)
    #expect(free.storage.unclaimedReadiness == nil)
    // What is ready and what is in line are chosen apart.
    let content = state.prefetch(in: queue)
    let beside = try #require(content)
    #expect(beside.items.map(\.work) == [last.storage] && beside.inLine.map(\.item.work) == [limited.storage])
    #expect(beside.isBesideLine && beside.joining == .nothing)
    state.takeBack(
      QueueSharedState.Batch.Remainder(
        replacements: [], items: beside.items, inLine: beside.inLine, nextSize: 1))
    limited.cancel()
    state.apply(.changed(limited.storage, .readiness), &turn)
    #expect(state.inLine.isEmpty)
    let next = state.prefetch(in: queue)?.items.first
    #expect(next?.work === last.storage)
    for operation in [running, limited, free, last] { operation.finish() }
  }

  @Test("What is ready beside lines stands in them, too, where others of its queue stand in each of them")
  func standingAhead() throws {
    var turn = QueueTurn(of: nil, in: queue)
    var state = state(limit: 1)
    state.batchSize = 4
    state.batchSizeInLine = 4
    let (limit, other) = (ConcurrencyLimit(1), ConcurrencyLimit(1))
    let needs = [LimitNeed(limit: limit, cost: 1), LimitNeed(limit: other, cost: 1)]
    let held = needs.map { need in
      LimitTable.takeOrStand([need], as: LimitTable.Rank(priority: 0, order: 0), of: FakeQueue(), opening: .all).demand
    }
    let operations = (0..<7).map { _ in AsyncOperation {} }
    for index in [0, 2, 4] { operations[index].storage.setLimits([limit]) }
    operations[3].storage.setLimits([other])
    operations[6].storage.setLimits([limit, other])
    add(operations, to: &state, &turn)
    state.choose(&turn)
    #expect(operations[1].storage.unclaimedReadiness == nil)

    let prefetched = state.prefetch(in: queue)

    let content = try #require(prefetched)
    #expect(content.items.map(\.work) == [6, 5, 3].map { operations[$0].storage })
    #expect(content.inLine.map(\.item.work) == [4, 2, 0].map { operations[$0].storage })
    #expect(operations.allSatisfy { $0.storage.read { $0.limitDemand == nil } }, "the queue knows of all")
    // Each has its place in the lines, by which the queue finds it.
    for item in content.inLine { #expect(state.inLine.stands(item.demand, for: item.item.id)) }
    state.takeBack(
      QueueSharedState.Batch.Remainder(
        replacements: [], items: content.items, inLine: content.inLine, nextSize: 4, nextSizeInLine: 4))
    let again = state.prefetch(in: queue)
    #expect(again?.inLine.map(\.demand) == content.inLine.map(\.demand), "they stood in line anew")
    operations[2].cancel()
    state.takeBack(
      QueueSharedState.Batch.Remainder(
        replacements: [], items: content.items, inLine: content.inLine, nextSize: 4, nextSizeInLine: 4))
    state.apply(.changed(operations[2].storage, .readiness), &turn)
    #expect(state.prefetch(in: queue)?.inLine.map(\.item.work) == [4, 0].map { operations[$0].storage })
    for operation in operations { operation.finish() }
    for demand in held { LimitTable.remove(demand, by: nil).tell() }
  }

  @Test("One that stands in line ahead of a slot holds up no other queue, and makes no line")
  func aheadOfSlot() {
    let limit = ConcurrencyLimit(1)
    let needs: LimitNeeds = [LimitNeed(limit: limit, cost: 1)]
    func rank(_ order: Int) -> LimitTable.Rank { LimitTable.Rank(priority: 0, order: order) }
    #expect(LimitTable.standBesideOwn(needs, as: rank(1), of: queue) == nil)
    let holding = LimitTable.takeOrStand(needs, as: rank(2), of: FakeQueue(), opening: .all)
    #expect(LimitTable.standBesideOwn(needs, as: rank(3), of: queue) == nil)
    let first = LimitTable.takeOrStand(needs, as: rank(4), of: queue, opening: .all)
    LimitTable.setOpening(.nothing, of: queue).tell()
    let standing = LimitTable.standBesideOwn(needs, as: rank(5), of: queue)
    LimitTable.remove(holding.demand, by: nil).tell()

    let later = LimitTable.takeOrStand(needs, as: rank(6), of: FakeQueue(), opening: .all)

    #expect(holding.isTaken && !first.isTaken && standing != nil && later.isTaken)
    for demand in [later.demand, first.demand, standing].compactMap(\.self) {
      LimitTable.remove(demand, by: nil).tell()
    }
    #expect(limit.available == 1)
  }

  @Test(
    "Nobody gets a limit at once that another queue is in line for: that is told in a turn", arguments: [false, true])
  func contestedAtEnd(hasFree: Bool) throws {
    var turn = QueueTurn(of: nil, in: queue)
    var state = state(limit: 1)
    let (limit, other) = (ConcurrencyLimit(1), FakeQueue())
    let running = AsyncOperation {}
    running.storage.setLimits(hasFree ? [ConcurrencyLimit(1), limit] : [limit])
    add([running], to: &state, &turn)
    state.choose(&turn)
    #expect(limit.available == 0)
    guard case .run = running.storage.begin(in: try #require(BodyTask.current)) else { throw Unexpected("not begun") }
    let rank = LimitTable.Rank(priority: 0, order: LimitTable.nextOrder())
    let waiting = LimitTable.stand([LimitNeed(limit: limit, cost: 1)], as: rank, of: other)

    var result: OperationBody.Result? = .output(OperationOutput(()))
    let following = running.storage.finishAtOnce(&result) { _, held in
      let (successor, _) = LimitTable.replace(held, of: queue) { candidate, isContested in
        #expect(candidate == nil && isContested)
        return .unknown
      }
      return successor == .unknown ? nil : successor
    }
    #expect(following == nil && result != nil && limit.available == 0)
    let entry = try #require(running.storage.entry(in: queue))
    state.apply(.finished(entry, followUps: running.storage.publishFinish().followUps, .succeeded), &turn)

    #expect(limit.available == 1)
    turn.limitNotices.tell()
    #expect(other.messages == [.concurrencyLimitsChanged])
    LimitTable.remove(waiting, by: other).tell()
    running.storage.tellWaiters()
  }

  @Test("A limit that is added to an operation in line counts, though the queue has not heard of it yet")
  func limitInLine() async throws {
    var turn = QueueTurn(of: nil, in: queue)
    var state = state(limit: 1)
    let (one, other) = (ConcurrencyLimit(0), ConcurrencyLimit(1))
    let operation = AsyncOperation {}
    operation.storage.setLimits([one])
    add([operation], to: &state, &turn)
    state.choose(&turn)
    try await operation.addLimit(other)
    other.setCount(0)
    one.setCount(1)

    state.choose(&turn)

    #expect(operation.storage.unclaimedReadiness == .ready)
    #expect(one.available == 1)
    other.setCount(1)
    state.choose(&turn)
    #expect(operation.storage.unclaimedReadiness == nil)
    operation.finish()
  }

  /// A queue with a slot for one, which an operation has that holds a limit for one, and another one in line for it.
  private func sceneOfLine(
    _ limit: ConcurrencyLimit,
    _ turn: inout QueueTurn
  ) throws -> (QueueState, running: AsyncOperation<Void>, waiting: AsyncOperation<Void>) {
    var state = state(limit: 2)
    let operations = (0..<2).map { _ in AsyncOperation {} }
    for operation in operations { operation.storage.setLimits([limit]) }
    add(operations, to: &state, &turn)
    state.choose(&turn)
    guard case .run = operations[0].storage.begin(in: try #require(BodyTask.current)) else {
      throw Unexpected("not begun")
    }
    return (state, operations[0], operations[1])
  }

  /// Ends an operation whose limits and slot the one in line gets.
  private func pass(
    from running: AsyncOperation<Void>,
    to item: QueueSharedState.Batch.ItemInLine,
    _ state: inout QueueState
  ) throws {
    let entry = try #require(running.storage.entry(in: queue))
    var result: OperationBody.Result? = .output(OperationOutput(()))
    let successor = running.storage.finishAtOnce(&result) { _, held in
      LimitTable.replace(held, of: queue) { candidate, _ in
        candidate == item.demand ? .demand(item.demand) : .unknown
      }.successor
    }
    #expect(successor == .demand(item.demand))
    let replacement = QueueSharedState.Batch.Replacement(finished: entry, started: item.item.id, wasInLine: true)
    state.takeBack(QueueSharedState.Batch.Remainder(replacements: [replacement], items: [], nextSize: 1))
  }

  @Test("One in line that was chosen ahead begins with the limits and the slot of the one that has finished")
  func passedOn() throws {
    var turn = QueueTurn(of: nil, in: queue)
    let limit = ConcurrencyLimit(1)
    var (state, running, waiting) = try sceneOfLine(limit, &turn)
    let prefetched = state.prefetch(in: queue)?.inLine.first
    let item = try #require(prefetched)
    #expect(item.item.work === waiting.storage)

    try pass(from: running, to: item, &state)
    #expect(state.inLine.isEmpty && limit.available == 0 && state.scheduler.executingCount == 1)
    guard
      case .run = waiting.storage.begin(in: try #require(BodyTask.current), isPrefetched: true, hasTaken: true)
    else { throw Unexpected("not begun") }
    let entry = try #require(waiting.storage.entry(in: queue))
    state.apply(.finished(entry, followUps: waiting.storage.publishFinish().followUps, .succeeded), &turn)
    #expect(limit.available == 1 && state.scheduler.isEmpty)
    waiting.storage.tellWaiters()
  }

  /// What becomes of an operation between the moment in which it is chosen and that in which it is to begin.
  enum Change: CaseIterable { case cancelled, blocked, needsMore }

  @Test("One in line that cannot begin with what was taken for it gives that back", arguments: Change.allCases)
  func passedOnInVain(change: Change) async throws {
    var turn = QueueTurn(of: nil, in: queue)
    let limit = ConcurrencyLimit(1)
    var (state, running, waiting) = try sceneOfLine(limit, &turn)
    let prefetched = state.prefetch(in: queue)?.inLine.first
    let item = try #require(prefetched)
    let late = AsyncOperation {}
    switch change {
    case .cancelled: waiting.cancel()
    case .blocked: try await waiting.addDependency(late)
    case .needsMore: _ = try await waiting.addLimit(ConcurrencyLimit(1))
    }

    try pass(from: running, to: item, &state)
    #expect(limit.available == 0)
    guard
      case .notReady(let readiness) = waiting.storage.begin(
        in: try #require(BodyTask.current), isPrefetched: true, hasTaken: true)
    else { throw Unexpected("begun") }
    #expect(limit.available == 1)
    state.apply(.notBegun(item.item.id, waiting.storage, readiness), &turn)
    #expect(state.scheduler.executingCount == 0)
    try await late.start()
    if change == .blocked { state.apply(.changed(waiting.storage, .readiness), &turn) }
    state.choose(&turn)
    #expect(waiting.storage.unclaimedReadiness == nil && limit.available == (change == .cancelled ? 1 : 0))
    if change == .cancelled {
      for storage in turn.finishedUnrun { storage.tellWaiters() }
      return
    }
    let entry = try #require(waiting.storage.entry(in: queue))
    guard case .run = waiting.storage.begin(in: try #require(BodyTask.current)) else { throw Unexpected("not begun") }
    state.apply(.finished(entry, followUps: waiting.storage.publishFinish().followUps, .succeeded), &turn)
    waiting.storage.tellWaiters()
  }

  @Test("Nothing in line is chosen ahead where more run than may, under a start rate, or in a suspended queue")
  func notPassedOn() throws {
    for change in 0..<4 {
      var turn = QueueTurn(of: nil, in: queue)
      let limit = ConcurrencyLimit(1)
      var (state, running, waiting) = try sceneOfLine(limit, &turn)
      switch change {
      case 0: break
      case 1: state.scheduler.setMaxConcurrentOperationCount(0)
      case 2: state.setStartRate(OperationStartRate(9, per: .seconds(1)), QueueClock(ManualClock()))
      default: state.apply(.suspended, &turn)
      }
      let content = state.prefetch(in: queue)
      #expect((content?.inLine.count ?? 0) == (change == 0 ? 1 : 0), "\(change)")
      waiting.cancel()
      state.apply(.changed(waiting.storage, .readiness), &turn)
      for operation in [running, waiting] { operation.finish() }
    }
  }

  @Test("One in line of which it is told once more that it is ready stays in line")
  func readinessOfOneInLine() throws {
    var turn = QueueTurn(of: nil, in: queue)
    var (state, running, waiting) = try sceneOfLine(ConcurrencyLimit(1), &turn)
    let entry = try #require(waiting.storage.entry(in: queue))
    state.apply(.changed(waiting.storage, .readiness), &turn)
    #expect(state.scheduler.isInLine(entry))
    waiting.cancel()
    state.apply(.changed(waiting.storage, .readiness), &turn)
    #expect(!state.scheduler.isInLine(entry) && state.inLine.isEmpty)
    for operation in [running, waiting] { operation.finish() }
  }
}
