import Foundation
import StructuredOperations
import StructuredOperationsFoundation
import Testing
import TestSupport

@Suite("FoundationOperation", .hangGuard)
struct FoundationOperationTests {
  let queue = OperationQueue()

  @Test("runs ours in an old queue, with both kinds of bodies", arguments: [false, true])
  func runs(isAsynchronous: Bool) async {
    let operation =
      isAsynchronous
      ? AsyncOperation {
        await Task.yield(); return 7
      } : AsyncOperation { 7 }
    let old = FoundationOperation(operation)
    #expect(old.isAsynchronous)
    #expect(old.isReady)
    #expect(old.outcome == nil)
    queue.addOperation(old)
    await old.end()
    #expect(old.isFinished)
    #expect(!old.isExecuting)
    #expect(old.error == nil)
    guard case .success(7) = old.outcome else {
      Issue.record("\(String(describing: old.outcome))")
      return
    }
  }

  @Test("executes from the start of ours to its end")
  func executing() async {
    let blocker = Blocker()
    let old = FoundationOperation(blocker.operation)
    #expect(!old.isExecuting)
    queue.addOperation(old)
    await blocker.begun.wait()
    #expect(old.isExecuting)
    #expect(!old.isFinished)
    blocker.release.open()
    await old.end()
    #expect(!old.isExecuting)
  }

  @Test("holds its slot of the old queue while ours runs")
  func slot() async {
    queue.maxConcurrentOperationCount = 1
    let order = Locked<[String]>([])
    let blocker = Blocker()
    let old = FoundationOperation(blocker.operation)
    queue.addOperation(old)
    await blocker.begun.wait()
    let next = BlockOperation { order.append("next") }
    queue.addOperation(next)
    await blocker.operation.setCompletionBlock { order.append("completed") }
    order.append("release")
    blocker.release.open()
    await next.end()
    #expect(order.current.first == "release")
    #expect(old.isFinished)
  }

  @Test("runs by start() without a queue")
  func start() async {
    let old = FoundationOperation(AsyncOperation { 1 })
    old.start()
    await old.end()
    old.start()
    #expect(old.isFinished)
  }

  @Test("waitUntilFinished() of an old thread returns when ours has finished")
  func waits() async {
    let blocker = Blocker()
    let old = FoundationOperation(blocker.operation)
    let returned = Gate()
    queue.addOperation(old)
    Thread {
      old.waitUntilFinished()
      returned.open()
    }.start()
    await blocker.begun.wait()
    #expect(!returned.isOpen)
    blocker.release.open()
    await returned.wait()
    #expect(blocker.operation.isFinished)
  }

  @Test("the completion blocks of both run")
  func completionBlocks() async {
    let (oldCompleted, completed) = (Gate(), Gate())
    let operation = AsyncOperation { 1 }
    await operation.setCompletionBlock { completed.open() }
    let old = FoundationOperation(operation)
    old.completionBlock = { oldCompleted.open() }
    queue.addOperation(old)
    await oldCompleted.wait()
    await completed.wait()
  }

  @Test("tells the error of ours")
  func error() async {
    let old = FoundationOperation(AsyncOperation<Int> { throw Failure(code: 5) })
    queue.addOperation(old)
    await old.end()
    #expect(old.error as? Failure == Failure(code: 5))
    #expect(!old.isCancelled)
  }

  @Test("is called like ours, and has its queue priority")
  func settings() {
    let old = FoundationOperation(AsyncOperation(name: "new", queuePriority: .veryHigh) { 1 })
    #expect(old.name == "new")
    #expect(old.queuePriority == .veryHigh)
  }

  @Test("stops the program where it is started while it runs, and names ours")
  func startedTwice() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let old = FoundationOperation(AsyncOperation(name: "fetch") { await Gate().wait() })
      old.start()
      old.start()
    }
    let message = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(message.contains("executing already: AsyncOperation \"fetch\""))
  }

  // MARK: Readiness

  @Test("is not ready, and not started, before what ours depends on has finished")
  func readiness() async throws {
    let blocker = Blocker()
    let operation = AsyncOperation { 1 }
    try await operation.addDependency(blocker.operation)
    let old = FoundationOperation(operation)
    #expect(!old.isReady)
    queue.addOperation(old)
    let other = BlockOperation {}
    queue.addOperation(other)
    await other.end()
    #expect(!old.isExecuting)
    #expect(operation.state == .pending)
    let new = AsyncOperationQueue()
    await new.add(blocker.operation)
    blocker.release.open()
    await old.end()
    #expect(operation.isFinished)
  }

  @Test("is not ready before its own dependencies have finished")
  func ownDependency() async {
    let dependency = OldOperation()
    let operation = AsyncOperation { 1 }
    let old = FoundationOperation(operation)
    old.addDependency(dependency)
    queue.addOperation(old)
    #expect(!old.isReady)
    #expect(operation.state == .ready)
    queue.addOperation(dependency)
    await dependency.begun.wait()
    #expect(operation.state == .ready)
    dependency.end(nil)
    await old.end()
    #expect(operation.isFinished)
  }

  @Test("started by hand before it is ready, waits until it is")
  func startedEarly() async throws {
    let blocker = Blocker()
    let operation = AsyncOperation { 1 }
    try await operation.addDependency(blocker.operation)
    let old = FoundationOperation(operation)
    old.start()
    #expect(operation.state == .pending)
    let new = AsyncOperationQueue()
    await new.add(blocker.operation)
    blocker.release.open()
    await old.end()
    #expect(operation.outcome?.isSuccess == true)
  }

  @Test("is started, though ours becomes ready just when it is added", arguments: [false, true])
  func becomesReadyWhileAdded(isStartedByHand: Bool) async throws {
    let new = AsyncOperationQueue()
    for _ in 0..<1000 {
      HangGuard.progress()
      let dependency = AsyncOperation {}
      let operation = AsyncOperation { 1 }
      try await operation.addDependency(dependency)
      let old = FoundationOperation(operation)
      async let isDone: Void = isStartedByHand ? dependency.start() : new.addAndWait([dependency])
      queue.addOperation(old)
      try await isDone
      await old.end()
    }
  }

  // MARK: Somebody else runs it

  @Test("follows one of ours that a queue of ours runs")
  func follows() async {
    let blocker = Blocker()
    let new = AsyncOperationQueue()
    await new.add(blocker.operation)
    await blocker.begun.wait()
    let old = FoundationOperation(blocker.operation)
    let dependent = BlockOperation {}
    dependent.addDependency(old)
    queue.addOperation(dependent)
    queue.addOperation(old)
    #expect(!dependent.isReady)
    blocker.release.open()
    await dependent.end()
    #expect(old.error == nil)
    #expect(blocker.operation.isFinished)
  }

  @Test("follows one of ours that waits in a queue of ours")
  func followsEnqueued() async {
    let new = AsyncOperationQueue(isSuspended: true)
    let operation = AsyncOperation { 1 }
    await new.add(operation)
    let old = FoundationOperation(operation)
    queue.addOperation(old)
    await new.resume()
    await old.end()
    #expect(operation.outcome?.isSuccess == true)
  }

  @Test("finishes at once where ours has finished")
  func finishedBefore() async throws {
    let operation = AsyncOperation { 1 }
    try await operation.start()
    let old = FoundationOperation(operation)
    queue.addOperation(old)
    await old.end()
    #expect(old.error == nil)
  }
}
