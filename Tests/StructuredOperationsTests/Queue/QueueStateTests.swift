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
}
