import TestSupport
import Testing

@testable import StructuredOperations

/// Operations that are moved to another level while a start by hand waits for their limits.
extension ConcurrencyLimitTests {
  private enum Move: CaseIterable {
    case level
    case urgentTask

    func perform(on operation: AsyncOperation<Void>) async {
      switch self {
      case .level: await operation.setQueuePriority(.veryHigh)
      case .urgentTask: OperationStorage.escalate([operation.storage], to: .high)
      }
    }
  }

  /// Starts an operation by hand, and returns as it stands in line.
  private func start(
    _ operation: AsyncOperation<Void>,
    _ limit: ConcurrencyLimit,
    cost: Int = 1,
    in group: inout ThrowingTaskGroup<Void, any Error>
  ) async throws {
    try await operation.addLimit(limit, cost: cost)
    group.addTask { try await operation.start() }
    #expect(await eventually { operation.storage.read { $0.limits?.start?.demand != nil } })
  }

  @Test(
    "One that is moved up comes before those that were started earlier, and behind those of its new level",
    arguments: Move.allCases)
  private func movedUp(by move: Move) async throws {
    let (limit, recorder) = (ConcurrencyLimit(1), Recorder<String>())
    try await withThrowingTaskGroup { group in
      let high = AsyncOperation(queuePriority: .veryHigh) { recorder.note("high") }
      let (low, moved) = (AsyncOperation { recorder.note("low") }, AsyncOperation { recorder.note("moved") })
      let holder = Blocker()
      try await holder.operation.addLimit(limit)
      group.addTask { try await holder.operation.start() }
      await holder.begun.wait()
      for operation in [low, moved, high] { try await start(operation, limit, in: &group) }

      await move.perform(on: moved)
      holder.release.open()

      try await group.waitForAll()
    }
    #expect(recorder.begun == ["high", "moved", "low"])
  }

  @Test("One that is moved up keeps from others what it waits for, and takes at once what it can have then")
  func movedToTheFront() async throws {
    let (limit, recorder) = (ConcurrencyLimit(2), Recorder<String>())
    let holder = Blocker()
    try await holder.operation.addLimit(limit)
    try await withThrowingTaskGroup { group in
      group.addTask { try await holder.operation.start() }
      await holder.begun.wait()
      let both = AsyncOperation { recorder.note("both") }
      let (first, second) = (AsyncOperation { recorder.note("first") }, AsyncOperation { recorder.note("second") })
      try await start(both, limit, cost: 2, in: &group)
      for operation in [first, second] { try await start(operation, limit, in: &group) }

      await both.setQueuePriority(.high)
      #expect(limit.available == 1 && recorder.begun.isEmpty, "nobody goes ahead of it as it moves")
      await second.setQueuePriority(.veryHigh)
      await second.waitUntilFinished()
      #expect(recorder.begun == ["second"])

      holder.release.open()
      try await group.waitForAll()
    }
    #expect(recorder.begun == ["second", "both", "first"])
    #expect(limit.available == 2)
  }

  /// Two threads may move one, and perform their moves in the other order; and both may come before it stands in line.
  @Test("Of several moves that which was decided last counts, also of those before it stands in line")
  func lateMoves() async {
    let (limit, recorder) = (ConcurrencyLimit(0), Recorder<String>())
    func begin(_ name: String, _ start: LimitedStart, _ priority: Int, _ order: Int) async -> Task<Void, Never> {
      let task = Task {
        await start.take(as: LimitTable.Rank(priority: priority, order: order))
        recorder.note(name)
        start.end()
      }
      #expect(await eventually { start.demand != nil })
      return task
    }
    let starts = (0..<3).map { _ in LimitedStart(of: AsyncOperation {}, LimitNeeds([limit])) }
    starts[0].move(to: LimitTable.Rank(priority: 2, order: 5))
    starts[0].move(to: LimitTable.Rank(priority: 4, order: 4))
    let tasks = [
      await begin("moved early", starts[0], 0, 3), await begin("higher", starts[1], 3, 1),
      await begin("moved late", starts[2], 4, 2),
    ]
    starts[2].move(to: LimitTable.Rank(priority: 1, order: 7))
    starts[2].move(to: LimitTable.Rank(priority: 5, order: 6))

    limit.setCount(1)

    for task in tasks { await task.value }
    #expect(recorder.begun == ["higher", "moved early", "moved late"])
    #expect(limit.available == 1)
  }

  @Test("One is explained by its limits while it is moved again and again")
  func explainedWhileMoved() async throws {
    let limit = ConcurrencyLimit(1)
    let (holder, moved) = (Blocker(), AsyncOperation {})
    try await holder.operation.addLimit(limit)
    try await withThrowingTaskGroup { group in
      group.addTask { try await holder.operation.start() }
      await holder.begun.wait()
      try await start(moved, limit, in: &group)
      let isOver = Locked(false)
      group.addTask {
        while !isOver.current {
          for priority in [QueuePriority.high, .low] { await moved.setQueuePriority(priority) }
          await Task.yield()
        }
      }
      for _ in 0..<2_000 {
        let reasons = await moved.explanation.reasons
        guard case .concurrencyLimit(let lacked, _) = reasons.first else {
          Issue.record("\(reasons)")
          break
        }
        #expect(lacked === limit && reasons.count == 1)
      }
      isOver.withLock { $0 = true }
      holder.release.open()
      try await group.waitForAll()
    }
  }

  @Test("Moved, cancelled and begun at once, it finishes, and what it had is given back")
  func movedInRaces() async throws {
    for round in 0..<200 {
      let limit = ConcurrencyLimit(1)
      let operations = (0..<4).map { _ in AsyncOperation {} }
      for operation in operations { try await operation.addLimit(limit) }
      try await withThrowingTaskGroup { group in
        for operation in operations {
          group.addTask { try await operation.start() }
          for priority in [QueuePriority.high, .low, .veryHigh] {
            group.addTask { await operation.setQueuePriority(priority) }
          }
        }
        group.addTask { operations[round % 4].cancel() }
        try await group.waitForAll()
      }
      #expect(operations.allSatisfy { $0.isFinished } && limit.available == 1)
    }
  }
}
