import Testing
import TestSupport

@testable import StructuredOperations

@Suite("QP Suspension", .hangGuard)
struct SuspensionSemantics {
  @Test("QP-01 A queue is suspended when it is told so, from the beginning or later, and says so")
  func settings() async {
    let queue = AsyncOperationQueue()
    #expect(!queue.isSuspended)
    await queue.suspend()
    #expect(queue.isSuspended)
    #expect(queue.snapshot.isSuspended)
    await queue.resume()
    #expect(!queue.isSuspended)
    #expect(AsyncOperationQueue(isSuspended: true).isSuspended)
  }

  @Test("QP-02, QP-03 A suspended queue starts nothing, what runs goes on, and it resumes by rank")
  func suspension() async {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
    let recorder = Recorder<Int>()
    let blocker = Blocker()
    await queue.add(blocker.operation)
    await blocker.begun.wait()
    await queue.suspend()
    await queue.suspend()
    #expect(queue.isSuspended)
    await queue.add(AsyncOperation(queuePriority: .low) { recorder.note(1) }, AsyncOperation { recorder.note(0) })
    blocker.release.open()
    await blocker.operation.waitUntilFinished()
    #expect(queue.snapshot.executingCount == 0)
    #expect(recorder.begun.isEmpty)
    await queue.resume()
    await queue.waitUntilAllOperationsAreFinished()
    #expect(recorder.begun == [0, 1], "QP-09")
  }

  @Test("QP-03 On resuming as many start as the limit allows, by priority and then by order of addition")
  func resuming() async {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 2, isSuspended: true)
    let blockers = [QueuePriority.low, .normal, .high, .normal].map { Blocker(queuePriority: $0) }
    await queue.add(blockers.map(\.operation))
    await queue.resume()
    await blockers[2].begun.wait()
    await blockers[1].begun.wait()
    #expect(queue.snapshot.executingCount == 2)
    #expect(!blockers[0].begun.isOpen && !blockers[3].begun.isOpen)
    blockers[2].release.open()
    await blockers[3].begun.wait()
    #expect(!blockers[0].begun.isOpen)
    for blocker in blockers { blocker.release.open() }
    await queue.waitUntilAllOperationsAreFinished()
  }

  @Test("QP-04 Not even what failed by a dependency leaves a suspended queue")
  func nothingLeaves() async throws {
    let queue = AsyncOperationQueue(isSuspended: true)
    let failed = AsyncOperation { throw Failure() }
    let operation = AsyncOperation {}
    try await operation.addDependency(failed, requiring: .success)
    await queue.add(operation)
    try await failed.start()
    #expect(queue.operationCount == 1)
    #expect(operation.snapshot == OperationSnapshot(state: .ready, isCancelled: false))
    await queue.resume()
    await operation.waitUntilFinished()
  }

  @Test("QP-04 Nor do operations that were cancelled leave a suspended queue, or their dependents begin")
  func cancelledStay() async throws {
    let queue = AsyncOperationQueue(isSuspended: true)
    let (operation, dependent) = (AsyncOperation {}, AsyncOperation {})
    try await dependent.addDependency(operation)
    await queue.add(operation, dependent)
    operation.cancel()
    #expect(await queue.operations.count == 2)
    #expect(!operation.isFinished)
    #expect(dependent.state == .pending)
    await queue.resume()
    await queue.waitUntilAllOperationsAreFinished()
    #expect(dependent.outcome?.isSuccess == true)
  }

  @Test("QP-05 A suspended queue is kept by what is in it, until somebody resumes it")
  func suspended() async throws {
    func make() async -> (Weak, AsyncOperation<Void>) {
      let queue = AsyncOperationQueue(isSuspended: true)
      let operation = AsyncOperation {}
      await queue.add(operation)
      return (Weak(queue), operation)
    }
    let (queue, operation) = await make()
    func resume() async throws {
      let queue = try #require(queue.object as? AsyncOperationQueue)
      #expect(queue.operationCount == 1)
      await queue.resume()
    }
    try await resume()
    await operation.waitUntilFinished()
    #expect(await eventually { queue.object == nil })
  }

  @Test("QP-06 On a suspended queue it waits until that is resumed; cancelling the waiter changes nothing")
  func suspendedQueue() async {
    let queue = AsyncOperationQueue(isSuspended: true)
    let operation = AsyncOperation {}
    await queue.add(operation)
    let waiter = Task {
      await queue.waitUntilAllOperationsAreFinished()
      return operation.isFinished
    }
    waiter.cancel()
    await queue.resume()
    #expect(await waiter.value)
    #expect(!operation.isCancelled)
  }

  @Test("QP-07 The main queue cannot be suspended")
  func mainQueue() async throws {
    await AsyncOperationQueue.main.suspend()
    #expect(!AsyncOperationQueue.main.isSuspended)
    #expect(try await AsyncOperationQueue.main.add { 1 }.value == 1)
    await AsyncOperationQueue.main.resume()
  }

  @Test("QP-08 Of two queues with one executor one can be suspended while the other gets on")
  func sharedExecutor() async {
    let executor = LabelledExecutor("shared")
    let suspended = AsyncOperationQueue(executor: executor, isSuspended: true)
    let queue = AsyncOperationQueue(executor: executor)
    let operation = await suspended.add {}
    await queue.addAndWait((0..<20).map { _ in AsyncOperation {} })
    #expect(operation.state == .ready)
    await suspended.resume()
    await operation.waitUntilFinished()
  }

  @Test("QP-09 Suspended several times a queue is resumed at once")
  func notNested() async {
    let queue = AsyncOperationQueue(isSuspended: true)
    let operation = await queue.add {}
    for _ in 0..<3 { await queue.suspend() }
    await queue.resume()
    #expect(!queue.isSuspended)
    await operation.waitUntilFinished()
    await queue.resume()
    #expect(!queue.isSuspended)
  }
}
