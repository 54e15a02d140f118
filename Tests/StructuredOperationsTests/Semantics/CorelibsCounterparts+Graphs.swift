import Testing
import TestSupport

@testable import StructuredOperations

extension CorelibsCounterparts {
  @Test("corelibs test_CancelDependency: a dependency that was cancelled does not run, and its dependent does")
  func cancelDependency() async throws {
    let recorder = Recorder<Int>()
    let (first, second) = (AsyncOperation { recorder.note(1) }, AsyncOperation { recorder.note(2) })
    try await second.addDependency(first)
    first.cancel()
    let queue = AsyncOperationQueue()
    await queue.add(first)
    await queue.add(second)
    await queue.waitUntilAllOperationsAreFinished()
    #expect(recorder.begun == [2])
  }

  @Test("corelibs test_Deadlock: a queue of width 1 that is let go of runs a dependent and its dependency")
  func deadlock() async throws {
    let recorder = Recorder<Int>()
    let (first, second) = (AsyncOperation { recorder.note(1) }, AsyncOperation { recorder.note(2) })
    try await first.addDependency(second)
    func add() async {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      await queue.add(first)
      await queue.add(second)
    }
    await add()
    await first.waitUntilFinished()
    #expect(recorder.begun == [2, 1])
  }

  @Test("corelibs test_CancelOutOfQueue: cancelled in no queue, an operation neither executes nor is finished")
  func cancelOutOfQueue() {
    let operation = AsyncOperation {}
    operation.cancel()
    #expect(operation.isCancelled)
    #expect(!operation.isExecuting)
    #expect(!operation.isFinished)
  }

  @Test("corelibs test_CrossQueueDependency: a dependency in another queue comes first")
  func crossQueueDependency() async throws {
    let recorder = Recorder<Int>()
    let (first, second) = (AsyncOperation { recorder.note(1) }, AsyncOperation { recorder.note(2) })
    try await first.addDependency(second)
    let (queue, other) = (AsyncOperationQueue(), AsyncOperationQueue())
    await queue.add(first)
    await other.add(second)
    await first.waitUntilFinished()
    #expect(recorder.begun == [2, 1])
  }

  @Test("corelibs test_CancelWhileSuspended: what is cancelled in a suspended queue finishes when that is resumed")
  func cancelWhileSuspended() async {
    let queue = AsyncOperationQueue(isSuspended: true)
    let operations = (0..<2).map { _ in AsyncOperation { Issue.record("it ran") } as AsyncOperation<Void> }
    for operation in operations { await queue.add(operation) }
    for operation in operations { operation.cancel() }
    #expect(queue.operationCount == 2)
    #expect(operations.allSatisfy { $0.isCancelled && !$0.isFinished })
    await queue.resume()
    await queue.waitUntilAllOperationsAreFinished()
    #expect(operations.allSatisfy { $0.isCancelled && $0.isFinished })
  }

  private func order(_ priorities: [QueuePriority]) async -> [Int] {
    let recorder = Recorder<Int>()
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1, isSuspended: true)
    for (number, priority) in priorities.enumerated() {
      await queue.add(AsyncOperation(queuePriority: priority) { recorder.note(number + 1) })
    }
    await queue.resume()
    await queue.waitUntilAllOperationsAreFinished()
    return recorder.begun
  }

  @Test("corelibs test_OperationOrder: of one level they run in the order of addition")
  func operationOrder() async {
    #expect(await order([.normal, .normal, .normal, .normal, .normal]) == [1, 2, 3, 4, 5])
  }

  @Test("corelibs test_OperationOrder2: of five levels the highest runs first")
  func operationOrder2() async {
    #expect(await order([.veryLow, .low, .normal, .high, .veryHigh]) == [5, 4, 3, 2, 1])
  }

  @Test("corelibs test_ExecutionOrder: in a batch the dependency comes first, and what stands apart runs, too")
  func executionOrder() async throws {
    let recorder = Recorder<Int>()
    let (first, dependency) = (AsyncOperation { recorder.note(1) }, AsyncOperation { recorder.note(2) })
    try await first.addDependency(dependency)
    let queue = AsyncOperationQueue()
    await queue.add([first, dependency])
    let apart = await queue.add {}
    await queue.waitUntilAllOperationsAreFinished()
    #expect(recorder.begun == [2, 1])
    #expect(apart.isFinished)
  }

  @Test("corelibs test_WaitUntilFinished: waiting for a queue waits for what it depends on in another")
  func waitUntilFinished() async throws {
    let blocker = Blocker()
    let second = AsyncOperation {}
    try await second.addDependency(blocker.operation)
    let (queue, other) = (AsyncOperationQueue(), AsyncOperationQueue())
    await queue.add(blocker.operation)
    await other.add(second)
    let waiter = Task {
      await other.waitUntilAllOperationsAreFinished()
      return blocker.operation.isFinished
    }
    blocker.release.open()
    #expect(await waiter.value)
    #expect(other.operationCount == 0)
  }

  @Test("corelibs test_OperationWaitUntilFinished: after the wait the queue is empty, without any delay")
  func operationWaitUntilFinished() async {
    let queue = AsyncOperationQueue()
    let blocker = Blocker()
    await queue.add(blocker.operation)
    blocker.release.open()
    await blocker.operation.waitUntilFinished()
    #expect(queue.operationCount == 0)
  }

  @Test("corelibs test_CustomOperationReady: what is not ready stays alone in the queue until its condition holds")
  func customOperationReady() async throws {
    let condition = AsyncOperation {}
    let (operation, other) = (AsyncOperation {}, AsyncOperation {})
    try await operation.addDependency(condition)
    let queue = AsyncOperationQueue()
    await queue.add(operation)
    await queue.add(other)
    await other.waitUntilFinished()
    #expect(queue.operationCount == 1)
    #expect(!operation.isReady)
    try await condition.start()
    await queue.waitUntilAllOperationsAreFinished()
    #expect(queue.operationCount == 0)
  }

  @Test(
    "corelibs test_DependencyCycleBreak: the edge that would close the loop is refused, and cancelling frees the rest")
  func dependencyCycleBreak() async throws {
    let recorder = Recorder<Int>()
    let operations = (1...3).map { number in AsyncOperation(name: "\(number)") { recorder.note(number) } }
    let never = AsyncOperation {}
    try await operations[0].addDependency(operations[1])
    try await operations[1].addDependency(operations[2])
    await #expect(throws: OperationError.dependencyCycle([operations[2], operations[0], operations[1]])) {
      try await operations[2].addDependency(operations[0])
    }
    try await operations[2].addDependency(never)
    let queue = AsyncOperationQueue()
    for operation in operations { await queue.add(operation) }
    #expect(queue.operationCount == 3)
    operations[2].cancel()
    await queue.waitUntilAllOperationsAreFinished()
    #expect(recorder.begun == [2, 1])
    #expect(operations[2].outcome?.isCancelled == true)
  }

  @Test(
    "corelibs test_Lifecycle: cancelling cuts no body short, and a queue that nobody holds goes away when it is empty")
  func lifecycle() async throws {
    let blocker = Blocker()
    let dependent = AsyncOperation {}
    try await dependent.addDependency(blocker.operation)
    func add() async -> Weak {
      let queue = AsyncOperationQueue()
      await queue.add(dependent)
      await queue.add(blocker.operation)
      return Weak(queue)
    }
    let queue = await add()
    await blocker.begun.wait()
    blocker.operation.cancel()
    #expect(blocker.operation.isExecuting)
    #expect(queue.object != nil)
    blocker.release.open()
    await dependent.waitUntilFinished()
    #expect(blocker.operation.outcome?.isSuccess == true)
    #expect(await eventually { queue.object == nil })
  }

  @Test("corelibs test_ConcurrentOperations: at width 2 a body may block until the next one has run", arguments: 1...3)
  func concurrentOperations(round: Int) async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 2)
    for _ in 0..<round {
      let ran = Gate()
      let first = await queue.add { ran.waitBlocking() }
      await queue.add { ran.open() }
      try await first.value
    }
    await queue.waitUntilAllOperationsAreFinished()
  }

  @Test(
    "corelibs test_ConcurrentOperationsWithDependenciesAndCompletions: so it may with a completion block, in a batch",
    arguments: 1...3)
  func concurrentOperationsWithDependenciesAndCompletions(round: Int) async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 2)
    for _ in 0..<round {
      let (one, other, completed) = (Gate(), Gate(), Gate())
      let operation = AsyncOperation {
        one.waitBlocking()
        other.waitBlocking()
      }
      await operation.setCompletionBlock { completed.open() }
      await queue.add([operation, AsyncOperation { one.open() }])
      await queue.add { other.open() }
      try await operation.value
      await completed.wait()
    }
    await queue.waitUntilAllOperationsAreFinished()
  }

  @Test("corelibs test_BlockOperationAddExecutionBlock: of two blocks both run")
  func blockOperationAddExecutionBlock() async throws {
    let (first, second) = (Gate(), Gate())
    let blocks = ExecutionBlocks { first.open() }
    try blocks.add { second.open() }
    await AsyncOperationQueue().addAndWait([AsyncOperation(blocks)])
    #expect(first.isOpen && second.isOpen)
  }
}
