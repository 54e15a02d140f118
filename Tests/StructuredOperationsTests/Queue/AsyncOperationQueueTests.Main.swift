import Dispatch
import TestSupport
import Testing

@testable import StructuredOperations

extension AsyncOperationQueueTests {
  // One after another: what is added to the main queue behind the barrier of another test cannot be awaited there.
  @Suite("The main queue", .serialized)
  struct Main {
    private static let key = {
      let key = DispatchSpecificKey<Bool>()
      DispatchQueue.main.setSpecific(key: key, value: true)
      return key
    }()

    /// Whether the main actor runs the caller, which on Linux need not be on the process's first thread.
    static func isMain() -> Bool { DispatchQueue.getSpecific(key: key) == true }

    @Test(
      "A closure that is run by its caller runs on the main actor, too, from its first step", arguments: [false, true])
    func run(asBarrier: Bool) async throws {
      let isMain = try await Task.detached {
        var isMain: [Bool] = []
        // A release build would begin elsewhere without the switch: see `.ci/release-builds`.
        let body: nonisolated(nonsending) () async -> Void = {
          isMain.append(Self.isMain())
          await Task.yield()
          isMain.append(Self.isMain())
        }
        if asBarrier {
          try await AsyncOperationQueue.main.runBarrier(body)
        } else {
          try await AsyncOperationQueue.main.run(body)
        }
        return isMain
      }.value
      #expect(isMain == [true, true])
    }

    @Test("On the main queue, too, bodies release their slot and resume where they were")
    func releasedSlot() async throws {
      let recorder = Recorder<String>()
      let outer = AsyncOperation {
        recorder.note("outer")
        #expect(Self.isMain())
        let value = try await AsyncOperationQueue.main.add {
          recorder.note("inner")
          return 1
        }.value
        #expect(Self.isMain())
        let other = try await AsyncOperationQueue.main.run { 2 }
        #expect(Self.isMain())
        recorder.note("outer")
        return value + other
      }
      await AsyncOperationQueue.main.add(outer)
      #expect(try await outer.value == 3)
      #expect(recorder.ended == ["outer", "inner", "outer"])
    }

    @Test("What its bodies start is not its own: asynchronous bodies of scopes, operations and blocks run elsewhere")
    func children() async throws {
      let isMain = Locked<[String: Bool]>([:])
      @Sendable func note(_ name: String) async {
        isMain.withLock { $0[name] = Self.isMain() }
        await Task.yield()
        isMain.withLock { $0[name + " later"] = Self.isMain() }
      }
      try await AsyncOperationQueue.main.add {
        try await withOperationQueue { scope in
          await scope.add { await note("scope") }
          try await scope.run { await note("caller") }
        }
        try await AsyncOperation { await note("started") }.start()
        let blocks = ExecutionBlocks()
        try blocks.add { await note("block") }
        try await AsyncOperation(blocks).start()
        await note("body")
      }.value
      let names = Set(isMain.current.filter(\.value).keys)
      #expect(names == ["body", "body later", "caller", "caller later"])
      #expect(isMain.current.count == 10)
    }

    @Test("Where another executor runs a body, what that starts runs there, too")
    func childrenElsewhere() async throws {
      let executor = LabelledExecutor("own")
      let queue = AsyncOperationQueue(executor: executor)
      let labels = Locked<[String: String?]>([:])
      @Sendable func note(_ name: String) async {
        await Task.yield()
        labels.withLock { $0[name] = .some(LabelledExecutor.currentLabel) }
      }
      try await queue.add {
        try await withOperationQueue { scope in
          let operation = AsyncOperation { await note("scope") }
          await operation.setCompletionBlock { await note("completion block") }
          await scope.add(operation)
        }
        try await AsyncOperation { await note("started") }.start()
        let blocks = ExecutionBlocks()
        try blocks.add { await note("block") }
        try await AsyncOperation(blocks).start()
      }.value
      let names = ["scope", "completion block", "started", "block"]
      #expect(labels.current == Dictionary(uniqueKeysWithValues: names.map { ($0, "own") }))
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
