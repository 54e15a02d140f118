import TestSupport
import Testing

@testable import StructuredOperations

@Suite("QueueSharedState", .timeLimit(.minutes(15)), .hangGuard)
struct QueueSharedStateTests {
  private static let defaults = WorkerTraits.Defaults(executor: nil, rawPriority: 0)

  let traits = WorkerTraits(of: AsyncOperation {}.storage, in: defaults).id

  func shared(limit: Int = 1, isSuspended: Bool = false, hasRunner: Bool = true) -> QueueSharedState {
    QueueSharedState(
      name: "queue", limit: limit, isSuspended: isSuspended, defaults: Self.defaults, hasRunner: hasRunner)
  }

  func scheduler(limit: Int, isSuspended: Bool = false) -> QueueScheduler<OperationStorage> {
    QueueScheduler(maxConcurrentOperationCount: limit, defaultWidth: 64, isSuspended: isSuspended)
  }

  /// What the poster has to do, in short.
  enum Wake: Equatable { case nothing, refuse, startRunner, takeTurn, resume }

  func short(_ action: QueueSharedState.Mailbox.WakeAction) -> Wake {
    switch action {
    case .nothing: .nothing
    case .refuse: .refuse
    case .startRunner: .startRunner
    case .takeTurn: .takeTurn
    case .resume(let sleeper):
      {
        sleeper.resume(); return .resume
      }()
    }
  }

  func postOperations(
    _ shared: QueueSharedState,
    _ count: Int = 1,
    priority: QueuePriority? = .normal
  ) -> Wake {
    let storages = (0..<count).map { _ in AsyncOperation {}.storage }
    let posting = shared.post(.severalAdded(storages), count: count, priority: priority, need: .slot)
    posting.resumeReaders()
    return short(posting.action)
  }

  /// Has a turn fill the batch with operations of the numbers and ranks from 1 on.
  func fill(
    _ shared: QueueSharedState,
    _ storages: [OperationStorage],
    joining: QueueSharedState.Batch.Joining = .nothing,
    isBesideLine: Bool = false
  ) {
    let items = storages.enumerated().map { index, storage in
      QueueSharedState.Batch.Item(
        id: index + 1, work: storage, position: QueuePosition(priority: .normal, rank: index + 1))
    }
    let content = QueueSharedState.Batch.Content(
      items: items.reversed(), traits: traits, isBesideLine: isBesideLine, joining: joining)
    _ = shared.turnEnded(scheduler(limit: 0), outcomes: OutcomeCounts(), finishedBarriers: 0, batch: content)
  }

  @Test("Without events and without a batch a turn has nothing to collect")
  func noNews() {
    let shared = shared()
    #expect(shared.collect() == nil)
    _ = short(shared.post(.graphChanged, need: .nothing))
    #expect(shared.collect()?.events.count == 1)
    #expect(shared.collect() == nil)
  }

  @Test("Operations count from the moment at which they are posted, whether or not a turn has come")
  func counting() {
    let shared = shared()
    _ = postOperations(shared, 3)
    #expect(shared.snapshot.operationCount == 3)
    #expect(shared.pendingEvents.count == 1)
    _ = short(shared.post(.graphChanged, need: .nothing))
    #expect(shared.snapshot.operationCount == 3)
    #expect(shared.pendingEvents.count == 2)
  }

  @Test("A queue without a runner starts one for operations that can run, once")
  func startingRunner() {
    let shared = shared(hasRunner: false)
    #expect(postOperations(shared) == .startRunner)
    #expect(postOperations(shared) == .nothing)
  }

  @Test("Operations wake no runner where there is no slot for them, unless the scope was cancelled", arguments: [0, 1])
  func noSlot(limit: Int) {
    let suspended = limit == 1
    let shared = shared(limit: limit, isSuspended: suspended, hasRunner: false)
    #expect(postOperations(shared) == .nothing)
    shared.cancel()
    #expect(postOperations(shared) == .startRunner)
  }

  @Test("A runner that sleeps is resumed by what needs a turn, once")
  func sleeping() async {
    let shared = shared()
    await withUnsafeContinuation { sleeper in
      #expect(shared.sleep(sleeper))
      #expect(short(shared.post(.graphChanged, need: .nothing)) == .nothing)
      #expect(short(shared.post(.graphChanged, need: .turn)) == .resume)
      #expect(short(shared.post(.graphChanged, need: .turn)) == .nothing)
    }
  }

  @Test("A closed queue refuses events, and does not count operations")
  func closed() {
    let shared = shared()
    _ = postOperations(shared)
    #expect(shared.endScope() == false)
    _ = shared.collect()
    #expect(shared.endScope() == true)

    #expect(postOperations(shared) == .refuse)
    #expect(short(shared.post(.graphChanged, need: .turn)) == .refuse)
    #expect(shared.snapshot.operationCount == 1)
    #expect(shared.pendingEvents.isEmpty)
  }

  @Test(
    "The same change of an operation is posted once, until a turn applies it; each need and each operation is another")
  func changes() {
    let shared = shared(limit: 0)
    let storages = [AsyncOperation {}.storage, AsyncOperation {}.storage]
    for _ in 0..<1_000 {
      for storage in storages {
        for change in [OperationChange.readiness, .limits] {
          _ = shared.post(change, of: storage, need: .nothing)
          _ = shared.post(change, of: storage, need: .slot)
        }
      }
    }
    #expect(shared.pendingEvents.count == 8)

    #expect(shared.collect()?.events.count == 8)
    _ = shared.post(.readiness, of: storages[0], need: .nothing)
    #expect(shared.pendingEvents.count == 1)
  }

  @Test("Of several moves of an operation the last one is posted after those of others, and the mailbox does not grow")
  func moves() {
    let shared = shared(limit: 0)
    let storages = (0..<3).map { _ in AsyncOperation {}.storage }
    _ = shared.post(.graphChanged, need: .nothing)
    for number in 0..<1_000 {
      _ = shared.post(.priority, of: storages[number % 2], need: .nothing)
      _ = shared.post(.readiness, of: storages[0], need: .nothing)
    }
    for storage in [storages[2], storages[1], storages[0]] { _ = shared.post(.priority, of: storage, need: .nothing) }

    let events = shared.collect()?.events ?? []

    #expect(events.count <= 2 * 5)
    #expect(events.compactMap(\.movedOperation).suffix(3) == storages.reversed().map(ObjectIdentifier.init))
    #expect(events.contains { if case .graphChanged = $0 { true } else { false } })
    _ = shared.post(.priority, of: storages[0], need: .nothing)
    #expect(shared.collect()?.events.count == 1)
  }

  @Test("The end of a turn publishes what the scheduler says, and what has finished")
  func publishing() {
    let shared = shared()
    _ = postOperations(shared, 5)
    _ = shared.collect()
    var scheduler = scheduler(limit: 2, isSuspended: true)
    let operation = AsyncOperation {}
    scheduler.add(operation.storage, priority: .normal, readiness: .ready)
    scheduler.resume()
    _ = scheduler.startNext()
    scheduler.suspend()

    var outcomes = OutcomeCounts()
    for kind in [OutcomeKind.succeeded, .failed, .cancelled] { outcomes.count(kind) }

    let end = shared.turnEnded(scheduler, outcomes: outcomes, finishedBarriers: 0, batch: nil)

    #expect(!end.hasMoreEvents && !end.isQueueEmpty)
    let snapshot = shared.snapshot
    #expect(snapshot.operationCount == 2 && snapshot.completedCount == 3 && snapshot.executingCount == 1)
    #expect([snapshot.succeededCount, snapshot.failedCount, snapshot.cancelledCount] == [1, 1, 1])
    #expect(snapshot.isSuspended && snapshot.maxConcurrentOperationCount == 2)
  }

  @Test("What was posted during a turn asks for another one where there is a slot for it", arguments: [0, 1])
  func eventsDuringTurn(limit: Int) {
    let shared = shared(limit: limit)
    _ = short(shared.post(.graphChanged, need: .nothing))
    #expect(
      shared.turnEnded(scheduler(limit: limit), outcomes: OutcomeCounts(), finishedBarriers: 0, batch: nil)
        .hasMoreEvents == (limit == 1))
  }

  @Test("A child task takes the next operation of the batch, and the one that has finished is counted")
  func takeNext() {
    let shared = shared()
    let operations = (0..<2).map { _ in AsyncOperation {} }
    _ = postOperations(shared, 3)
    _ = shared.collect()
    fill(shared, operations.map(\.storage))

    let item = shared.takeNext(after: 9, .failed, for: traits)?.workItem()

    #expect(item?.id == 1 && item?.storage === operations[0].storage && item?.isPrefetched == true)
    #expect(item?.startTime == nil)
    #expect(shared.snapshot.operationCount == 2 && shared.snapshot.failedCount == 1)
    #expect(shared.snapshot.completedCount == 1)
    let batch = shared.collect()?.batch
    #expect(batch?.replacements == [QueueSharedState.Batch.Replacement(finished: 9, started: 1)])
    #expect(batch?.items.map(\.id) == [2])
  }

  @Test(
    "The batch is left alone once something was posted that may come first",
    arguments: [(nil, false), (.normal, true), (.low, true), (.high, false)] as [(QueuePriority?, Bool)])
  func outdatedBatch(priority: QueuePriority?, isTaken: Bool) {
    let shared = shared()
    let operation = AsyncOperation {}
    fill(shared, [operation.storage])
    _ = postOperations(shared, priority: priority)

    #expect((shared.takeNext(after: 9, .failed, for: traits) != nil) == isTaken)
    #expect(shared.snapshot.operationCount == (isTaken ? 0 : 1))
  }

  /// The end of an operation that has made others of some ranks ready.
  ///
  /// - Parameter wake: What there is to do besides, where that takes no turn.
  func end(
    _ shared: QueueSharedState,
    _ dependents: [AsyncOperation<Void>],
    ranks: [Int],
    since number: Int,
    wake: Wake = .nothing
  ) -> WorkItem? {
    var changes = ShortList<OperationStorage.ReadinessChange>()
    var runnable = SmallIndexSet()
    for (index, (dependent, rank)) in zip(dependents, ranks).enumerated() {
      let ready = ReadyEntry(id: rank, position: QueuePosition(priority: .normal, rank: rank))
      changes.append(OperationStorage.ReadinessChange(storage: dependent.storage, otherQueue: nil, ready: ready))
      runnable.insert(index)
    }
    let next = shared.joinAndTakeNext(after: 9, .succeeded, changes, runnable: runnable, since: number, for: traits)
    #expect(next.map { short($0.action) } ?? .nothing == wake)
    return next?.next.workItem()
  }

  @Test(
    "Where all that has become ready comes after the batch, a child task goes on with that, and the next turn hears of them",
    arguments: [[10, 11], [10, 0]])
  func readyAfterBatch(ranks: [Int]) {
    let shared = shared()
    let (operation, dependents) = (AsyncOperation {}, ranks.map { _ in AsyncOperation {} })
    fill(shared, [operation.storage])
    let isTaken = ranks == [10, 11]

    #expect((end(shared, dependents, ranks: ranks, since: 1) != nil) == isTaken)

    let changed = shared.collect()?.events.compactMap { event in
      if case .changed(let storage, .readiness) = event { storage } else { nil }
    }
    #expect(changed == (isTaken ? dependents : []).map(\.storage))
    #expect(end(shared, dependents, ranks: ranks, since: 1) == nil)
  }

  @Test("What joins the batch has its slot without a turn, unless a turn has filled another batch since")
  func readyWithinBatch() {
    let shared = shared()
    let (operation, dependent) = (AsyncOperation {}, AsyncOperation {})
    #expect(shared.batchNumber == 0)
    fill(shared, [operation.storage], joining: .everything)
    #expect(shared.batchNumber == 1)
    #expect(end(shared, [dependent], ranks: [0], since: 0) == nil)

    let item = end(shared, [dependent], ranks: [0], since: 1)

    #expect(item?.id == 0 && item?.storage === dependent.storage && item?.isPrefetched == true)
    #expect(shared.snapshot.succeededCount == 1)
    #expect(shared.mayHaveNext)
    let input = shared.collect()
    #expect(!shared.mayHaveNext && !shared.mayHaveBatch)
    #expect(input?.batch.items.map(\.id) == [1] && input?.events.isEmpty == true)
    let replacement = QueueSharedState.Batch.Replacement(finished: 9, started: 0, hasJoined: true)
    #expect(input?.batch.replacements == [replacement])
  }

  @Test("A batch of nothing, which others may join, is no reason to look for the next operation until some have joined")
  func nothingYet() {
    let shared = shared()
    fill(shared, [], joining: .everything)
    #expect(shared.mayHaveBatch && !shared.mayHaveNext)

    let dependents = (0..<2).map { _ in AsyncOperation {} }
    #expect(end(shared, dependents, ranks: [0, 1], since: 1)?.id == 0)

    #expect(shared.mayHaveNext)
    #expect(shared.takeNext(after: 0, .succeeded, for: traits)?.workItem().id == 1)
  }

  @Test(
    "What looked for a line before a turn has put others in it takes nothing that may come after these",
    arguments: [true, false])
  func lineSinceLooked(isBesideLine: Bool) {
    let shared = shared()
    let (operations, dependent) = ((0..<2).map { _ in AsyncOperation {} }, AsyncOperation {})
    #expect(!shared.mayHaveLine)
    fill(shared, operations.map(\.storage), isBesideLine: isBesideLine)

    #expect((shared.takeNext(after: 9, .succeeded, for: traits) == nil) == isBesideLine)
    #expect((end(shared, [dependent], ranks: [10], since: 1) == nil) == isBesideLine)

    #expect(shared.snapshot.succeededCount == (isBesideLine ? 0 : 2))
    #expect(shared.collect()?.batch.items.count == (isBesideLine ? 2 : 0))
  }

  @Test("Without a batch a child task has to take a turn, and nothing is counted")
  func noBatch() {
    let shared = shared()
    #expect(shared.takeNext(after: 9, .failed, for: traits) == nil)
    #expect(shared.snapshot.completedCount == 0)
  }

  @Test("A closed queue refuses operations and barriers, and takes other events; its sequences end when it is empty")
  func closing() async {
    let shared = shared()
    let counts = Task { [states = shared.states()] in
      var counts: [Int] = []
      for await snapshot in states { counts.append(snapshot.operationCount) }
      return counts
    }
    #expect(postOperations(shared) == .nothing)
    let barrier = AsyncOperation {}.storage
    _ = short(shared.post(barrier: .barrierAdded(barrier, caller: nil)))
    shared.close()
    #expect(shared.isClosed)
    #expect(postOperations(shared) == .refuse)
    #expect(short(shared.post(barrier: .barrierAdded(barrier, caller: nil))) == .refuse)
    _ = short(shared.post(.graphChanged, need: .nothing))
    #expect(shared.snapshot.operationCount == 1 && shared.pendingEvents.count == 3)

    var outcomes = OutcomeCounts()
    outcomes.count(.succeeded)
    _ = shared.turnEnded(scheduler(limit: 1), outcomes: outcomes, finishedBarriers: 0, batch: nil)
    var late = shared.states().makeAsyncIterator()
    #expect(await late.next()?.operationCount == 0)
    _ = shared.turnEnded(scheduler(limit: 1), outcomes: OutcomeCounts(), finishedBarriers: 1, batch: nil)
    #expect(await late.next() == nil)
    #expect(await counts.value.last == 0)
  }

  @Test("Observers see the counts change, and their sequence ends with the queue")
  func observers() async {
    let shared = shared()
    let counts = Task { [states = shared.states()] in
      var counts: [Int] = []
      for await snapshot in states { counts.append(snapshot.operationCount) }
      return counts
    }
    _ = postOperations(shared, 2)
    shared.end()
    #expect(await counts.value.last == 2)
  }
}
