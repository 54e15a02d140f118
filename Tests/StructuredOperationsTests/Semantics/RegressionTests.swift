import Foundation
import Testing
import TestSupport

@testable import StructuredOperations

// Each of these went wrong once.
@Suite("Regressions", .hangGuard)
struct RegressionTests {
  @Test("A scope that is cancelled stays open until its body ends, and cancels what is added meanwhile")
  func cancelledScope() async throws {
    let cancelled = Gate()
    let task = Task {
      try await withOperationQueue { queue in
        await cancelled.wait()
        // The queue has had its turn, and nothing is left in it.
        while await !queue.state.scope.isCancelled { await Task.yield() }
        for _ in 0..<100 { await Task.yield() }
        let operation = AsyncOperation { 1 }
        #expect(await queue.add(operation))
        await operation.waitUntilFinished()
        #expect(operation.isCancelled)
      }
    }
    task.cancel()
    cancelled.open()

    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("An operation that is about to be skipped and is ready after all runs once")
  func skipTakenBack() throws {
    let (queue, operation, failed) = (FakeQueue(), AsyncOperation {}, AsyncOperation {})
    var machine = OperationStateMachine(body: .start {}, queuePriority: .normal)
    _ = machine.enqueue(OperationStateMachine.Assignment(operation, in: queue))
    _ = machine.addDependency(
      failed, id: ObjectIdentifier(failed.storage), requirement: .success, key: 0, hasSucceeded: false)
    #expect(machine.readiness == .skipped)
    _ = machine.removeDependency(failed.storage)

    #expect(machine.claimSkipped() == .ready)
    #expect(machine.claim() == .ready)
  }

  @Test("A change that is told to a queue which the operation is not in affects no other operation of that queue")
  func changeForFormerQueue() async throws {
    let former = AsyncOperationQueue(isSuspended: true)
    let queue = AsyncOperationQueue(isSuspended: true)
    let operation = AsyncOperation { 1 }
    let innocent = await former.add { 2 }
    #expect(await former.operations.count == 1)
    await queue.add(operation)
    #expect(await queue.operations.count == 1)

    operation.cancel()
    former.operationChanged(operation.storage, .readiness)
    await former.resume()

    #expect(try await innocent.value == 2)
    #expect(operation.snapshot == OperationSnapshot(state: .ready, isCancelled: true))
    await queue.resume()
    await operation.waitUntilFinished()
  }

  @Test("An output that is freed by a change of the graph may change the graph in its turn")
  func graphChangedByDeinit() async throws {
    let hub = AsyncOperation { 1 }
    for _ in 0..<40 {
      let operation = AsyncOperation { ActsAtTheEnd { _ = AsyncOperation(after: hub) { _ in } } }
      try await operation.addDependency(hub)
      await operation.removeDependency(hub)
      try await operation.start()
    }

    #expect(hub.dependencies.isEmpty)
  }

  @Test("A past dependency whose last reference goes while an edge is removed is freed outside of the locks")
  func pastDependencyFreedByRemoval() async throws {
    let other = AsyncOperation {}
    for _ in 0..<1_000 {
      let operation = AsyncOperation<Void> {}
      let held = Locked((0..<8).map { _ in AsyncOperation { ActsAtTheEnd { _ = operation.state } } })
      for dependency in held.current {
        try await operation.addDependency(dependency)
        try await dependency.start()
      }
      try await operation.start()
      async let removal: Void = operation.removeDependency(other)
      held.withLock { $0 = [] }
      await removal
    }
  }

  @Test(
    "An operation of a batch that is cancelled between belonging to a full queue and reaching it leaves all the same")
  func cancelledOnItsWay() async throws {
    let gate = Gate()
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
    let running = await queue.add { gate.waitBlocking() }
    while !running.isExecuting { await Task.yield() }
    let operation = AsyncOperation { 1 }

    // What adding a batch does, with the cancellation, its event and another's addition in between.
    guard case .enqueued(let enqueued) = operation.storage.enqueue(operation, in: queue) else {
      throw Unexpected("not enqueued")
    }
    operation.cancel()
    #expect(await queue.operations.count == 1)
    await queue.add(AsyncOperation { 2 })
    var additions = AsyncOperationQueue.Additions()
    additions.append(operation.storage, enqueued)
    #expect(queue.shared.beginAdding())
    queue.post(additions)

    await operation.waitUntilFinished()
    #expect(running.isExecuting)
    gate.open()
  }

  @Test("A caller that is cancelled in a suspended queue is let go")
  func cancelledCallerOfSuspendedQueue() async throws {
    let queue = AsyncOperationQueue(isSuspended: true)
    let caller = Task { try await queue.run { 1 } }
    while queue.operationCount == 0 { await Task.yield() }

    caller.cancel()

    await #expect(throws: CancellationError.self) { try await caller.value }
    #expect(queue.operationCount == 0)
    #expect(queue.isSuspended)
  }

  @Test("A closure added to a queue whose scope has ended fails")
  func closureAddedToClosedQueue() async throws {
    let queue = try await withOperationQueue { $0 }

    let operation = await queue.add { 1 }
    let next = await queue.add(after: operation) { $0 + 1 }

    await #expect(throws: OperationError.queueClosed) { try await operation.value }
    await #expect(throws: OperationError.queueClosed) { try await next.value }
    await queue.addAndWait([AsyncOperation {}])
    let barrier = await queue.addBarrier {}
    await #expect(throws: OperationError.queueClosed) { try await barrier.value }
  }

  @Test("Blocks of an operation that finished unrun are sealed")
  func blocksOfUnrun() async throws {
    let blocks = ExecutionBlocks {}
    let operation = AsyncOperation(blocks)
    operation.cancel()

    try await operation.start()

    #expect(throws: OperationError.blocksSealed) { try blocks.add {} }
  }

  @Test("Cancelling the caller of run() while its closure runs cancels the operation")
  func cancelledCaller() async throws {
    let queue = AsyncOperationQueue()
    let running = Gate()
    let cancelled = Gate()
    let caller = Task {
      try await queue.run {
        running.open()
        await cancelled.wait()
        return AsyncOperation.current as? AsyncOperation<Void>
      }
    }
    await running.wait()
    caller.cancel()
    cancelled.open()

    let operation = try #require(try await caller.value)
    #expect(operation.snapshot == OperationSnapshot(state: .finished, isCancelled: true))
  }

  // In a process of its own: while the queue waits for a thread of the cooperative pool, which other tests share, the
  // threads post millions of events.
  @Test("Threads that post without a pause let operations run")
  func restlessThreads() async {
    await #expect(processExitsWith: .success) {
      HangGuard.watch("threads that post without a pause")
      let ran = Gate()
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      let waiting = AsyncOperation {}
      let missing = AsyncOperation {}
      try await waiting.addDependency(missing)
      await queue.add(waiting)
      // Threads, since tasks that never pause would leave the cooperative pool no thread for the queue.
      for _ in 0..<3 {
        Thread.detachNewThread {
          while !ran.isOpen { for level in QueuePriority.allCases { waiting.storage.setQueuePriority(level) } }
        }
      }

      await queue.add { ran.open() }

      await ran.wait()
      await queue.add(missing)
      await queue.waitUntilAllOperationsAreFinished()
      #expect(queue.operationCount == 0)
    }
  }

  @Test("An operation that was removed as a dependent is not kept by what it depended on")
  func removedDependent() async throws {
    let hub = AsyncOperation { 1 }
    let freed = Gate()
    do {
      let operation = AsyncOperation { ActsAtTheEnd { freed.open() } }
      try await operation.addDependency(hub)
      await operation.removeDependency(hub)
      try await operation.start()
    }

    await freed.wait()
    #expect(!hub.isFinished)
  }

  @Test("Operations that only their bodies hold are freed without recursion")
  func chainOfBodies() async {
    let freed = Gate()
    do {
      let end = ActsAtTheEnd { freed.open() }
      var last = AsyncOperation { end.touch() }
      for _ in 0..<100_000 {
        let previous = last
        last = AsyncOperation { _ = previous.outcome }
      }
      #expect(last.isReady)
    }

    await freed.wait()
  }

  private final class ActsAtTheEnd: Sendable {
    private let action: @Sendable () -> Void

    init(_ action: @escaping @Sendable () -> Void) {
      self.action = action
    }

    func touch() {}

    deinit { action() }
  }
}
