import Testing
import TestSupport

@testable import StructuredOperations

// What the tests of swift-corelibs-foundation's OperationQueue claim, each by its name there. Gates stand where those
// let time pass.
@Suite("Counterparts of corelibs' tests", .hangGuard)
struct CorelibsCounterparts {
  @Test("corelibs test_OperationCount: the queue counts and lists what waits and runs, and nothing in the end")
  func operationCount() async {
    let queue = AsyncOperationQueue()
    let first = Blocker()
    await queue.add(first.operation)
    #expect(queue.operationCount == 1)
    first.release.open()
    await queue.waitUntilAllOperationsAreFinished()
    #expect(queue.operationCount == 0)

    let (second, third) = (Blocker(), Blocker())
    await queue.add(second.operation)
    await queue.add(third.operation)
    #expect(queue.operationCount == 2)
    #expect(await queue.operations.elementsEqual([second.operation, third.operation]) { $0 === $1 })
    second.release.open()
    third.release.open()
    await queue.waitUntilAllOperationsAreFinished()
    #expect(queue.operationCount == 0)
    #expect(await queue.operations.isEmpty)
  }

  @Test("corelibs test_OperationPriorities: a batch runs one at a time by priority")
  func operationPriorities() async {
    let recorder = Recorder<Int>()
    let priorities: [QueuePriority] = [.normal, .low, .veryHigh, .veryLow]
    let operations = priorities.enumerated().map { number, priority in
      AsyncOperation(queuePriority: priority) { recorder.note(number + 1) }
    }
    await AsyncOperationQueue(maxConcurrentOperationCount: 1).addAndWait(operations)
    #expect(recorder.begun == [3, 1, 2, 4])
  }

  @Test("corelibs test_isExecutingWorks: executing is false before the body, true in it, and false afterwards")
  func isExecutingWorks() async throws {
    let inside = AsyncOperation { AsyncOperation.current?.isExecuting }
    #expect(!inside.isExecuting)
    await AsyncOperationQueue().add(inside)
    #expect(try await inside.value == true)
    #expect(!inside.isExecuting)
  }

  private struct Synchronous: SynchronousOperationBody {
    let hasRun: Locked<Bool>
    func main() { hasRun.withLock { $0 = true } }
  }

  private struct Asynchronous: AsynchronousOperationBody {
    func start() async { await Task.detached {}.value }
  }

  @Test("corelibs test_AsyncOperation: an asynchronous body that is started by hand ends executing and finishes")
  func asyncOperation() async throws {
    let operation = AsyncOperation(Asynchronous())
    #expect(!operation.isExecuting)
    #expect(!operation.isFinished)
    try await operation.start()
    #expect(!operation.isExecuting)
    #expect(operation.isFinished)
  }

  @Test("corelibs test_SyncOperationWithoutAQueue: a synchronous body has run when start() returns")
  func syncOperationWithoutAQueue() async throws {
    let hasRun = Locked(false)
    let operation = AsyncOperation(Synchronous(hasRun: hasRun))
    #expect(!operation.isExecuting)
    #expect(!operation.isFinished)
    try await operation.start()
    #expect(!operation.isExecuting)
    #expect(operation.isFinished)
    #expect(hasRun.current)
  }

  @Test("corelibs test_MainQueueGetter: the main queue is the same each time, and not suspended")
  func mainQueueGetter() async {
    let (one, other) = (AsyncOperationQueue.main, AsyncOperationQueue.main)
    #expect(one === other)
    #expect(!AsyncOperationQueue.main.isSuspended)
  }

  @Test("corelibs test_CancelOneOperation: of five in a row the one that is cancelled does not run")
  func cancelOneOperation() async {
    let recorder = Recorder<Int>()
    let first = Gate()
    let operations = (0..<5).map { number in
      AsyncOperation {
        recorder.note(number)
        if number == 0 { await first.wait() }
      }
    }
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
    await queue.add(operations)
    operations[2].cancel()
    first.open()
    await queue.waitUntilAllOperationsAreFinished()
    #expect(recorder.begun == [0, 1, 3, 4])
  }

  @Test("corelibs test_CancelOperationsOfSpecificQueuePriority: those of one level are cancelled, the others run")
  func cancelOperationsOfSpecificQueuePriority() async {
    let recorder = Recorder<Int>()
    let first = Gate()
    let priorities: [QueuePriority] = [.high, .high, .normal, .normal, .normal]
    let operations = priorities.enumerated().map { number, priority in
      AsyncOperation(queuePriority: priority) {
        recorder.note(number)
        if number == 0 { await first.wait() }
      }
    }
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
    await queue.add(operations)
    for operation in await queue.operations where operation.queuePriority == .normal { operation.cancel() }
    first.open()
    await queue.waitUntilAllOperationsAreFinished()
    #expect(recorder.begun == [0, 1])
    #expect(operations.map(\.isCancelled) == [false, false, true, true, true])
  }

  @Test("corelibs test_CurrentQueueOnMainQueue: in a body of the main queue that is the current one; elsewhere none is")
  @MainActor
  func currentQueueOnMainQueue() async throws {
    #expect(AsyncOperationQueue.current == nil)
    let operation = await AsyncOperationQueue.main.add { AsyncOperationQueue.current === AsyncOperationQueue.main }
    #expect(try await operation.value)
  }

  @Test("corelibs test_CurrentQueueOnBackgroundQueue: in a body the queue that runs it is the current one")
  func currentQueueOnBackgroundQueue() async throws {
    let queue = AsyncOperationQueue()
    #expect(try await queue.add { AsyncOperationQueue.current === queue }.value)
  }

  @Test("corelibs test_CurrentQueueOnBackgroundQueueWithSelfCancel: a body may cancel its whole queue")
  func currentQueueOnBackgroundQueueWithSelfCancel() async throws {
    let queue = AsyncOperationQueue()
    let isCurrent = Locked(false)
    let operation = await queue.add {
      await queue.cancelAllOperations()
      isCurrent.withLock { $0 = AsyncOperationQueue.current === queue }
    }
    await operation.waitUntilFinished()
    #expect(isCurrent.current)
    #expect(operation.isCancelled)
  }

  @Test("corelibs test_CurrentQueueWithCustomUnderlyingQueue: under an executor the current queue is the same")
  func currentQueueWithCustomUnderlyingQueue() async throws {
    let queue = AsyncOperationQueue(executor: LabelledExecutor("underlying"))
    let operation = await queue.add { (AsyncOperationQueue.current === queue, LabelledExecutor.currentLabel) }
    #expect(try await operation.value == (true, "underlying"))
  }

  @Test("corelibs test_isSuspended: the operation runs after the resumption, and the executor was never held up")
  func isSuspended() async throws {
    let executor = LabelledExecutor("underlying")
    let queue = AsyncOperationQueue(executor: executor, isSuspended: true)
    let operation = await queue.add { LabelledExecutor.currentLabel }
    #expect(queue.isSuspended)
    #expect(!operation.isFinished)
    let label = await Task(executorPreference: executor) { @concurrent in
      await queue.resume()
      return LabelledExecutor.currentLabel
    }.value
    #expect(label == "underlying")
    #expect(try await operation.value == "underlying")
    #expect(!queue.isSuspended)
  }

  @Test("corelibs test_CurrentQueueWithUnderlyingQueueResetToNil: without an executor the current queue is the same")
  func currentQueueWithUnderlyingQueueResetToNil() async throws {
    let queue = AsyncOperationQueue(executor: nil)
    let operation = await queue.add {
      await Task.yield()
      return AsyncOperationQueue.current === queue
    }
    #expect(try await operation.value)
  }

  @Test("corelibs test_OperationDependencyCount: a dependency is counted")
  func operationDependencyCount() async throws {
    let operation = AsyncOperation {}
    try await operation.addDependency(AsyncOperation {})
    #expect(operation.dependencies.count == 1)
  }
}
