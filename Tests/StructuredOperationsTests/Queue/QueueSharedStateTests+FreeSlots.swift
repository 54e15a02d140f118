import TestSupport
import Testing

@testable import StructuredOperations

// Ends of operations while slots are free.
extension QueueSharedStateTests {
  /// What the runner is doing when an operation ends.
  enum RunnerState: CaseIterable { case none, awake, asleep }

  /// The shared state of a queue of so many operations, after a turn that has left slots free, and others blocked.
  private func shared(_ runner: RunnerState, operationCount: Int = 3, executing: Int = 2) -> QueueSharedState {
    let shared = shared(limit: executing + 5, hasRunner: runner != .none)
    _ = shared.post(.severalAdded([]), count: operationCount, priority: .normal, need: .nothing)
    _ = shared.collect()
    var scheduler = scheduler(limit: executing + 5)
    for _ in 0..<executing {
      _ = scheduler.add(AsyncOperation {}.storage, priority: .normal, readiness: .ready)
      _ = scheduler.next()
    }
    _ = shared.turnEnded(
      scheduler, outcomes: OutcomeCounts(), finishedBarriers: 0,
      batch: QueueSharedState.Batch.Content(items: [], traits: nil, joining: .freeSlots(scheduler.freeSlotCount)))
    return shared
  }

  /// Does something, where the runner sleeps meanwhile if it is to.
  private func during<Result>(_ runner: RunnerState, _ shared: QueueSharedState, _ body: () -> Result) async -> Result {
    guard runner == .asleep else { return body() }
    var result: Result?
    await withUnsafeContinuation { sleeper in
      #expect(shared.sleep(sleeper))
      result = body()
      shared.wakeSleeper()
    }
    guard let result else { fatalError("nothing was done") }
    return result
  }

  @Test("The end that has several join while slots are free has a turn taken", arguments: RunnerState.allCases)
  func childTasksWanted(runner: RunnerState) async {
    let shared = shared(runner)
    let dependents = (0..<3).map { _ in AsyncOperation {} }
    #expect(end(shared, [dependents[0]], ranks: [0], since: 1)?.id == 0)

    let wake: Wake = runner == .none ? .startRunner : runner == .awake ? .nothing : .resume
    let next = await during(runner, shared) {
      end(shared, Array(dependents[1...]), ranks: [1, 2], since: 1, wake: wake)?.id
    }

    #expect(next == 1)
    #expect(shared.mayHaveNext)
    #expect(!shared.stop(), "the runner would not start the child task")
    #expect(shared.collect()?.batch.items.map(\.id) == [2])
    #expect(shared.stop())
  }

  @Test(
    "An end from which nothing follows leaves its slot free, and the queue to a runner that is awake",
    arguments: RunnerState.allCases)
  func leavingSlot(runner: RunnerState) async {
    let shared = shared(runner)
    let before = shared.snapshot

    let isLeft = await during(runner, shared) { shared.leaveSlot(after: 9, .failed) }

    #expect(isLeft == (runner == .awake))
    guard isLeft else {
      #expect(shared.snapshot == before)
      return
    }
    let snapshot = shared.snapshot
    #expect(snapshot.operationCount == 2 && snapshot.executingCount == 1)
    #expect(snapshot.failedCount == 1 && snapshot.completedCount == 1)
    #expect(!shared.stop(), "the runner would leave what has ended in the queue")
    let replacement = QueueSharedState.Batch.Replacement(finished: 9)
    #expect(shared.collect()?.batch.replacements == [replacement])
    #expect(shared.stop())
  }

  @Test("The end of the last operation takes a turn, since somebody may wait for the queue to be empty")
  func lastOperation() {
    let shared = shared(.awake, operationCount: 1, executing: 1)
    #expect(!shared.leaveSlot(after: 9, .succeeded))
  }

  @Test("An end takes a turn where something was posted that the turn would apply")
  func afterEvent() {
    let shared = shared(.awake)
    _ = shared.post(.severalAdded([]), count: 1, priority: .normal, need: .nothing)
    #expect(!shared.leaveSlot(after: 9, .succeeded))
  }

  @Test("Those who read the queue's states hear of an end that leaves its slot free")
  func readersOfLeftSlots() async {
    let shared = shared(.awake)
    var states = shared.states().makeAsyncIterator()
    #expect(await states.next()?.executingCount == 2)
    let next = Task { [states] in
      var states = states
      return await states.next()?.executingCount
    }
    #expect(shared.leaveSlot(after: 9, .succeeded))
    #expect(await next.value == 1)
  }
}
