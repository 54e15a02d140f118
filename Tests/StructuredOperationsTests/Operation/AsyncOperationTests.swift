import Testing
import TestSupport

@testable import StructuredOperations

@Suite("AsyncOperation", .hangGuard)
struct AsyncOperationTests {
  @Test("A value that was produced although the operation was cancelled is a success")
  func valueInSpiteOfCancellation() async throws {
    let operation = AsyncOperation {
      AsyncOperation.current?.cancel()
      return Task.isCancelled
    }
    try await operation.start()
    #expect(operation.isCancelled)
    #expect(try await operation.value)
  }

  @Test("CancellationError is a cancellation where the operation was cancelled, and a failure where not")
  func cancellationErrors() async throws {
    let cancelled = AsyncOperation {
      AsyncOperation.current?.cancel()
      try Task.checkCancellation()
    }
    let failed = AsyncOperation { throw CancellationError() }
    let other = AsyncOperation {
      AsyncOperation.current?.cancel()
      throw Failure()
    }
    await AsyncOperationQueue().addAndWait([cancelled, failed, other])
    #expect(cancelled.outcome?.isCancelled == true)
    #expect(failed.outcome?.error is CancellationError)
    #expect(other.outcome?.error is Failure)
  }

  @Test("What changes dependencies and settings stays on the caller's executor and does not suspend")
  @MainActor
  func changesWithoutSuspending() async throws {
    let (operation, other) = (AsyncOperation {}, AsyncOperation {})
    let task = Task { @MainActor in operation.cancel() }
    try await operation.addDependency(other)
    try await operation.addDependencies(other)
    #expect(operation.dependencies.count == 1)
    await operation.removeDependency(other)
    await operation.setQueuePriority(.high)
    await operation.setCompletionBlock {}
    #expect(!operation.isCancelled)
    await task.value
    #expect(operation.isCancelled)
  }

  @Test("What an extension isolates to an operation runs isolated to that one alone")
  func isolatedMembers() async throws {
    let (one, other) = (AsyncOperation {}, AsyncOperation {})
    try await one.depend(on: other)
    #expect(one.dependencies.count == 1)
  }

  @Test("What is isolated to an operation is isolated to no other one")
  func isolatedElsewhere() async {
    await #expect(processExitsWith: .failure) { await AsyncOperation {}.assume(isolationTo: AsyncOperation {}) }
  }

  @Test("What is isolated to an operation runs one at a time, also where several tasks are the first at once")
  func isolatedAtOnce() async {
    let (operationCount, taskCount) = (500, 4)
    for _ in 0..<operationCount {
      let operation = AsyncOperation {}
      let tally = Tally()
      await withDiscardingTaskGroup { group in
        for _ in 0..<taskCount { group.addTask { await operation.count(in: tally) } }
      }
      #expect(tally.count == taskCount)
    }
  }

  @Test("Operations of different outputs go into one array, and know one another by identity")
  func mixedOutputs() async {
    let number = AsyncOperation(name: "number", queuePriority: .high) { 1 }
    let text = AsyncOperation(name: "text") {
      await Task.yield(); return ""
    }
    let operations: [any OperationProtocol] = [number, text]
    #expect(operations.map(\.name) == ["number", "text"])
    #expect(operations.map(\.queuePriority) == [.high, .normal])
    #expect(operations.map(\.isAsynchronous) == [false, true])
    #expect(operations[0] === number)
    #expect(operations[0].storage === number.storage)
  }

  @Test("Inside a body, and in its child tasks, the operation is the current one; elsewhere there is none")
  func current() async throws {
    #expect(AsyncOperation.current == nil)
    let seen = Locked<[String?]>([])
    let operation = AsyncOperation(name: "current") {
      seen.append(AsyncOperation.current?.name)
      await withTaskGroup { group in
        group.addTask { seen.append(AsyncOperation.current?.name) }
      }
      await Task { seen.append(AsyncOperation.current?.name) }.value
      await Task.detached { seen.append(AsyncOperation.current?.name) }.value
    }
    try await operation.start()
    #expect(seen.current == ["current", "current", "current", nil])
  }
}

extension AsyncOperation {
  /// What a user may write: isolated to the operation, before and after what is not.
  fileprivate func depend(on dependency: any OperationProtocol) async throws {
    preconditionIsolated()
    try await addDependency(dependency)
    preconditionIsolated()
  }

  fileprivate func assume(isolationTo other: any OperationProtocol) { other.preconditionIsolated() }

  fileprivate func count(in tally: Tally) { tally.count += 1 }
}

/// Unchecked: only members that are isolated to one operation touch it, until all of them have returned.
private final class Tally: @unchecked Sendable {
  var count = 0
}
