import Testing
import TestSupport

@testable import StructuredOperations

@Suite("WT Waiting for an operation", .hangGuard)
struct OperationWaitSemantics {
  @Test("WT-01 Any number of tasks may wait, and all are let go")
  func manyWaiters() async throws {
    let blocker = Blocker()
    await AsyncOperationQueue().add(blocker.operation)
    let waiters = (0..<1_000).map { _ in Task { await blocker.operation.waitUntilFinished() } }
    let readers = (0..<100).map { _ in Task { try await blocker.operation.value } }
    blocker.release.open()
    for waiter in waiters { await waiter.value }
    for reader in readers { try await reader.value }
    await blocker.operation.waitUntilFinished()
  }

  @Test("WT-01 Waiters come in while the operation finishes, and none is forgotten")
  func waiterRace() async {
    let queue = AsyncOperationQueue()
    for _ in 0..<1_000 {
      let operation = AsyncOperation { await Task.yield() }
      await queue.add(operation)
      await withTaskGroup { group in
        for _ in 0..<3 { group.addTask { await operation.waitUntilFinished() } }
      }
      #expect(operation.isFinished)
    }
  }

  @Test("WT-02 Who is let go finds the finish told already: it is the next thing an observer reads")
  func observers() async {
    let queue = AsyncOperationQueue()
    for _ in 0..<200 {
      let operation = AsyncOperation {}
      var iterator = operation.states.makeAsyncIterator()
      #expect(await iterator.next()?.state == .ready)
      await queue.add(operation)
      await operation.waitUntilFinished()
      #expect(operation.isFinished)
      #expect(await iterator.next()?.state == .executing)
      #expect(await iterator.next()?.state == .finished)
      #expect(await iterator.next() == nil)
    }
  }

  @Test("WT-04 Who waits for an operation that nobody starts waits until somebody does")
  func neverStarted() async throws {
    let operation = AsyncOperation {}
    let returned = Gate()
    let waiter = Task {
      await operation.waitUntilFinished()
      returned.open()
    }
    await AsyncOperationQueue(maxConcurrentOperationCount: 1).addAndWait((0..<100).map { _ in AsyncOperation {} })
    #expect(!returned.isOpen)
    try await operation.start()
    await waiter.value
  }

  @Test("WT-05 Waiting holds no thread: a thousand tasks wait while others get on")
  func noThread() async {
    let blocker = Blocker()
    await AsyncOperationQueue().add(blocker.operation)
    await blocker.begun.wait()
    await withTaskGroup { group in
      for _ in 0..<1_000 { group.addTask { await blocker.operation.waitUntilFinished() } }
      for _ in 0..<100 { await Task.yield() }
      let queue = AsyncOperationQueue()
      await queue.addAndWait((0..<100).map { _ in AsyncOperation { await Task.yield() } })
      #expect(blocker.operation.isExecuting)
      blocker.release.open()
    }
  }

  @Test("WT-06 Cancelling a waiting task neither cancels the operation nor cuts the wait short")
  func cancelledWaiter() async throws {
    let blocker = Blocker()
    await AsyncOperationQueue().add(blocker.operation)
    await blocker.begun.wait()
    let waiter = Task {
      await blocker.operation.waitUntilFinished()
      return (blocker.operation.isFinished, Task.isCancelled)
    }
    waiter.cancel()
    #expect(!blocker.operation.isCancelled)
    blocker.release.open()
    #expect(await waiter.value == (true, true))
  }

  @Test("WT-08 When a wait returns the queue has let go of the operation and its dependents are ready")
  func finishOrder() async throws {
    let queue = AsyncOperationQueue()
    let other = AsyncOperationQueue(isSuspended: true)
    for round in 1...500 {
      let operation = AsyncOperation {}
      let dependent = AsyncOperation {}
      try await dependent.addDependency(operation)
      await other.add(dependent)
      await queue.add(operation)
      if round.isMultiple(of: 2) { await operation.waitUntilFinished() } else { try await operation.value }
      #expect(dependent.state == .ready)
      #expect(queue.operationCount == 0)
      #expect(await queue.operations.isEmpty)
      #expect(queue.snapshot.completedCount == round)
      #expect(await !queue.add(operation))
    }
    await other.resume()
    await other.waitUntilAllOperationsAreFinished()
  }
}
