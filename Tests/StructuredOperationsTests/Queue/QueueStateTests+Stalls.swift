import Testing
import TestSupport

@testable import StructuredOperations

// What a queue tells the graph, for the analyses of other queues.
extension QueueStateTests {
  /// Has a queue watch an operation while something is done; whether it is to be told.
  private func isTold(of operation: AsyncOperation<Void>, _ body: (inout QueueTurn) -> Void) -> Bool {
    let watching = FakeQueue()
    DependencyGraph.withLock { state, _ in state.watch(watching, for: StallAnalysis.Needs([operation.storage]), nil) }
    defer { DependencyGraph.unwatch(ObjectIdentifier(watching)) }
    var turn = QueueTurn(of: nil, in: queue)
    body(&turn)
    return turn.queuesToTell.contains { $0 === watching }
  }

  @Test(
    "Who watches a body that waits for everything in the queue is told once the queue knows, and of what is added then")
  func wholeQueueWait() async throws {
    var state = state(limit: 2)
    let body = AsyncOperation {}
    let wait = try body.begin(in: FakeQueue()).wait(for: .all(of: queue), in: nil)
    let (first, ready, blocked) = (AsyncOperation {}, AsyncOperation {}, AsyncOperation {})
    try await blocked.addDependency(AsyncOperation {})

    #expect(!isTold(of: body) { add([first], to: &state, &$0) }, "the queue does not know")
    #expect(isTold(of: body) { state.apply(.wholeQueueWaitBegan(wait), &$0) })
    #expect(!isTold(of: body) { add([ready], to: &state, &$0) }, "what is ready ends by itself")
    #expect(isTold(of: body) { add([blocked], to: &state, &$0) })

    _ = wait.end(.done)
    for operation in [first, ready, blocked, body] { operation.finish() }
  }

  @Test("A queue does not tell itself of what it has taken")
  func ownAddition() async throws {
    var state = state(limit: 2)
    let body = AsyncOperation {}
    let wait = try body.begin(in: FakeQueue()).wait(for: .all(of: queue), in: nil)
    var turn = QueueTurn(of: nil, in: queue)
    let blocked = AsyncOperation {}
    try await blocked.addDependency(AsyncOperation {})
    let queue = queue
    DependencyGraph.withLock { state, _ in state.watch(queue, for: StallAnalysis.Needs([body.storage]), nil) }
    state.apply(.wholeQueueWaitBegan(wait), &turn)
    add([blocked], to: &state, &turn)
    #expect(turn.queuesToTell.isEmpty)
    DependencyGraph.unwatch(ObjectIdentifier(queue))
    _ = wait.end(.done)
    for operation in [blocked, body] { operation.finish() }
  }

  @Test("What was awaited at the last analysis, and is admitted now, has the queue look again, be it a barrier or not")
  func awaitedBeforeAdmission() async throws {
    for isBarrier in [true, false] {
      var (state, turn) = (state(limit: 2), QueueTurn(of: nil, in: queue))
      let (ahead, barrier, late, other) = (AsyncOperation {}, AsyncOperation {}, AsyncOperation {}, AsyncOperation {})
      try await ahead.addDependency(AsyncOperation {})
      add([ahead], to: &state, &turn)
      func admit(_ operation: AsyncOperation<Void>, isBarrier: Bool) {
        if !isBarrier { return add([operation], to: &state, &turn) }
        _ = operation.storage.enqueue(operation, in: queue)
        state.apply(.barrierAdded(operation.storage, caller: nil), &turn)
      }
      admit(barrier, isBarrier: true)
      state.trigger.analysed(isQuiescent: true, needs: StallAnalysis.Needs([ahead.storage, late.storage]))

      admit(other, isBarrier: isBarrier)
      #expect(!state.trigger.isQuiescenceDue)
      admit(late, isBarrier: isBarrier)
      #expect(state.trigger.isQuiescenceDue)

      for operation in [ahead, barrier, other, late] { operation.finish() }
    }
  }

  @Test(
    "A call that would wait for ever is answered in the turn in which its barrier leaves, and no earlier",
    arguments: [true, false])
  func withdrawnCall(isBarrier: Bool) async throws {
    var (state, turn) = (state(limit: 2), QueueTurn(of: nil, in: queue))
    let (ahead, behind) = (AsyncOperation {}, AsyncOperation {})
    let call = AsyncOperation<Void>(
      .caller, isAsynchronous: true, name: nil, queuePriority: .normal, taskPriority: 0, executor: nil,
      madeAt: CreationSite(file: #fileID, line: #line))
    let answer = OneShot<CallAnswer>()
    if !isBarrier { try await call.addDependency(AsyncOperation {}) }
    add([ahead], to: &state, &turn)
    _ = call.storage.enqueue(call, in: queue)
    state.apply(isBarrier ? .barrierAdded(call.storage, caller: answer) : .callAdded(call.storage, answer), &turn)
    add([behind], to: &state, &turn)
    state.choose(&turn)
    #expect((behind.storage.unclaimedReadiness == nil) == !isBarrier)

    // What others do meanwhile, from any thread, cancels nothing.
    call.withdrawCall()
    #expect(!call.isCancelled && turn.answeredCallers.isEmpty)
    state.apply(.callWithdrawn(call.storage), &turn)
    state.choose(&turn)

    #expect(call.isCancelled && call.state == .finished)
    #expect(turn.answeredCallers.map { $0.0 === answer } == [true])
    #expect(!state.scheduler.hasBarrier && behind.storage.unclaimedReadiness == nil)
    for operation in [ahead, behind] { operation.finish() }
  }
}
