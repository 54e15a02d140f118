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
    let item = try #require(state.prefetch()?.items.first)
    #expect(item.work === next.storage && limit.available == 1)

    replace(try #require(running.storage.entry(in: queue)), by: item, in: &state)
    guard case .run = next.storage.begin(in: try #require(BodyTask.current), isPrefetched: true) else {
      throw Unexpected("not begun")
    }
    #expect(limit.available == 0)
    var result: OperationBody.Result? = .output(OperationOutput(()))
    let refused: Bool? = next.storage.finishAtOnce(&result) { _ in nil }
    #expect(refused == nil && limit.available == 0, "given back before the end")
    let following = next.storage.finishAtOnce(&result) { _ in true }

    #expect(following == true && limit.available == 1)
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
    let item = try #require(state.prefetch()?.items.first)

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
    // While it is in line nothing is chosen ahead of it.
    let isChosenAhead = state.prefetch() != nil
    #expect(!isChosenAhead)
    limited.cancel()
    state.apply(.changed(limited.storage, .readiness), &turn)
    #expect(state.inLine.isEmpty)
    let next = state.prefetch()?.items.first
    #expect(next?.work === last.storage)
    for operation in [running, limited, free, last] { operation.finish() }
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
    let following = running.storage.finishAtOnce(&result) { _ in true }
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
}
