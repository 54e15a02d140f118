import Testing
import TestSupport

@testable import StructuredOperations

// Which turns may have chosen what a task, whose operation has ended, is about to have join the batch.
extension QueueStateTests {
  /// A queue with free slots that runs two operations, on each of which another one depends, after a turn that has chosen
  /// ahead.
  private struct FreeSlots {
    let running = (0..<2).map { _ in AsyncOperation {} }
    let blocked = (0..<2).map { _ in AsyncOperation {} }
    let queue: AsyncOperationQueue
    var state: QueueState
    var turn: QueueTurn

    init(_ tests: QueueStateTests) async throws {
      queue = tests.queue
      state = tests.state(limit: 9)
      turn = QueueTurn(of: nil, in: queue)
      for (operation, dependency) in zip(blocked, running) { try await operation.addDependency(dependency) }
      tests.add(running + blocked, to: &state, &turn)
      state.choose(&turn)
      let content = state.prefetch(in: queue)
      #expect(content?.joining == .freeSlots(7))
      #expect(content?.continuesLast == false, "it was added")
    }

    /// Whether the batch of a turn continues the last one.
    mutating func continuesLast(_ hear: (inout QueueState, inout QueueTurn) throws -> Void = { _, _ in }) throws -> Bool
    {
      try hear(&state, &turn)
      state.choose(&turn)
      let content = state.prefetch(in: queue)
      #expect(state.prefetch(in: queue)?.continuesLast == true, "it says that once")
      return try #require(content).continuesLast
    }

    func id(_ operation: AsyncOperation<Void>) throws -> QueueState.EntryID {
      try #require(operation.storage.entry(in: queue))
    }

    /// What the queue hears as an operation ends.
    func end(_ index: Int = 0) throws -> (event: QueueEvent, changes: ShortList<OperationStorage.ReadinessChange>) {
      let id = try id(running[index])
      let finish = running[index].storage.publishFinish()
      return (.finished(id, followUps: nil, finish.outcome), finish.releaseDependents(by: ObjectIdentifier(queue)))
    }

    func finish(_ others: [AsyncOperation<Void>] = []) {
      for operation in running + blocked + others where !operation.storage.isFinished { operation.finish() }
    }
  }

  @Test("A turn that has heard of ends alone, and what these have made ready, cannot have chosen anything else")
  func endsAlone() async throws {
    var queue = try await FreeSlots(self)
    #expect(try queue.continuesLast())
    let (event, changes) = try queue.end()
    #expect(changes.count == 1 && changes[0].ready != nil)
    #expect(
      try queue.continuesLast { state, turn in
        state.apply(event, &turn)
        state.apply(changes, since: 0, &turn)
      })
    #expect(queue.state.scheduler.executingCount == 2)
    queue.finish()
  }

  @Test("A turn that has heard of anything else may have chosen what becomes ready meanwhile")
  func otherEvents() async throws {
    var queue = try await FreeSlots(self)
    for event in [QueueEvent.graphChanged, .changed(queue.blocked[0].storage, .readiness), .widthChanged(9)] {
      #expect(try !queue.continuesLast { $0.apply(event, &$1) })
    }
    queue.finish()
  }

  @Test("A turn may have, too, that hears by an end of an operation that was moved and does not know its place")
  func arrivalWithoutPlace() async throws {
    var queue = try await FreeSlots(self)
    await queue.blocked[0].setQueuePriority(.high)
    let (event, changes) = try queue.end()
    #expect(changes.count == 1 && changes[0].ready == nil)
    #expect(
      try !queue.continuesLast { state, turn in
        state.apply(event, &turn)
        state.apply(changes, since: 0, &turn)
      })
    queue.finish()
  }

  @Test("A turn may have, too, that has put back what was chosen, which has a new place by that")
  func putBack() async throws {
    var queue = try await FreeSlots(self)
    let other = AsyncOperation {}
    add([other], to: &queue.state, &queue.turn)
    try await other.addDependency(queue.running[1])
    queue.state.mayHaveChosenArrivals = false
    #expect(try !queue.continuesLast())
    #expect(queue.state.scheduler.executingCount == 2)
    queue.finish([other])
  }

  // Example: one task ends A, and has not come to tell the queue that B is ready. B gets another dependency; a turn hears of
  // that and gives B a new place. Another task ends that dependency, and is to have B join the batch. Now the first one takes
  // a turn, which chooses B.
  @Test(
    "A turn may have, too, that hears by an end of what was told as ready before the last batch, and perhaps again since",
    arguments: [(1, false), (2, true)])
  func toldTwice(since number: Int, continuesLast: Bool) async throws {
    var queue = try await FreeSlots(self)
    let first = try queue.end(0)
    try await queue.blocked[0].addDependency(queue.running[1])
    let change = QueueEvent.changed(queue.blocked[0].storage, .readiness)
    #expect(try !queue.continuesLast { $0.apply(change, &$1) })
    let second = try queue.end(1)
    for changes in [first.changes, second.changes] {
      #expect(changes.contains { $0.storage === queue.blocked[0].storage && $0.ready != nil })
    }
    let remainder = QueueSharedState.Batch.Remainder(replacements: [], items: [], nextSize: 1, firstNumber: 2)

    let continued = try queue.continuesLast { state, turn in
      state.takeBack(remainder)
      state.apply(first.event, &turn)
      state.apply(first.changes, since: number, &turn)
    }

    #expect(continued == continuesLast)
    #expect(queue.state.scheduler.executingCount == 2, "B executes, and what was its dependency")
    queue.finish()
  }

  @Test("What a turn has heard counts until there is a batch")
  func withoutBatch() async throws {
    var queue = try await FreeSlots(self)
    queue.state.apply(.suspended, &queue.turn)
    #expect(queue.state.prefetch(in: self.queue) == nil)
    queue.state.scheduler.resume()
    #expect(try !queue.continuesLast())
    queue.finish()
  }
}
