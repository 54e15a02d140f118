import Testing
import TestSupport

@testable import StructuredOperations

/// What blocked operations know of where they come once they are ready.
extension QueueStateTests {
  private func position(_ operation: AsyncOperation<Void>) -> QueuePosition? {
    operation.storage.read { $0.connections.read(\.position) ?? nil }
  }

  /// Where the scheduler has an operation.
  private func place(_ operation: AsyncOperation<Void>, in state: QueueState) throws -> QueuePosition {
    let id = try #require(operation.storage.entry(in: queue))
    let entry = try #require(state.scheduler.entries[id])
    return QueuePosition(priority: entry.priority, rank: entry.rank)
  }

  private func blocked(by dependency: AsyncOperation<Void>) async throws -> AsyncOperation<Void> {
    let operation = AsyncOperation {}
    try await operation.addDependency(dependency)
    return operation
  }

  @Test(
    "An operation that was moved, before it was admitted or after that, is told where it comes now",
    arguments: [false, true], [false, true])
  func moved(isEscalated: Bool, isAdmitted: Bool) async throws {
    var turn = QueueTurn(of: nil, in: queue)
    var state = state(limit: 1)
    let operation = try await blocked(by: AsyncOperation {})
    _ = operation.storage.enqueue(operation, in: queue)
    if isAdmitted { state.apply(.added(operation.storage), &turn) }
    if isEscalated {
      OperationStorage.escalate([operation.storage], to: .high)
    } else {
      await operation.setQueuePriority(.high)
    }
    if !isAdmitted { state.apply(.added(operation.storage), &turn) }
    let other = AsyncOperation {}
    add([other], to: &state, &turn)

    state.apply(.changed(operation.storage, .priority), &turn)

    #expect(try position(operation) == place(operation, in: state))
    for operation in [operation, other] { operation.finish() }
  }

  @Test("An operation that is blocked once its queue has it is told where it comes")
  func blockedLater() async throws {
    var turn = QueueTurn(of: nil, in: queue)
    var state = state(limit: 1)
    let operation = AsyncOperation {}
    add([operation], to: &state, &turn)
    try await operation.addDependency(AsyncOperation {})
    #expect(position(operation) == nil)

    state.apply(.changed(operation.storage, .readiness), &turn)

    #expect(try position(operation) == place(operation, in: state))
    operation.finish()
  }

  @Test("An operation that was chosen ahead and is blocked is told where it comes once its child task has returned it")
  func blockedWhileChosen() async throws {
    var turn = QueueTurn(of: nil, in: queue)
    var state = state(limit: 1)
    let (running, next) = (AsyncOperation {}, AsyncOperation {})
    add([running, next], to: &state, &turn)
    state.choose(&turn)
    let item = try #require(state.prefetch(in: queue)?.items.first)
    try await next.addDependency(AsyncOperation {})
    let finished = try #require(running.storage.entry(in: queue))
    replace(finished, by: item, in: &state)

    state.apply(.changed(next.storage, .readiness), &turn)
    #expect(position(next) == nil, "its child task may find it ready, and begin with it")

    state.apply(.notBegun(item.id, item.work, .blocked), &turn)
    #expect(try position(next) == place(next, in: state))
    for operation in [running, next] { operation.finish() }
  }

  @Test("What passes a barrier, and what falls behind it, is told where it comes now", arguments: [false, true])
  func movedByBarrier(passes: Bool) async throws {
    var turn = QueueTurn(of: nil, in: queue)
    var state = state(limit: 1)
    let (ahead, barrier, behind) = (AsyncOperation {}, AsyncOperation {}, AsyncOperation {})
    try await ahead.addDependency(passes ? behind : barrier)
    if passes { try await behind.addDependency(AsyncOperation {}) }
    add([ahead], to: &state, &turn)
    _ = barrier.storage.enqueue(barrier, in: queue)
    state.apply(.barrierAdded(barrier.storage, caller: nil), &turn)
    add([behind], to: &state, &turn)
    let moving = passes ? behind : ahead
    let before = try place(moving, in: state)
    state.mayHaveChosenArrivals = false

    state.choose(&turn)

    #expect(state.mayHaveChosenArrivals, "what is told with the old place would join the next batch")
    #expect(try place(moving, in: state) != before)
    #expect(try position(moving) == place(moving, in: state))
    for operation in [ahead, barrier, behind] { operation.finish() }
  }

  @Test("What was behind a barrier that is withdrawn is told where it comes now, before the barrier finishes")
  func behindWithdrawnBarrier() async throws {
    var turn = QueueTurn(of: nil, in: queue)
    var state = state(limit: 1)
    let (running, barrier) = (AsyncOperation {}, AsyncOperation {})
    add([running], to: &state, &turn)
    _ = barrier.storage.enqueue(barrier, in: queue)
    state.apply(.barrierAdded(barrier.storage, caller: nil), &turn)
    let behind = try await blocked(by: AsyncOperation {})
    add([behind], to: &state, &turn)
    state.choose(&turn)
    let before = try place(behind, in: state)
    barrier.cancel()

    state.apply(.callWithdrawn(barrier.storage), &turn)

    #expect(barrier.outcome?.isCancelled == true && !state.scheduler.hasBarrier)
    #expect(try place(behind, in: state) != before)
    #expect(try position(behind) == place(behind, in: state))
    for operation in [running, behind] { operation.finish() }
  }
}
