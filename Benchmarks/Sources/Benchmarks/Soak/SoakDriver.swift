import StructuredOperations

/// One task of the soak: adds operations to a queue of its own, and calls methods of the operations and of the queue
/// that a seeded generator chooses.
struct SoakDriver: SoakDriving {
  static let churnDescription = "times cancelled, suspended, resized or barred"

  private static let roundSize = 1_000

  private(set) var tally = SoakTally()
  private var generator: SeededGenerator
  /// Used by every other wave; the waves between use a new queue.
  private let lastingQueue = AsyncOperationQueue(name: "soak", maxConcurrentOperationCount: 4)

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  mutating func run(count: Int, inNewQueue: Bool) async {
    let queue = inNewQueue ? AsyncOperationQueue(maxConcurrentOperationCount: 4) : lastingQueue
    let completedBefore = queue.snapshot.completedCount
    var left = count
    while left > 0 {
      await runRound(of: min(left, Self.roundSize), in: queue)
      left -= Self.roundSize
    }
    let snapshot = queue.snapshot
    precondition(snapshot.operationCount == 0, "a queue that was waited for is not empty")
    tally.finished += snapshot.completedCount - completedBefore
  }

  private mutating func runRound(of count: Int, in queue: AsyncOperationQueue) async {
    let counter = Counter()
    let states = queue.states
    let watcher = Task { for await _ in states {} }
    await withDiscardingTaskGroup { readers in
      var previous: AsyncOperation<Void>?
      for _ in 0..<count {
        let operation = makeOperation(counter)
        if let previous, oneIn(4) { await depend(operation, on: previous) }
        if oneIn(16) { await operation.setCompletionBlock {} }
        if oneIn(32) { addReader(of: operation, to: &readers) }
        if await queue.add(operation) { tally.added += 1 }
        if oneIn(16) {
          await operation.setQueuePriority(QueuePriority.allCases.randomElement(using: &generator) ?? .low)
        }
        if oneIn(16) { operation.cancel() }
        if oneIn(100) { await churn(queue, counter) }
        previous = operation
      }
      // The queue may be suspended or have the limit 0: let it become empty.
      await queue.resume()
      await setWidth(4, of: queue)
    }
    await queue.waitUntilAllOperationsAreFinished()
    watcher.cancel()
    await watcher.value
    tally.ran += counter.value
  }

  // MARK: Operations

  private mutating func makeOperation(_ counter: Counter) -> AsyncOperation<Void> {
    switch Int.random(in: 0..<8, using: &generator) {
    case 0, 1: AsyncOperation(main: { counter.increment() })
    case 2:
      AsyncOperation<Void>(callback: { completion in
        counter.increment()
        completion.finish()
      })
    case 3:
      AsyncOperation(start: {
        counter.increment()
        throw CancellationError()
      })
    case 4:
      AsyncOperation(start: {
        counter.increment()
        await Task.yield()
      })
    default: AsyncOperation(start: { counter.increment() })
    }
  }

  private mutating func depend(_ operation: AsyncOperation<Void>, on previous: AsyncOperation<Void>) async {
    do {
      try await operation.addDependency(previous, requiring: oneIn(4) ? .success : .completion)
    } catch {
      preconditionFailure("a new operation was part of a loop: \(error)")
    }
  }

  /// Some readers read to the end, some stop early, some wait for the operation.
  private mutating func addReader(of operation: AsyncOperation<Void>, to readers: inout DiscardingTaskGroup) {
    let states = operation.states
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: readers.addTask { for await _ in states { return } }
    case 1: readers.addTask { await operation.waitUntilFinished() }
    default: readers.addTask { for await _ in states {} }
    }
  }

  // MARK: The queue

  private mutating func churn(_ queue: AsyncOperationQueue, _ counter: Counter) async {
    tally.churn += 1
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: await queue.suspend()
    case 1: await queue.resume()
    case 2: await queue.cancelAllOperations()
    case 3: await queue.addBarrier { await Task.yield() }
    case 4: await runInPlace(queue, counter)
    default: await setWidth(Int.random(in: 0...64, using: &generator), of: queue)
    }
  }

  /// Runs a closure in the current task, in a slot of the queue.
  private mutating func runInPlace(_ queue: AsyncOperationQueue, _ counter: Counter) async {
    await queue.resume()
    await setWidth(2, of: queue)
    tally.added += 1
    do {
      try await queue.run { counter.increment() }
    } catch {
      preconditionFailure("nobody cancels this: \(error)")
    }
  }

  private func setWidth(_ width: Int, of queue: AsyncOperationQueue) async {
    do {
      try await queue.setMaxConcurrentOperationCount(width)
    } catch {
      preconditionFailure("\(width) is a width: \(error)")
    }
  }

  private mutating func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &generator) == 0 }
}
