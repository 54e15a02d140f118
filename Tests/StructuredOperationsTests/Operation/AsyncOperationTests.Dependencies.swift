import Testing
import TestSupport

@testable import StructuredOperations

extension AsyncOperationTests {
  @Suite("Dependencies")
  struct Dependencies {
    @Test("A failed dependency that is removed from an operation in a suspended queue no longer counts")
    func removalOfFailed() async throws {
      let queue = AsyncOperationQueue(isSuspended: true)
      let operation = AsyncOperation { 1 }
      let failed = AsyncOperation { throw Failure() }
      try await operation.addDependency(failed, requiring: .success)
      await queue.add(operation)
      try await failed.start()
      #expect(operation.isReady)
      await operation.removeDependency(failed)
      await queue.resume()
      #expect(try await operation.value == 1)
    }

    @Test("A failed dependency that is removed makes the operation wait for the others again")
    func removalOfFailedAmongOthers() async throws {
      let queue = AsyncOperationQueue(isSuspended: true)
      let operation = AsyncOperation { 1 }
      let (failed, other) = (AsyncOperation { throw Failure() }, AsyncOperation {})
      try await operation.addDependency(failed, requiring: .success)
      try await operation.addDependency(other)
      await queue.add(operation)
      try await failed.start()
      #expect(operation.isReady)
      await operation.removeDependency(failed)
      #expect(operation.state == .pending)
      await queue.resume()
      try await other.start()
      #expect(try await operation.value == 1)
    }

    @Test("The root of a chain may be a cancellation")
    func cancellationThroughChain() async throws {
      let root = AsyncOperation {}
      let (middle, last) = (AsyncOperation {}, AsyncOperation {})
      try await middle.addDependency(root, requiring: .success)
      try await last.addDependency(middle, requiring: .success)
      root.cancel()
      await AsyncOperationQueue().addAndWait([last, middle, root])
      let error = last.outcome?.error as? OperationError
      #expect(error?.root?.operation === root)
      #expect(error?.root?.underlying is CancellationError)
    }

    @Test("One that was cancelled and whose dependency failed is cancelled")
    func cancelledAndFailed() async throws {
      let root = AsyncOperation { throw Failure() }
      let operation = AsyncOperation {}
      try await operation.addDependency(root, requiring: .success)
      operation.cancel()
      await AsyncOperationQueue().addAndWait([root, operation])
      #expect(operation.outcome?.isCancelled == true)
    }

    @Test("Dependencies come and go while they finish, and nobody waits for ever")
    func churnWhileFinishing() async throws {
      let queue = AsyncOperationQueue()
      for _ in 0..<500 {
        let dependency = AsyncOperation {}
        let operation = AsyncOperation {}
        await queue.add(operation, dependency)
        async let added: Bool? = try? operation.addDependency(dependency)
        async let removed: Void = operation.removeDependency(dependency)
        async let required: Bool? = try? operation.addDependency(dependency, requiring: .success)
        _ = await (added, removed, required)
        await operation.waitUntilFinished()
        await dependency.waitUntilFinished()
        #expect(operation.outcome?.isSuccess == true)
      }
    }

    @Test("Adding and removing over and over does not make the other end grow")
    func churnDoesNotGrow() async throws {
      let dependency = AsyncOperation {}
      let operation = AsyncOperation {}
      for _ in 0..<10_000 {
        try await operation.addDependency(dependency)
        await operation.removeDependency(dependency)
      }
      #expect(dependency.storage.read { $0.dependents.count } <= 64)
      for _ in 0..<10_000 { try await AsyncOperation {}.addDependency(dependency) }
      #expect(dependency.storage.read { $0.dependents.count } <= 64)
    }

    @Test("An operation with 10 000 dependencies, and one with 10 000 dependents")
    func wide() async throws {
      let queue = AsyncOperationQueue()
      let first = AsyncOperation {}
      let last = AsyncOperation { 1 }
      let middle = (0..<10_000).map { _ in AsyncOperation {} }
      for operation in middle {
        try await operation.addDependency(first)
        try await last.addDependency(operation)
      }
      await queue.add([last] + middle + [first])
      #expect(try await last.value == 1)
      #expect(middle.allSatisfy { $0.isFinished })
    }
  }
}
