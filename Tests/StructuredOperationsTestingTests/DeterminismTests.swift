import StructuredOperationsTesting
import Testing
import TestSupport

@testable import StructuredOperations

/// Everything that the library starts has to run on the queue's executor, or no run would repeat.
@Suite("A queue under a seeded executor", .hangGuard)
struct DeterminismTests {
  @Test("repeats its interleaving for each of 200 seeds, and no job comes from elsewhere")
  func interleavings() throws {
    var signatures: Set<UInt64> = []
    for seed in UInt64(0)..<200 {
      HangGuard.progress()
      let (first, second) = (try Self.run(seed), try Self.run(seed))
      #expect(first.events == second.events, "seed \(seed)")
      #expect(first.signature == second.signature, "seed \(seed)")
      #expect(first.foreignJobCount == 0, "seed \(seed)")
      signatures.insert(first.signature)
    }
    #expect(signatures.count == 200)
  }

  @Test("is asked for explanations in the same order by queues that share a limit")
  func explanationOfLimit() throws {
    for seed in UInt64(0)..<10 {
      HangGuard.progress()
      let signatures = try (0..<10).map { _ in
        let executor = SeededExecutor(seed: seed)
        try executor.run {
          let (limit, gate) = (ConcurrencyLimit(3), StructuredOperationsTesting.Gate())
          let queues = (0..<4).map { _ in AsyncOperationQueue(executor: executor) }
          for queue in queues.dropFirst() { await queue.add(limits: [limit]) { await gate.wait() } }
          await executor.waitUntilIdle()
          let operation = await queues[0].add(limits: [limit]) { 1 }
          for queue in queues.dropFirst() {
            Task(executorPreference: executor) { for _ in 0..<5 { await queue.add { 1 } } }
          }
          _ = await operation.explanation
          gate.open()
          await operation.waitUntilFinished()
        }
        return executor.signature
      }
      #expect(Set(signatures).count == 1, "seed \(seed)")
    }
  }

  /// The edges of all programs are one graph.
  @Test("is told of new edges by its own run, and by other threads once that is over", arguments: [false, true])
  func edgesBesideThreads(waitsForScope: Bool) throws {
    let executor = SeededExecutor(seed: 1)
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 2, executor: executor)
    let gate = StructuredOperationsTesting.Gate()
    @Sendable func isToBeTold() -> Bool {
      DependencyGraph.withLock { state, _ in state.watchers.contains(ObjectIdentifier(queue)) }
    }
    @Sendable func addEdge() { _ = AsyncOperation(after: AsyncOperation { 1 }) { $0 } }
    try executor.run {
      // What it waits for may come to depend on any operation.
      await queue.add {
        if waitsForScope {
          try await withOperationQueue { scope in await scope.add { await gate.wait() } }
        } else {
          let other = AsyncOperationQueue(executor: executor)
          await other.add { await gate.wait() }
          await other.waitUntilAllOperationsAreFinished()
        }
      }
      await queue.addBarrier {}
      await queue.add {}
      await executor.waitUntilIdle()
      #expect(isToBeTold())

      let isAdded = TestSupport.Gate()
      Task.detached(executorPreference: OperationThreadPool.shared) {
        addEdge()
        isAdded.open()
      }
      isAdded.waitBlocking()
      #expect(isToBeTold())

      addEdge()
      #expect(!isToBeTold(), "it has been told")
      await executor.waitUntilIdle()
      #expect(isToBeTold(), "it has looked again")
    }
    #expect(executor.foreignJobCount == 0)

    addEdge()
    #expect(!isToBeTold(), "no run is disturbed")

    try executor.run {
      gate.open()
      await queue.waitUntilAllOperationsAreFinished()
    }
  }

  /// The runtime tells a task's executor behind the lock under which it calls the handlers of the task's cancellation.
  @Test("has no other task wait for its cancellation handler for ever, where both add dependencies")
  func handlerBesideRun() throws {
    let (canBegin, isCancelled) = (TestSupport.Gate(), TestSupport.Gate())
    @Sendable func addEdges() {
      for _ in 0..<1_000 { _ = AsyncOperation(after: AsyncOperation { 1 }) { $0 } }
    }
    try SeededExecutor(seed: 1).run {
      let task = Task.detached(executorPreference: OperationThreadPool.shared) {
        await withTaskCancellationHandler {
          canBegin.open()
          isCancelled.waitBlocking()
          addEdges()
        } onCancel: {
          isCancelled.open()
          addEdges()
        }
      }
      canBegin.waitBlocking()
      task.cancel()
      let isOver = TestSupport.Gate()
      Task.detached(executorPreference: OperationThreadPool.shared) {
        await task.value
        isOver.open()
      }
      isOver.waitBlocking()
    }
  }

  /// The limits of all programs are behind one lock.
  @Test("has to itself its starts by hand that wait for limits, whatever other limits threads wait for")
  func limitsBesideThreads() async throws {
    try await withThrowingTaskGroup { group in
      let isOver = Locked(false)
      for _ in 0..<3 {
        group.addTask {
          while !isOver.current {
            try await Self.startByHand(4, executor: nil)
            await Task.yield()
          }
        }
      }
      group.addTask {
        defer { isOver.withLock { $0 = true } }
        for seed in UInt64(0)..<100 {
          HangGuard.progress()
          let executor = SeededExecutor(seed: seed)
          try executor.run { try await Self.startByHand(12, executor: executor) }
          #expect(executor.foreignJobCount == 0, "seed \(seed)")
        }
      }
      try await group.waitForAll()
    }
  }

  /// Operations that need one limit, begun by hand at once.
  @Sendable private static func startByHand(_ count: Int, executor: (any TaskExecutor)?) async throws {
    let limit = ConcurrencyLimit(1)
    try await withThrowingTaskGroup { group in
      for _ in 0..<count {
        let operation = AsyncOperation(executor: executor) { await Task.yield() }
        try await operation.addLimit(limit)
        group.addTask(executorPreference: executor) { try await operation.start() }
      }
      try await group.waitForAll()
    }
  }

  private struct Failure: Error {}

  /// Runs something of everything.
  private static func run(
    _ seed: UInt64
  ) throws -> (events: [OperationRecorder<String>.Event], signature: UInt64, foreignJobCount: Int) {
    let executor = SeededExecutor(seed: seed)
    let recorder = OperationRecorder<String>()
    try executor.run {
      try await bodies(executor, recorder)
      try await settings(executor, recorder)
      try await scope(executor, recorder)
      try await withoutQueue(executor, recorder)
    }
    return (recorder.events, executor.signature, executor.foreignJobCount)
  }

  /// Bodies of every kind, their dependencies, completion blocks and observers.
  private static func bodies(_ executor: SeededExecutor, _ recorder: OperationRecorder<String>) async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 3, executor: executor)
    let blocking = AsyncOperation { recorder.note("blocking") }
    let asynchronous = AsyncOperation { await recorder.record("asynchronous") { await Task.yield() } }
    let callback = AsyncOperation<Int> { completion in
      Task(executorPreference: executor) {
        recorder.note("callback")
        completion.finish(returning: 1)
      }
    }
    let blocks = ExecutionBlocks { recorder.note("first block") }
    try blocks.add { recorder.note("second block") }
    try blocks.add { await recorder.record("third block") { await Task.yield() } }
    let block = AsyncOperation(blocks)
    let failing = AsyncOperation { throw Failure() }
    let dependent = AsyncOperation(after: callback) { recorder.note("dependent \($0)") }
    let operations: [any OperationProtocol] = [blocking, asynchronous, callback, block, failing, dependent]
    try await blocking.addDependency(asynchronous)
    for (number, operation) in operations.enumerated() {
      await operation.setCompletionBlock {
        await Task.yield()
        recorder.note("completion \(number)")
      }
      let states = operation.states
      Task(executorPreference: executor) {
        for await snapshot in states { recorder.note("\(number) \(snapshot.state) \(snapshot.isCancelled)") }
      }
    }
    await queue.add(operations)
    await queue.addBarrier { recorder.note("barrier") }
    async let called: Void = queue.run { await recorder.record("called") { await Task.yield() } }
    await queue.add { recorder.note("behind") }
    try await called
    await queue.waitUntilAllOperationsAreFinished()
    await blocking.setCompletionBlock { recorder.note("late completion") }
  }

  /// Cancellation, suspension, limits and priorities, from several tasks at once.
  private static func settings(_ executor: SeededExecutor, _ recorder: OperationRecorder<String>) async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1, executor: executor, isSuspended: true)
    let operations = (0..<6).map { number in
      AsyncOperation(queuePriority: number == 4 ? .high : .normal) {
        await recorder.record("\(number)") {
          await Task.yield()
          if Task.isCancelled { recorder.note("\(number) cancelled") }
        }
      }
    }
    await withTaskGroup { group in
      group.addTask {
        await queue.add(operations)
        await queue.resume()
      }
      group.addTask { operations[2].cancel() }
      group.addTask { await operations[5].setQueuePriority(.veryHigh) }
      group.addTask { try? await queue.setMaxConcurrentOperationCount(2) }
      group.addTask { await operations[0].waitUntilFinished() }
    }
    await queue.cancelAllOperations()
    await queue.waitUntilAllOperationsAreFinished()
  }

  private static func scope(_ executor: SeededExecutor, _ recorder: OperationRecorder<String>) async throws {
    try await withOperationQueue(maxConcurrentOperationCount: 2, executor: executor) { queue in
      for number in 0..<3 {
        let operation = AsyncOperation { recorder.note("scoped \(number)") }
        await operation.setCompletionBlock { recorder.note("scoped completion \(number)") }
        await queue.add(operation)
      }
    }
  }

  private static func withoutQueue(_ executor: SeededExecutor, _ recorder: OperationRecorder<String>) async throws {
    let blocks = ExecutionBlocks { recorder.note("started block") }
    let operations: [any OperationProtocol] = [
      AsyncOperation(executor: executor) { recorder.note("started synchronous") },
      AsyncOperation(executor: executor) { await recorder.record("started asynchronous") { await Task.yield() } },
      AsyncOperation(executor: executor, blocks),
    ]
    for operation in operations {
      await operation.setCompletionBlock { recorder.note("started completion") }
    }
    await withTaskGroup { group in
      for operation in operations {
        group.addTask { try? await operation.start() }
      }
    }
  }
}
