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

    @Test("QI-13 Bodies of every kind run on the main actor, one at a time")
    func bodies() async throws {
      let recorder = Recorder<Int>()
      let blocks = ExecutionBlocks { #expect(Self.isMain()) }
      var operations: [any OperationProtocol] = [AsyncOperation(blocks)]
      for number in 0..<50 {
        operations.append(
          AsyncOperation {
            recorder.begin(number)
            #expect(Self.isMain())
            MainActor.assumeIsolated { recorder.end(number) }
          })
        operations.append(
          AsyncOperation {
            recorder.begin(100 + number)
            #expect(Self.isMain())
            await Task.yield()
            #expect(Self.isMain())
            recorder.end(100 + number)
          })
      }
      await AsyncOperationQueue.main.addAndWait(operations)
      #expect(recorder.peak == 1)
      #expect(recorder.ended.count == 100)
    }

    @Test("QC-10, QP-07 Its limit and its suspension cannot be changed")
    func settings() async throws {
      let queue = AsyncOperationQueue.main
      try await queue.setMaxConcurrentOperationCount(8)
      #expect(await queue.maxConcurrentOperationCount == 1)
      await queue.suspend()
      #expect(await !queue.isSuspended)
      let operation = await queue.add { AsyncOperationQueue.current === AsyncOperationQueue.main }
      #expect(try await operation.value)
    }

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

    @Test("It may be waited for on the main actor")
    @MainActor
    func waitOnMainActor() async throws {
      let operation = await AsyncOperationQueue.main.add { Self.isMain() }
      #expect(try await operation.value)
    }
  }
}
