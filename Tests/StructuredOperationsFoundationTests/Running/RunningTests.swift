import Foundation
import StructuredOperations
import StructuredOperationsFoundation
import Testing
import TestSupport

@Suite("AsyncOperation(running:)", .hangGuard)
struct RunningTests {
  let queue = AsyncOperationQueue()

  @Test("runs a synchronous old operation and finishes after it")
  func synchronous() async throws {
    let ran = Locked(0)
    let old = BlockOperation { ran.increment() }
    let operation = AsyncOperation(running: old)
    await queue.add(operation)
    try await operation.value
    #expect(ran.current == 1)
    #expect(old.isFinished)
  }

  @Test("executes until an asynchronous old operation says that it has finished")
  func asynchronous() async throws {
    let old = OldOperation()
    let operation = AsyncOperation(running: old) { old in try old.result?.get() }
    await queue.add(operation)
    await old.begun.wait()
    #expect(operation.isExecuting)
    #expect(!operation.isFinished)
    old.end(.success(7))
    #expect(try await operation.value == 7)
    #expect(old.startCount == 1)
  }

  @Test("an old one without a queue gets one of its name and its quality of service", arguments: [nil, "download"])
  func madeQueue(name: String?) async throws {
    let found = Locked<OperationQueue?>(nil)
    let old = BlockOperation { found.withLock { $0 = OperationQueue.current } }
    old.name = name
    old.qualityOfService = .utility
    let operation = AsyncOperation(running: old)
    await queue.add(operation)
    try await operation.value
    let made = try #require(found.current)
    #expect(made.name == name ?? "BlockOperation")
    #expect(made.qualityOfService == .utility)
  }

  @Test("waits for an old operation in its own queue by a block that depends on it")
  func inItsOwnQueue() async throws {
    let old = OldOperation()
    let oldQueue = OperationQueue()
    oldQueue.addOperation(old)
    let block = BlockOperation()
    block.addDependency(old)
    let oldIsFinished = AsyncOperation(running: block)
    let operation = AsyncOperation { old.isFinished }
    try await operation.addDependency(oldIsFinished)
    await queue.add(operation, oldIsFinished)
    await old.begun.wait()
    #expect(await eventually { oldIsFinished.isExecuting })
    #expect(!operation.isExecuting && !operation.isFinished)
    old.end(.success(7))
    #expect(try await operation.value)
    #expect(oldIsFinished.outcome?.isSuccess == true)
  }

  @Test("fails with the error that the result of the old operation throws")
  func error() async {
    let old = OldOperation()
    let operation = AsyncOperation(running: old) { old in try old.result?.get() }
    await queue.add(operation)
    await old.begun.wait()
    old.end(.failure(Failure(code: 3)))
    await #expect(throws: Failure(code: 3)) { try await operation.value }
  }

  @Test("takes the name and the queue priority of the old operation")
  func settings() {
    let old = BlockOperation()
    old.name = "old"
    old.queuePriority = .high
    let operation = AsyncOperation(running: old)
    #expect(operation.name == "old")
    #expect(operation.queuePriority == .high)
    #expect(operation.isAsynchronous)
  }

  @Test("its own name and queue priority win over those of the old operation")
  func ownSettings() {
    let old = BlockOperation()
    old.name = "old"
    old.queuePriority = .high
    let operation = AsyncOperation(running: old, name: "new", queuePriority: .low)
    #expect(operation.name == "new")
    #expect(operation.queuePriority == .low)
  }

  @Test("the completion blocks of both run")
  func completionBlocks() async {
    let (oldCompleted, completed) = (Gate(), Gate())
    let old = BlockOperation {}
    old.completionBlock = { oldCompleted.open() }
    let operation = AsyncOperation(running: old)
    await operation.setCompletionBlock { completed.open() }
    await queue.add(operation)
    await oldCompleted.wait()
    await completed.wait()
  }

  @Test("runs the old operation in the old queue that it is given")
  func givenQueue() async throws {
    let oldQueue = OperationQueue()
    let current = Locked<OperationQueue?>(nil)
    let old = BlockOperation { current.withLock { $0 = OperationQueue.current } }
    let operation = AsyncOperation(running: old, in: oldQueue)
    await queue.add(operation)
    try await operation.value
    #expect(current.current === oldQueue)
  }

  @Test("an old operation that cancels its whole queue cancels itself alone")
  func cancelsItsQueue() async throws {
    let blocker = OldOperation()
    let other = AsyncOperation(running: blocker)
    let old = BlockOperation { OperationQueue.current?.cancelAllOperations() }
    let operation = AsyncOperation(running: old)
    await queue.add(other, operation)
    await operation.waitUntilFinished()
    #expect(operation.outcome?.isCancelled == true)
    await blocker.begun.wait()
    #expect(!blocker.isCancelled)
    blocker.end(nil)
    try await other.value
  }

  @Test("runs by start() without a queue")
  func start() async throws {
    let old = BlockOperation {}
    let operation = AsyncOperation(running: old)
    try await operation.start()
    #expect(old.isFinished)
    #expect(operation.outcome?.isSuccess == true)
  }

  // MARK: Dependencies

  @Test("the old operation runs after what it depends on")
  func oldDependency() async throws {
    let order = Locked<[String]>([])
    let first = OldOperation()
    let old = BlockOperation { order.append("old") }
    old.addDependency(first)
    let operation = AsyncOperation(running: old)
    await queue.add(operation)
    OperationQueue().addOperation(first)
    await first.begun.wait()
    order.append("first")
    first.end(nil)
    try await operation.value
    #expect(order.current == ["first", "old"])
  }

  @Test("lends its slot while the old operation waits for one that comes later in the same serial queue")
  func lends() async throws {
    let order = Locked<[String]>([])
    let (first, second) = (BlockOperation { order.append("first") }, BlockOperation { order.append("second") })
    first.addDependency(second)
    let serial = AsyncOperationQueue(maxConcurrentOperationCount: 1)
    await serial.add(AsyncOperation(running: first), AsyncOperation(running: second))
    await serial.waitUntilAllOperationsAreFinished()
    #expect(order.current == ["second", "first"])
  }

  @Test("an explanation tells once that its slot is lent, and what the old operation waits for")
  func explanation() async throws {
    let (old, dependency) = (BlockOperation {}, BlockOperation {})
    (old.name, dependency.name) = ("render", "fetch")
    old.addDependency(dependency)
    let operation = AsyncOperation(running: old, name: "report")
    await queue.add(operation)
    var explanation = await operation.explanation
    #expect(
      await eventually {
        explanation = await operation.explanation
        return explanation.description.contains("completion")
      })

    #expect(
      explanation.description == """
        "report" is executing, and waits, with its slot lent, for "what render depends on: fetch"; \
        "what render depends on: fetch" is executing, and waits for its completion to be called.
        """)

    OperationQueue().addOperation(dependency)
    await operation.waitUntilFinished()
  }

  @Test("old operations that depend on it go on when it has finished")
  func oldDependent() async throws {
    let old = BlockOperation {}
    let dependent = BlockOperation {}
    dependent.addDependency(old)
    OperationQueue().addOperation(dependent)
    let operation = AsyncOperation(running: old)
    #expect(!dependent.isReady)
    await queue.add(operation)
    await dependent.end()
    #expect(old.isFinished)
  }

  @Test("new operations that depend on it get its result")
  func newDependent() async throws {
    let old = OldOperation()
    let operation = AsyncOperation(running: old) { old in try old.result?.get() ?? 0 }
    let dependent = AsyncOperation(after: operation) { number in number + 1 }
    await queue.add(operation, dependent)
    await old.begun.wait()
    old.end(.success(1))
    #expect(try await dependent.value == 2)
  }

  // MARK: Misuse

  @Test("fails where the old operation has finished")
  func finished() async {
    let old = BlockOperation {}
    old.start()
    let operation = AsyncOperation(running: old)
    await queue.add(operation)
    await #expect(throws: OperationError.alreadyFinished) { try await operation.value }
  }

  @Test("fails where the old operation executes")
  func executing() async {
    let old = OldOperation()
    old.start()
    let operation = AsyncOperation(running: old)
    await queue.add(operation)
    await #expect(throws: OperationError.alreadyExecuting) { try await operation.value }
    old.end(nil)
  }

  @Test("fails where another one of ours has the old operation and waits for its dependencies")
  func claimed() async throws {
    let old = OldOperation()
    let dependency = OldOperation()
    old.addDependency(dependency)
    let (one, other) = (AsyncOperation(running: old), AsyncOperation(running: old))
    await queue.add(one)
    await old.asked.wait()
    await queue.add(other)
    await #expect(throws: OperationError.alreadyEnqueued) { try await other.value }
    OperationQueue().addOperation(dependency)
    await dependency.begun.wait()
    dependency.end(nil)
    await old.begun.wait()
    old.end(nil)
    try await one.value
    #expect(old.startCount == 1)
  }

  #if !canImport(Darwin)
    @Test("fails where the old operation waits in another queue, which runs it once all the same")
    func enqueued() async {
      let oldQueue = OperationQueue()
      oldQueue.isSuspended = true
      let ran = Locked(0)
      let old = BlockOperation { ran.increment() }
      oldQueue.addOperation(old)
      let operation = AsyncOperation(running: old)
      await queue.add(operation)
      await #expect(throws: OperationError.alreadyEnqueued) { try await operation.value }
      oldQueue.isSuspended = false
      await old.end()
      #expect(ran.current == 1)
    }
  #endif
}
