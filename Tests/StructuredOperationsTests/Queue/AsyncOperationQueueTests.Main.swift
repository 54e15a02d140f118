import Dispatch
import Testing

@testable import StructuredOperations

extension AsyncOperationQueueTests {
  @Suite("The main queue")
  struct Main {
    private static let key = {
      let key = DispatchSpecificKey<Bool>()
      DispatchQueue.main.setSpecific(key: key, value: true)
      return key
    }()

    /// Whether the main actor runs the caller, which on Linux need not be on the process's first thread.
    static func isMain() -> Bool { DispatchQueue.getSpecific(key: key) == true }

    @Test("A closure that is run by its caller runs on the main actor, too")
    func run() async throws {
      let isMain = try await Task.detached {
        try await AsyncOperationQueue.main.run {
          await Task.yield()
          return Self.isMain()
        }
      }.value
      #expect(isMain)
    }

    @Test("Its limit is 1: no other is accepted", arguments: [-2, -1, 0, 2])
    func limit(count: Int) async throws {
      await #expect(throws: OperationError.invalidMaxConcurrentOperationCount(count)) {
        try await AsyncOperationQueue.main.setMaxConcurrentOperationCount(count)
      }
      try await AsyncOperationQueue.main.setMaxConcurrentOperationCount(1)
      #expect(AsyncOperationQueue.main.maxConcurrentOperationCount == 1)
    }

    @Test("It may be waited for on the main actor")
    @MainActor
    func waitOnMainActor() async throws {
      let operation = await AsyncOperationQueue.main.add { Self.isMain() }
      #expect(try await operation.value)
    }
  }
}
