import Testing

@testable import StructuredOperations

@Suite("QueueState", .timeLimit(.minutes(1)), .hangGuard)
struct QueueStateTests {
  @Test("What was chosen ahead and has become pending is judged anew when it is put back", arguments: [false, true])
  func putBack(isCancelled: Bool) async throws {
    // Suspended, so that it leaves the mail alone that the operation sends meanwhile.
    let queue = AsyncOperationQueue(isSuspended: true)
    var turn = QueueTurn(of: nil, in: queue)
    var state = QueueState(
      scheduler: QueueScheduler(limit: 1, defaultLimit: 64), scope: .none,
      defaults: queue.defaults)
    let (running, next, late) = (AsyncOperation {}, AsyncOperation {}, AsyncOperation {})
    for operation in [running, next] {
      _ = operation.core.enqueue(operation, in: queue)
      state.apply(.operation(operation.core), &turn)
    }
    state.choose(&turn)
    let card = try #require(state.chooseAhead()?.cards.first)
    #expect(card.work === next.core)

    // What a child task does whose operation has finished, while others change what it has been given.
    try await next.addDependency(late)
    let finished = try #require(running.core.entry(in: queue))
    state.takeBack(
      QueueFront.Hand.Rest(
        exchanges: [QueueFront.Hand.Exchange(finished: finished, started: card.id)], cards: [], nextSize: 1))
    let standing = next.core.claim()
    #expect(standing == .pending)
    if isCancelled { next.cancel() } else { try await late.start() }
    state.notClaimed(card.id, card.work, standing, &turn)
    state.choose(&turn)

    if isCancelled {
      #expect(turn.unsettled.contains { $0 === next.core })
    } else {
      #expect(next.core.openStanding == nil)
      _ = next.core.conclude(nil)
    }
    _ = running.core.conclude(nil)
  }

  @Test("News of a priority lead to the one that the operation has, whatever it was when they were sent")
  func priority() async throws {
    let queue = AsyncOperationQueue(isSuspended: true)
    var turn = QueueTurn(of: nil, in: queue)
    var state = QueueState(
      scheduler: QueueScheduler(limit: 0, defaultLimit: 64), scope: .none, defaults: queue.defaults)
    let (one, other) = (AsyncOperation {}, AsyncOperation {})
    for operation in [one, other] {
      _ = operation.core.enqueue(operation, in: queue)
      state.apply(.operation(operation.core), &turn)
    }
    await other.setQueuePriority(.low)
    OperationCore.donate(.high, to: [other.core])
    state.apply(.change(other.core, .donation), &turn)
    // On its way since before the donation.
    state.apply(.change(other.core, .priority), &turn)
    state.setLimit(1)
    state.choose(&turn)
    #expect(other.core.openStanding == nil && one.core.openStanding == .ready)
    for operation in [one, other] { _ = operation.core.conclude(nil) }
  }

  @Test("What is to have the slot of another is claimed once, while it is ready and in the queue under its name")
  func heir() async throws {
    let queue = AsyncOperationQueue(isSuspended: true)
    let (heir, ahead) = (AsyncOperation {}, AsyncOperation {})
    try await heir.addDependency(ahead)
    await queue.add(heir)
    _ = await queue.snapshot
    let id = try #require(heir.core.entry(in: queue))

    #expect(heir.core.claimAsHeir(named: id) { true } == nil, "it waits")
    try await ahead.start()
    #expect(heir.core.claimAsHeir(named: id + 1) { true } == nil, "another one has that name")
    #expect(heir.core.claimAsHeir(named: id) { Bool?.none } == nil, "the queue does not give the slot")
    #expect(heir.core.openStanding == .ready)
    #expect(heir.core.claimAsHeir(named: id) { true } == true)
    #expect(heir.core.claimAsHeir(named: id) { true } == nil, "it is claimed")
    _ = heir.core.conclude(nil)
  }

  @Test("What is cancelled while somebody is about to give it a slot leaves, and gets none")
  func cancelledHeir() async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
    let mayEnd = Gate()
    let (ahead, heir) = (AsyncOperation { await mayEnd.wait() }, AsyncOperation {})
    try await heir.addDependency(ahead)
    await queue.add(ahead, heir)
    _ = await queue.snapshot
    let id = try #require(heir.core.entry(in: queue))
    await queue.cancelAllOperations()
    await heir.waitUntilFinished()
    #expect(heir.core.claimAsHeir(named: id) { true } == nil)
    mayEnd.open()
    await queue.waitUntilAllOperationsAreFinished()
  }
}
