import StructuredOperations
import StructuredOperationsTesting

/// One task of the soak on virtual clocks: adds operations with limits to two queues, one of which has a start rate; their
/// bodies sleep, fail, try again and run out of time, all of it on a clock of the driver's own.
struct ClockSoakDriver: SoakDriving {
  static let churnDescription = "attempts failed, times ran out, and rates, limits and pauses changed"

  private static let roundSize = 1_000
  private static let limitCount = 3
  private static let rate = OperationStartRate(50, per: .milliseconds(1))

  private(set) var tally = SoakTally()
  private var generator: SeededGenerator
  private let clock = VirtualClock()
  private let limit = ConcurrencyLimit(limitCount, name: "soak")
  /// Used by every other wave; the waves between use new queues.
  private let lastingQueues: Queues

  private struct Queues: Sendable {
    let rated: AsyncOperationQueue
    let unrated: AsyncOperationQueue

    init(clock: VirtualClock) {
      rated = AsyncOperationQueue(maxConcurrentOperationCount: 4, startRate: rate, clock: clock)
      unrated = AsyncOperationQueue(maxConcurrentOperationCount: 4, clock: clock)
    }

    var completedCount: Int { rated.snapshot.completedCount + unrated.snapshot.completedCount }

    func waitUntilEmpty() async {
      await rated.waitUntilAllOperationsAreFinished()
      await unrated.waitUntilAllOperationsAreFinished()
    }
  }

  private struct Failure: Error {}

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    lastingQueues = Queues(clock: clock)
  }

  mutating func run(count: Int, inNewQueue: Bool) async {
    let queues = inNewQueue ? Queues(clock: clock) : lastingQueues
    let completedBefore = queues.completedCount
    var left = count
    while left > 0 {
      await runRound(of: min(left, Self.roundSize), in: queues)
      left -= Self.roundSize
    }
    precondition(limit.available == Self.limitCount, "a limit is in use and nothing runs")
    tally.finished += queues.completedCount - completedBefore
  }

  private mutating func runRound(of count: Int, in queues: Queues) async {
    let ran = Counter()
    let churn = Counter()
    var operations: [AsyncOperation<Void>] = []
    for _ in 0..<count { operations.append(await makeOperation(ran, churn)) }
    await ClockMover.move(clock) {
      for operation in operations {
        if await (oneIn(2) ? queues.rated : queues.unrated).add(operation) { tally.added += 1 }
        if oneIn(16) { operation.cancel() }
        if oneIn(100) { await change(queues.rated, churn) }
      }
      // Some need more than the limit may be by now.
      limit.setCount(Self.limitCount)
      await queues.waitUntilEmpty()
    }
    tally.ran += ran.value
    tally.churn += churn.value
  }

  // MARK: Operations

  private mutating func makeOperation(_ ran: Counter, _ churn: Counter) async -> AsyncOperation<Void> {
    let body = makeBody(churn)
    let operation = AsyncOperation(start: {
      ran.increment()
      try await body()
    })
    if oneIn(2) {
      do {
        try await operation.addLimit(limit, cost: oneIn(8) ? 2 : 1)
      } catch {
        preconditionFailure("the limit was set back before: \(error)")
      }
    }
    return operation
  }

  private mutating func makeBody(_ churn: Counter) -> @Sendable () async throws -> Void {
    let clock = clock
    let jitter = oneIn(2) ? 0.5 : 0
    let retries = OperationRetryPolicy.exponential(
      from: .milliseconds(1), upTo: .milliseconds(10), attempts: 4, jitter: jitter)
    // The second attempt succeeds, or none.
    let lastFailure = oneIn(8) ? Int.max : 1
    @Sendable func fail(_ attempt: Int) throws {
      if attempt > lastFailure { return }
      churn.increment()
      throw Failure()
    }
    @Sendable func oversleep() async throws {
      do {
        try await withOperationTimeout(.milliseconds(2), clock: clock) { try await clock.sleep(for: .milliseconds(5)) }
      } catch {
        churn.increment()
        throw error
      }
    }
    return switch Int.random(in: 0..<8, using: &generator) {
    case 0, 1: { try await withOperationRetry(retries, clock: clock) { attempt in try fail(attempt) } }
    case 2, 3: { try await withOperationTimeout(.seconds(10), clock: clock) { await Task.yield() } }
    case 4: { try await oversleep() }
    case 5: { try await withOperationRetry(retries, clock: clock) { if $0 <= lastFailure { try await oversleep() } } }
    case 6: { try await clock.sleep(for: .milliseconds(1)) }
    default: {}
    }
  }

  // MARK: The queue

  private mutating func change(_ queue: AsyncOperationQueue, _ churn: Counter) async {
    churn.increment()
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: await queue.suspend(for: .milliseconds(3))
    case 1: await queue.setStartRate(nil)
    case 2: limit.setCount(Int.random(in: 0...4, using: &generator))
    default: await queue.setStartRate(Self.rate)
    }
  }

  private mutating func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &generator) == 0 }
}
