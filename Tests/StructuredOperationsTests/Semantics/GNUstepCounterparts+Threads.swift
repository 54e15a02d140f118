import Dispatch
import Foundation
import Testing
import TestSupport

@testable import StructuredOperations

extension GNUstepCounterparts {
  @Test("GNUstep threads.m:176 Started by hand an operation runs, in no queue")
  func manualStart() async throws {
    let operation = AsyncOperation { (AsyncOperation.current != nil, AsyncOperationQueue.current == nil) }
    try await operation.start()
    #expect(operation.isFinished)
    #expect(try await operation.value == (true, true))
  }

  @Test("GNUstep threads.m:184 Started from elsewhere it runs, too")
  func startElsewhere() async throws {
    let operation = AsyncOperation { 1 }
    try await Task.detached { try await operation.start() }.value
    #expect(operation.isFinished)
    #expect(try await operation.value == 1)
  }

  @Test("GNUstep threads.m:195 A thread that ends without finishing leaves no operation executing for ever")
  func threadExit() async throws {
    let ran = Locked(false)
    let operation = AsyncOperation<Void> { completion in
      let held = Locked<OperationCompletion<Void>?>(completion)
      let thread = Thread {
        ran.withLock { $0 = true }
        held.withLock { $0 = nil }
      }
      thread.start()
    }
    try await operation.start()
    #expect(ran.current)
    #expect(!operation.isExecuting)
    #expect(operation.outcome?.error as? OperationError == .abandoned)
  }

  @Test("GNUstep threads.m:207 An error in a body is its outcome, and start() returns")
  func errorInBody() async throws {
    let operation = AsyncOperation { throw Failure() }
    try await operation.start()
    #expect(!operation.isExecuting)
    #expect(operation.outcome?.error as? Failure == Failure())
  }

  @Test("GNUstep threads.m:217 After such an error another one starts as usual")
  func startAfterError() async throws {
    try await AsyncOperation { throw Failure() }.start()
    let operation = AsyncOperation { 1 }
    try await operation.start()
    #expect(try await operation.value == 1)
  }

  @Test("GNUstep threads.m:225 A new queue is neither the main nor the current one")
  func newQueue() {
    let queue = AsyncOperationQueue()
    #expect(queue !== AsyncOperationQueue.main)
    #expect(AsyncOperationQueue.current !== queue)
  }

  @Test("GNUstep threads.m:230 A queue runs an operation elsewhere, as the current queue")
  func queued() async throws {
    let queue = AsyncOperationQueue()
    let operation = await queue.add { (AsyncOperationQueue.current === queue, PoolThread.current != nil) }
    #expect(try await operation.value == (true, true))
  }

  @Test("GNUstep threads.m:249 There is a main queue, and outside of bodies no current one")
  @MainActor
  func mainQueue() {
    #expect(AsyncOperationQueue.current == nil)
    #expect(AsyncOperationQueue.main === AsyncOperationQueue.main)
  }

  @Test("GNUstep threads.m:252 The main queue runs an operation on the main actor, as the current queue")
  func mainQueueRuns() async throws {
    let operation = await AsyncOperationQueue.main.add {
      dispatchPrecondition(condition: .onQueue(.main))
      return MainActor.assumeIsolated { AsyncOperationQueue.current === AsyncOperationQueue.main }
    }
    #expect(try await operation.value)
  }

  @Test("GNUstep threads.m:265 Afterwards another queue still runs its operations elsewhere")
  func elsewhereAgain() async throws {
    let queue = AsyncOperationQueue()
    await AsyncOperationQueue.main.addAndWait([AsyncOperation {}])
    #expect(try await queue.add { PoolThread.current != nil }.value)
  }

  @Test("GNUstep threads.m:273 A suspended queue holds an operation back, a resumed one runs it")
  func suspendAndResume() async {
    let queue = AsyncOperationQueue()
    await queue.suspend()
    let operation = await queue.add {}
    #expect(queue.snapshot.executingCount == 0)
    #expect(!operation.isFinished)
    await queue.resume()
    await queue.waitUntilAllOperationsAreFinished()
    #expect(operation.isFinished)
  }

  @Test("GNUstep threads.m:284 A limit of 0 holds an operation back, one of 1 lets it run")
  func limitZero() async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 0)
    let operation = await queue.add {}
    #expect(queue.snapshot.executingCount == 0)
    #expect(!operation.isFinished)
    try await queue.setMaxConcurrentOperationCount(1)
    await queue.waitUntilAllOperationsAreFinished()
    #expect(operation.isFinished)
  }

  /// Three operations that note their numbers, and a suspended queue of width 1 that holds them.
  private func three(
    _ priorities: [QueuePriority] = [.normal, .normal, .normal]
  ) async -> (queue: AsyncOperationQueue, operations: [AsyncOperation<Void>], recorder: Recorder<Int>) {
    let recorder = Recorder<Int>()
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1, isSuspended: true)
    let operations = priorities.enumerated().map { number, priority in
      AsyncOperation(queuePriority: priority) { recorder.note(number) }
    }
    for operation in operations { await queue.add(operation) }
    return (queue, operations, recorder)
  }

  @Test("GNUstep threads.m:296 One at a time they run in the order of addition")
  func orderOfAddition() async {
    let (queue, _, recorder) = await three()
    await queue.resume()
    await queue.waitUntilAllOperationsAreFinished()
    #expect(recorder.begun == [0, 1, 2])
  }

  @Test("GNUstep threads.m:310 They run by priority, also by one that was changed while they waited")
  func orderOfPriority() async {
    let (queue, operations, recorder) = await three([.normal, .high, .low])
    await operations[0].setQueuePriority(.veryLow)
    await queue.resume()
    await queue.waitUntilAllOperationsAreFinished()
    #expect(recorder.begun == [1, 2, 0])
  }

  @Test("GNUstep threads.m:335 A dependency comes before a higher priority")
  func orderOfDependency() async throws {
    let (queue, operations, recorder) = await three([.normal, .high, .low])
    try await operations[1].addDependency(operations[2])
    try await operations[0].addDependency(operations[2])
    await queue.resume()
    await queue.waitUntilAllOperationsAreFinished()
    #expect(recorder.begun == [2, 1, 0])
  }

  @Test("GNUstep threads.m:356 Dependencies are still listed when everything is done")
  func dependenciesAfterwards() async throws {
    let (queue, operations, _) = await three()
    try await operations[0].addDependency(operations[2])
    await queue.resume()
    await queue.waitUntilAllOperationsAreFinished()
    #expect(operations[0].dependencies.elementsEqual([operations[2]]) { $0 === $1 })
  }
}
