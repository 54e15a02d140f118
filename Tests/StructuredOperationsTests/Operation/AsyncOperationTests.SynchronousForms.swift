import Testing
import TestSupport

@testable import StructuredOperations

extension AsyncOperationTests {
  // Part of what these tests show is that each line compiles without a warning.
  @Suite("Synchronous forms", .hangGuard)
  struct SynchronousForms {
    private let first = AsyncOperation { 1 }
    private let second = AsyncOperation { "2" }
    private let last: any OperationProtocol = AsyncOperation {}

    @Test("Synchronous code links, unlinks, ranks and sets blocks")
    func synchronous() throws {
      #expect(try second.addDependency(first))
      try last.addDependencies(first, second)
      try last.addDependencies([first], requiring: .success)
      #expect(last.dependencies.map(\.id) == [first.id, second.id])
      second.removeDependency(first)
      #expect(second.state == .ready)
      last.setQueuePriority(.high)
      #expect(last.queuePriority == .high)
      first.setCompletionBlock {}
      first.setCompletionBlock { outcome in _ = outcome }
      first.setCompletionBlock(nil)
      last.setCompletionBlock {}
    }

    @Test("Asynchronous code uses the same names with await")
    func asynchronous() async throws {
      #expect(try await second.addDependency(first))
      try await last.addDependencies(first, second)
      try await last.addDependencies([first], requiring: .success)
      #expect(last.dependencies.map(\.id) == [first.id, second.id])
      await second.removeDependency(first)
      #expect(second.state == .ready)
      await last.setQueuePriority(.high)
      #expect(last.queuePriority == .high)
      await first.setCompletionBlock {}
      await first.setCompletionBlock { outcome in _ = outcome }
      await first.setCompletionBlock(nil)
      await last.setCompletionBlock {}
    }

    @Test("Adding a dependency tells whether it is there: not where the operation executes or has finished")
    func tooLate() async throws {
      let late = AsyncOperation { try AsyncOperation<Never>.current?.addDependency(AsyncOperation {}) }
      #expect(try await late.addDependency(first))
      #expect(try await late.addDependency(first, requiring: .success), "a duplicate")
      await late.removeDependency(first)

      try await late.start()

      #expect(try await late.value == false)
      #expect(try await !late.addDependency(first))
      #expect(late.dependencies.isEmpty)
    }

    @Test("A dependency that has finished is one all the same")
    func finished() async throws {
      try await first.start()
      #expect(try await second.addDependency(first))
      #expect(second.state == .ready)
      #expect(second.dependencies.map(\.id) == [first.id])
    }

    @Test("An array is added in order up to the one at fault")
    func array() async throws {
      try await first.addDependency(last)
      await #expect(throws: OperationError.dependencyOnSelf) { try await last.addDependencies([second, last, first]) }
      #expect(last.dependencies.map(\.id) == [second.id])
      try await second.addDependencies([AsyncOperation<Int>]())
      #expect(second.dependencies.isEmpty)
    }
  }
}
