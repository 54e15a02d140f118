import Testing
import TestSupport

@testable import StructuredOperations

// What GNUstep's tests of NSOperation and NSOperationQueue claim, each by its file and line there.
@Suite("Counterparts of GNUstep's tests", .hangGuard)
struct GNUstepCounterparts {
  @Test("GNUstep basic.m:20 An operation can be made, and tells itself from others")
  func makeOperation() {
    let (one, other) = (AsyncOperation {}, AsyncOperation {})
    #expect(one !== other)
  }

  @Test("GNUstep basic.m:26 A new operation is ready, and is nothing else")
  func newOperation() {
    let operation = AsyncOperation {}
    #expect(operation.isReady)
    #expect(!operation.isAsynchronous)
    #expect(!operation.isCancelled)
    #expect(!operation.isExecuting)
    #expect(!operation.isFinished)
  }

  @Test("GNUstep basic.m:31 A new operation has no dependencies and the normal priority")
  func newOperationSettings() async {
    let operation = AsyncOperation {}
    #expect(operation.dependencies.isEmpty)
    #expect(operation.queuePriority == .normal)
  }

  @Test("GNUstep basic.m:35 The priority 10000 is the very high one")
  func hugePriority() async {
    let operation = AsyncOperation {}
    await operation.setQueuePriority(QueuePriority(clamping: 10_000))
    #expect(operation.queuePriority == .veryHigh)
  }

  /// An operation and the dependency that it has.
  private func pair() async throws -> (operation: AsyncOperation<Void>, dependency: AsyncOperation<Void>) {
    let (operation, dependency) = (AsyncOperation {}, AsyncOperation {})
    try await operation.addDependency(dependency)
    return (operation, dependency)
  }

  @Test("GNUstep basic.m:40 A dependency is listed, and its dependent is not ready")
  func dependency() async throws {
    let (operation, dependency) = try await pair()
    #expect(operation.dependencies.elementsEqual([dependency]) { $0 === $1 })
    #expect(!operation.isReady)
  }

  @Test("GNUstep basic.m:44 A dependency that was cancelled is cancelled, and still listed")
  func cancelledDependency() async throws {
    let (operation, dependency) = try await pair()
    dependency.cancel()
    #expect(operation.dependencies.elementsEqual([dependency]) { $0 === $1 })
    #expect(dependency.isCancelled)
  }

  @Test("GNUstep basic.m:50 A dependency that was cancelled and not started leaves its dependent pending")
  func unstartedDependency() async throws {
    let (operation, dependency) = try await pair()
    dependency.cancel()
    #expect(!operation.isReady)
  }

  @Test("GNUstep basic.m:51 Without its dependency an operation is ready")
  func removedDependency() async throws {
    let (operation, dependency) = try await pair()
    await operation.removeDependency(dependency)
    #expect(operation.dependencies.isEmpty)
    #expect(operation.isReady)
  }

  @Test("GNUstep basic.m:58 Started by hand a dependency finishes")
  func startedDependency() async throws {
    let (_, dependency) = try await pair()
    try await dependency.start()
    #expect(dependency.isFinished)
  }

  @Test("GNUstep basic.m:65 A finished operation is ready")
  func finishedIsReady() async throws {
    let operation = AsyncOperation {}
    try await operation.start()
    #expect(operation.isReady)
  }

  @Test("GNUstep basic.m:67 Its completion block has been run")
  func completionBlock() async throws {
    let (operation, done) = (AsyncOperation {}, Gate())
    await operation.setCompletionBlock { done.open() }
    try await operation.start()
    await done.wait()
  }

  @Test("GNUstep basic.m:69 A finished dependency is still listed, and its dependent is ready")
  func finishedDependency() async throws {
    let (operation, dependency) = try await pair()
    try await dependency.start()
    #expect(operation.dependencies.elementsEqual([dependency]) { $0 === $1 })
    #expect(operation.isReady)
  }

  @Test("GNUstep basic.m:73 A cancelled operation is ready in spite of its dependency")
  func cancelledOperation() async throws {
    let (operation, _) = try await pair()
    #expect(!operation.isReady)
    operation.cancel()
    #expect(operation.isCancelled)
    #expect(operation.isReady)
  }

  @Test("GNUstep basic.m:81 A cancelled operation can be started, and finishes")
  func cancelledStart() async throws {
    let (operation, _) = try await pair()
    operation.cancel()
    try await operation.start()
    #expect(operation.isFinished)
  }

  @Test("GNUstep basic.m:85 Started a second time an operation does nothing, where GNUstep's raises")
  func secondStart() async throws {
    let runs = Locked(0)
    let operation = AsyncOperation { runs.increment() }
    try await operation.start()
    try await operation.start()
    #expect(runs.current == 1)
  }

  @Test("GNUstep basic.m:89 Waiting for a finished operation returns at once")
  func waitAfterwards() async throws {
    let operation = AsyncOperation {}
    try await operation.start()
    await operation.waitUntilFinished()
  }

  @Test("GNUstep basic.m:92 A queue can be made, and tells itself from others")
  func makeQueue() {
    #expect(AsyncOperationQueue() !== AsyncOperationQueue())
  }

  @Test("GNUstep basic.m:99 A queue is not suspended unless told, and can be told otherwise again")
  func suspension() async {
    let queue = AsyncOperationQueue()
    #expect(!queue.isSuspended)
    await queue.suspend()
    #expect(queue.isSuspended)
    await queue.resume()
    #expect(!queue.isSuspended)
  }

  @Test("GNUstep basic.m:105 A queue has a name, or the one that it is given")
  func queueName() {
    #expect(!AsyncOperationQueue().name.isEmpty)
    #expect(AsyncOperationQueue(name: "mine").name == "mine")
  }

  @Test("GNUstep basic.m:109 Any limit from -1 on is taken and told back")
  func limits() async throws {
    let queue = AsyncOperationQueue()
    #expect(queue.maxConcurrentOperationCount == -1)
    for limit in [1, 0, 1_000_000, -1] {
      try await queue.setMaxConcurrentOperationCount(limit)
      #expect(queue.maxConcurrentOperationCount == limit)
    }
  }

  @Test("GNUstep basic.m:118 A limit far below is refused")
  func negativeLimit() async {
    let queue = AsyncOperationQueue()
    await #expect(throws: OperationError.invalidMaxConcurrentOperationCount(-1_000_000)) {
      try await queue.setMaxConcurrentOperationCount(-1_000_000)
    }
    #expect(queue.maxConcurrentOperationCount == -1)
  }

  @Test("GNUstep basic.m:122 A queue runs an operation")
  func queueRuns() async {
    let operation = AsyncOperation {}
    await AsyncOperationQueue().addAndWait([operation])
    #expect(operation.isFinished)
  }
}
