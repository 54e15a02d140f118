import Testing
import TestSupport

@testable import StructuredOperations

extension GNUstepCounterparts {
  /// Doubles a number somewhere else, and says when it is done.
  private func doubling(_ number: Int) -> AsyncOperation<Int> {
    AsyncOperation { completion in
      Task.detached { completion.finish(returning: 2 * number) }
    }
  }

  @Test("GNUstep concurrent.m:126 An asynchronous operation that was waited for is finished and does not execute")
  func asynchronousOperation() async {
    let queue = AsyncOperationQueue()
    let operation = doubling(1)
    await queue.add(operation)
    await queue.waitUntilAllOperationsAreFinished()
    #expect(operation.isFinished)
    #expect(!operation.isExecuting)
  }

  @Test("GNUstep concurrent.m:129 Its completion block runs, beside those who waited")
  func completionBlockOfAsynchronous() async {
    let queue = AsyncOperationQueue()
    let (operation, done) = (doubling(1), Gate())
    await operation.setCompletionBlock { done.open() }
    await queue.add(operation)
    await queue.waitUntilAllOperationsAreFinished()
    await done.wait()
  }

  @Test("GNUstep concurrent.m:131 Its value has been doubled")
  func valueOfAsynchronous() async throws {
    let operation = doubling(21)
    await AsyncOperationQueue().addAndWait([operation])
    #expect(try await operation.value == 42)
  }

  @Test("GNUstep concurrent.m:149 Of 200 at a limit of 10 all are performed, never more than 10 at a time")
  func manyAsynchronous() async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 10)
    let recorder = Recorder<Int>()
    let operations = (0..<200).map { number in
      AsyncOperation<Int> { completion in
        recorder.begin(number)
        Task.detached {
          await Task.yield()
          recorder.end(number)
          completion.finish(returning: 2 * number)
        }
      }
    }
    for operation in operations { await queue.add(operation) }
    await queue.waitUntilAllOperationsAreFinished()
    #expect(operations[199].isFinished && !operations[199].isExecuting)
    for (number, operation) in operations.enumerated() { #expect(try await operation.value == 2 * number) }
    #expect(recorder.peak <= 10)
  }

  @Test("GNUstep concurrent.m:172 A batch of 10 that is added and waited for at a limit of 5 is done")
  func batch() async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 5)
    let operations = (0..<10).map(doubling)
    await queue.addAndWait(operations)
    for (number, operation) in operations.enumerated() {
      #expect(operation.isFinished)
      #expect(try await operation.value == 2 * number)
    }
  }

  @Test("GNUstep queue_dispatch.m:118 A queue runs on the executor that it is given, each on its own")
  func executors() async throws {
    for label in ["one", "other"] {
      let queue = AsyncOperationQueue(executor: LabelledExecutor(label))
      #expect(try await queue.add { LabelledExecutor.currentLabel }.value == label)
    }
  }

  @Test("GNUstep NSInvocationOperation/basic.m:21 A call gives its result")
  func call() async throws {
    let operation = AsyncOperation { "hello".count }
    try await operation.start()
    #expect(try await operation.value == 5)
  }

  @Test("GNUstep NSInvocationOperation/basic.m:38 A queue can make the call")
  func queuedCall() async throws {
    #expect(try await AsyncOperationQueue().add { "hello".uppercased() }.value == "HELLO")
  }

  @Test("GNUstep NSInvocationOperation/basic.m:44 A call without a result succeeds, where GNUstep's raises")
  func callWithoutResult() async throws {
    let operation = AsyncOperation {}
    try await operation.start()
    #expect(operation.outcome?.isSuccess == true)
  }

  @Test("GNUstep NSInvocationOperation/basic.m:53 The result of a cancelled call is an error")
  func cancelledCall() async throws {
    let operation = AsyncOperation { "hello".count }
    operation.cancel()
    try await operation.start()
    await #expect(throws: CancellationError.self) { try await operation.value }
  }

  @Test("GNUstep NSInvocationOperation/basic.m:63 There is no result before the call")
  func resultBefore() {
    #expect(AsyncOperation { "hello".count }.outcome == nil)
  }
}
