import Testing

@testable import StructuredOperations

// Operations that were chosen ahead, and lack a limit when they are to begin.
extension QueueStateTests {
  /// Two operations that need a whole limit, of which another queue has a part, and have the slots of two that have finished.
  private struct ChosenAhead {
    let limit = ConcurrencyLimit(2)
    let other = FakeQueue()
    let held: LimitTable.DemandID
    let running = (0..<2).map { _ in AsyncOperation {} }
    let limited = (0..<2).map { _ in AsyncOperation {} }
    let barrier: AsyncOperation<Void>?
    var state: QueueState
    let ids: [QueueState.EntryID]

    init(_ tests: QueueStateTests, _ turn: inout QueueTurn, hasBarrier: Bool = false) throws {
      state = tests.state(limit: 2)
      state.batchSize = 2
      held = Self.stand(for: limit, other).demand
      for operation in limited { _ = operation.storage.addLimit(LimitNeed(limit: limit, cost: 2)) }
      tests.add(running + limited, to: &state, &turn)
      barrier = hasBarrier ? AsyncOperation {} : nil
      if let barrier {
        _ = barrier.storage.enqueue(barrier, in: tests.queue)
        state.apply(.barrierAdded(barrier.storage, caller: nil), &turn)
      }
      state.choose(&turn)
      ids = try #require(state.prefetch(in: tests.queue)?.items).reversed().map(\.id)
      let replacements = try zip(running, ids).map { finished, id in
        QueueSharedState.Batch.Replacement(
          finished: try #require(finished.storage.entry(in: tests.queue)), started: id)
      }
      state.takeBack(QueueSharedState.Batch.Remainder(replacements: replacements, items: [], nextSize: 1))
    }

    /// Another queue takes a part of the limit, or stands in line for it.
    static func stand(for limit: ConcurrencyLimit, _ other: FakeQueue) -> (demand: LimitTable.DemandID, isTaken: Bool) {
      let rank = LimitTable.Rank(priority: 0, order: LimitTable.nextOrder())
      return LimitTable.takeAtOnceOrStand([LimitNeed(limit: limit, cost: 1)], as: rank, of: other)
    }

    /// A worker begins with one, which stands in line then.
    func beginWithoutRoom(_ index: Int) throws {
      let task: BodyTask = try #require(BodyTask.current)
      guard case .notReady(.ready) = limited[index].storage.begin(in: task, isPrefetched: true) else {
        throw Unexpected("begun")
      }
    }

    /// The queue hears of both.
    mutating func tell(_ turn: inout QueueTurn) {
      for (id, operation) in zip(ids, limited) { state.apply(.notBegun(id, operation.storage, .ready), &turn) }
    }

    mutating func end(_ turn: inout QueueTurn) {
      for operation in limited {
        operation.cancel()
        state.apply(.changed(operation.storage, .readiness), &turn)
      }
      for operation in running + limited { operation.finish() }
      barrier?.finish()
    }
  }

  @Test("The one that a worker begins with first has the limit first, whatever is free before its queue hears of it")
  func inOrder() throws {
    var turn = QueueTurn(of: nil, in: queue)
    var ahead = try ChosenAhead(self, &turn)
    try ahead.beginWithoutRoom(0)
    LimitTable.remove(ahead.held, by: nil).tell()
    try ahead.beginWithoutRoom(1)
    let ranks = ahead.ids.map { ahead.state.scheduler.entries[$0]?.rank }

    ahead.tell(&turn)
    #expect(ahead.ids.map { ahead.state.scheduler.entries[$0]?.rank } == ranks)
    ahead.state.choose(&turn)

    #expect(ahead.limit.available == 0)
    #expect(ahead.limited.map(\.storage.unclaimedReadiness) == [nil, .ready])
    ahead.end(&turn)
  }

  @Test("Nobody behind it in line goes ahead, before its queue hears of it and after", arguments: [true, false])
  func notOvertaken(hasBarrier: Bool) throws {
    var turn = QueueTurn(of: nil, in: queue)
    var ahead = try ChosenAhead(self, &turn, hasBarrier: hasBarrier)
    try ahead.beginWithoutRoom(0)
    let (behind, isTaken) = ChosenAhead.stand(for: ahead.limit, ahead.other)
    #expect(!isTaken)
    #expect(!LimitTable.take(behind, of: ahead.other).isTaken)

    try ahead.beginWithoutRoom(1)
    ahead.tell(&turn)

    #expect(!LimitTable.take(behind, of: ahead.other).isTaken)
    for demand in [behind, ahead.held] { LimitTable.remove(demand, by: ahead.other).tell() }
    ahead.end(&turn)
  }

  @Test("A priority that changes before its queue hears of it counts", arguments: [true, false])
  func priorityMeanwhile(isBefore: Bool) throws {
    var turn = QueueTurn(of: nil, in: queue)
    var ahead = try ChosenAhead(self, &turn)
    let last = ahead.limited[1]
    if isBefore { last.storage.setQueuePriority(.high) }
    for index in 0..<2 { try ahead.beginWithoutRoom(index) }
    if !isBefore { last.storage.setQueuePriority(.high) }
    ahead.state.apply(.changed(last.storage, .priority), &turn)

    ahead.tell(&turn)
    LimitTable.remove(ahead.held, by: nil).tell()
    ahead.state.choose(&turn)

    #expect(ahead.limited.map(\.storage.unclaimedReadiness) == [.ready, nil])
    let entry = try #require(last.storage.entry(in: queue))
    #expect(ahead.state.scheduler.entries[entry]?.priority == .high)
    ahead.end(&turn)
  }

  @Test("It leaves the line where it is cancelled or blocked before its queue hears of it", arguments: [true, false])
  func leftMeanwhile(isCancelled: Bool) async throws {
    var turn = QueueTurn(of: nil, in: queue)
    var ahead = try ChosenAhead(self, &turn)
    for index in 0..<2 { try ahead.beginWithoutRoom(index) }
    for operation in ahead.limited {
      if isCancelled { operation.cancel() } else { try await operation.addDependency(AsyncOperation {}) }
    }

    ahead.tell(&turn)

    #expect(ahead.state.inLine.isEmpty)
    #expect(ahead.limited.allSatisfy { $0.storage.read { $0.limitDemand == nil } })
    let (next, isTaken) = ChosenAhead.stand(for: ahead.limit, ahead.other)
    #expect(isTaken, "somebody is in line still")
    for demand in [next, ahead.held] { LimitTable.remove(demand, by: ahead.other).tell() }
    #expect(ahead.limit.available == 2)
    ahead.end(&turn)
  }
}
