import Testing

@testable import StructuredOperations

/// What follows from a queue as it was found; the scheduler has one slot.
@Suite("QueueFacts")
struct QueueFactsTests {
  private typealias Place = QueueScheduler<OperationStorage>.Standing.Place
  private typealias Source = QueueFacts.Source

  private let queue = AsyncOperationQueue()
  private let fake = FakeQueue()

  private func source(
    _ scheduler: QueueScheduler<OperationStorage>,
    _ members: [(id: Int?, operation: AsyncOperation<Void>)],
    _ batch: QueueSharedState.Batch.Remainder? = nil,
    steps: [Source.Step] = []
  ) -> Source {
    Source(
      scheduler: scheduler, inLine: EntriesInLine(), header: "", rateHold: nil, remainingSuspension: nil,
      members: members.map {
        Source.Member(id: $0.id, operation: $0.operation, priority: .normal, condition: $0.operation.storage.condition)
      },
      batch: batch ?? PrefetchedBatch().remainder, steps: steps, completionBlocks: [])
  }

  private func places(_ source: Source) -> [Place] { QueueFacts(source, of: queue).members.map(\.standing.place) }

  /// A scheduler whose slot an operation has, and that.
  private func full() throws -> (QueueScheduler<OperationStorage>, AsyncOperation<Void>) {
    let operation = AsyncOperation {}
    var scheduler = QueueScheduler<OperationStorage>(maxConcurrentOperationCount: 1, defaultWidth: 8)
    scheduler.add(operation.storage, priority: .normal, readiness: .ready)
    _ = scheduler.next()
    _ = try operation.begin(in: fake)
    return (scheduler, operation)
  }

  private func enqueued(after dependency: AsyncOperation<Void>? = nil) async throws -> AsyncOperation<Void> {
    let operation = AsyncOperation {}
    if let dependency { try await operation.addDependency(dependency) }
    operation.enqueue(in: fake)
    return operation
  }

  @Test("What events add comes after what is there, in their order, each as it stands now")
  func added() async throws {
    let (scheduler, holder) = try full()
    let (first, second, blocked) = (try await enqueued(), try await enqueued(), try await enqueued(after: holder))
    let (barrier, last) = (try await enqueued(), try await enqueued())
    let all = [holder, first, blocked, second, barrier, last]
    let steps: [Source.Step] = [
      .added(first.storage, member: 1), .severalAdded([blocked.storage, second.storage], firstMember: 2),
      .barrierAdded(barrier.storage, member: 4), .added(last.storage, member: 5),
    ]

    let members = [(Optional(0), holder)] + all.dropFirst().map { (nil, $0) }
    let facts = QueueFacts(source(scheduler, members, steps: steps), of: queue)

    try #require(facts.members.count == all.count)
    #expect(zip(facts.members, all).allSatisfy { $0.operation === $1 })
    #expect(
      facts.members.map(\.standing.place) == [.chosen, .waitingForSlot(1), .none, .waitingForSlot(2), .none, .none])
    #expect(facts.members[4].ahead.map(ObjectIdentifier.init) == all[0..<4].map(ObjectIdentifier.init))
    #expect(facts.members[5].barrier === barrier)
    #expect(facts.slotHolders.map(ObjectIdentifier.init) == [ObjectIdentifier(holder)])
    for operation in all { operation.finish() }
  }

  @Test("What was chosen ahead and has begun has its slot; the identifier of what it replaced is given again")
  func chosenAhead() async throws {
    var (scheduler, replaced) = try full()
    let (started, waiting, new) = (AsyncOperation {}, try await enqueued(), try await enqueued())
    for operation in [started, waiting] {
      scheduler.add(operation.storage, priority: .normal, readiness: .ready)
    }
    let items = scheduler.prefetch(2) { _ in true }
    _ = try started.begin(in: fake)
    replaced.finish()
    let batch = QueueSharedState.Batch.Remainder(
      replacements: [PrefetchedReplacement(finished: 0, started: 1)], items: items.filter { $0.id == 2 },
      nextSize: 1, startTimes: [])
    let members = [(Optional(0), replaced), (1, started), (2, waiting), (nil, new)]

    let facts = QueueFacts(
      source(scheduler, members, batch, steps: [.added(new.storage, member: 3)]), of: queue)

    #expect(facts.members.map(\.standing.place) == [.chosen, .waitingForSlot(1), .waitingForSlot(2)])
    #expect(facts.slotHolders.map(ObjectIdentifier.init) == [ObjectIdentifier(started)])
    for operation in [started, waiting, new] { operation.finish() }
  }

  @Test("An operation that has become ready or blocked counts as that, though the queue has not heard of it")
  func readiness() async throws {
    var (scheduler, holder) = try full()
    let (ready, blocked) = (try await enqueued(), try await enqueued(after: holder))
    scheduler.add(ready.storage, priority: .normal, readiness: .blocked)
    scheduler.add(blocked.storage, priority: .normal, readiness: .ready)

    #expect(
      places(source(scheduler, [(0, holder), (1, ready), (2, blocked)])) == [.chosen, .waitingForSlot(1), .none])
    for operation in [holder, ready, blocked] { operation.finish() }
  }

  @Test("What passes a barrier is found by the dependencies that there were, whatever has finished since")
  func dependenciesAsFound() async throws {
    var scheduler = QueueScheduler<OperationStorage>(maxConcurrentOperationCount: 1, defaultWidth: 8)
    let late = try await enqueued()
    let (early, barrier) = (try await enqueued(after: late), try await enqueued())
    scheduler.add(early.storage, priority: .normal, readiness: .blocked)
    scheduler.addBarrier(barrier.storage, readiness: .ready)
    scheduler.add(late.storage, priority: .normal, readiness: .ready)
    let source = source(scheduler, [(0, early), (1, barrier), (2, late)])
    late.finish()

    let facts = QueueFacts(source, of: queue)

    #expect(facts.members.map(\.standing.place) == [.none, .none, .due])
    for operation in [early, barrier] { operation.finish() }
  }

  @Test("What was chosen and has got a dependency before it begins has no slot")
  func blockedOnceChosen() async throws {
    var scheduler = QueueScheduler<OperationStorage>(maxConcurrentOperationCount: 1, defaultWidth: 8)
    let dependency = try await enqueued()
    let (chosen, next) = (try await enqueued(after: dependency), try await enqueued())
    for operation in [chosen, next] { scheduler.add(operation.storage, priority: .normal, readiness: .ready) }
    _ = scheduler.next()

    let facts = QueueFacts(source(scheduler, [(0, chosen), (1, next)]), of: queue)

    #expect(facts.members.map(\.standing.place) == [.none, .due])
    #expect(facts.slotHolders.isEmpty)
    for operation in [dependency, chosen, next] { operation.finish() }
  }

  @Test(
    "A slot whose holder has finished is free, and its holder is gone, whether or not it was left free",
    arguments: [false, true])
  func freed(isLeft: Bool) async throws {
    var (scheduler, holder) = try full()
    let next = try await enqueued()
    scheduler.add(next.storage, priority: .normal, readiness: .ready)
    holder.finish()
    let left = QueueSharedState.Batch.Remainder(
      replacements: [PrefetchedReplacement(finished: 0)], items: [], nextSize: 1)

    let facts = QueueFacts(source(scheduler, [(0, holder), (1, next)], isLeft ? left : nil), of: queue)

    #expect(facts.members.map(\.standing.place) == [.due])
    #expect(facts.members.map(\.mayLackLimits) == [true] && facts.slotHolders.isEmpty)
    next.finish()
  }

  @Test("A body that has begun to wait lends its slot, whatever the queue has heard, unless the wait is over")
  func lending() async throws {
    var scheduler = QueueScheduler<OperationStorage>(maxConcurrentOperationCount: 1, defaultWidth: 8)
    let (waiting, next) = (AsyncOperation {}, try await enqueued())
    for operation in [waiting, next] { scheduler.add(operation.storage, priority: .normal, readiness: .ready) }
    _ = scheduler.next()
    let wait = try waiting.begin(in: fake).wait(for: .operations([next]), in: fake)
    #expect(DependencyGraph.begin(wait) == nil)
    let members = [(Optional(0), waiting), (1, next)]

    #expect(places(source(scheduler, members)) == [.chosen, .due])
    _ = wait.end(.done)
    #expect(places(source(scheduler, members)) == [.chosen, .waitingForSlot(1)])
    wait.unregister()
    DependencyGraph.remove(wait, for: fake)
    for operation in [waiting, next] { operation.finish() }
  }

  @Test("A body that has asked for its slot again needs one; one that has not, or has not lent its own, is as it was")
  func slotRequested() async throws {
    var (scheduler, waiting) = try full()
    scheduler.releaseSlot(0)
    let holder = try await enqueued()
    scheduler.add(holder.storage, priority: .normal, readiness: .ready)
    _ = scheduler.next()
    let members = [(Optional(0), waiting), (1, holder)]

    #expect(places(source(scheduler, members)) == [.chosen, .chosen])
    let steps = [Source.Step.slotRequested(0), .slotRequested(1)]
    #expect(places(source(scheduler, members, steps: steps)) == [.returning, .chosen])
    for operation in [waiting, holder] { operation.finish() }
  }

  @Test("A change of priority counts")
  func priorities() async throws {
    var (scheduler, holder) = try full()
    var operations: [AsyncOperation<Void>] = []
    for _ in 1...3 { operations.append(try await enqueued()) }
    for operation in operations { scheduler.add(operation.storage, priority: .normal, readiness: .ready) }
    let members = [(Optional(0), holder)] + operations.enumerated().map { (Optional($0.offset + 1), $0.element) }
    let steps: [Source.Step] = [
      .priorityChanged(member: 2, .high), .priorityChanged(member: 3, .veryHigh),
    ]

    #expect(
      places(source(scheduler, members, steps: steps)) == [
        .chosen, .waitingForSlot(3), .waitingForSlot(2), .waitingForSlot(1),
      ])
    for operation in operations + [holder] { operation.finish() }
  }
}
