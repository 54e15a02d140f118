import TestSupport
import Testing

@testable import StructuredOperations

extension AsyncOperationQueueTests {
  @Suite("Scopes in what bodies run themselves")
  struct ScopesInCalls {
    @Test(
      "A scope whose operations depend on a body that runs what opened it throws, and cancels them",
      arguments: Opening.allCases)
    func dependent(opening: Opening) async throws {
      let (queue, other) = (AsyncOperationQueue(maxConcurrentOperationCount: 1), AsyncOperationQueue())
      let own = Locked<(any OperationProtocol)?>(nil)
      let recorder = Recorder<String>()
      let dependent = AsyncOperation { recorder.note("dependent") }
      let outer = AsyncOperation {
        try await opening.perform(in: other) {
          await #expect(throws: OperationError.waitWouldDeadlock) {
            try await withOperationQueue { scope in
              try await dependent.addDependency(try #require(own.current))
              await scope.add(dependent)
              await scope.add { recorder.note("free") }
            }
          }
        }
        return await queue.waitingCount
      }
      own.withLock { $0 = outer }
      await queue.add(outer)
      #expect(try await outer.value == 0)
      #expect(recorder.ended == ["free"])
      #expect(dependent.isFinished && dependent.isCancelled)
      own.withLock { $0 = nil }
    }

    @Test(
      "An operation of the scope that awaits such a body finds the loop, and the scope goes on",
      arguments: Opening.allCases, [false, true])
    func awaiting(opening: Opening, isBefore: Bool) async throws {
      let (queue, other) = (AsyncOperationQueue(maxConcurrentOperationCount: 1), AsyncOperationQueue())
      let own = Locked<AsyncOperation<Int>?>(nil)
      let found = Locked(0)
      let outer = AsyncOperation {
        try await opening.perform(in: other) {
          try await withOperationQueue(maxConcurrentOperationCount: 1) { scope in
            await scope.add {
              if !isBefore { #expect(await scope.isAwaitedByItsBody()) }
              let value = try await own.current?.valueOrDeadlock() ?? 0
              found.withLock { $0 = value }
            }
            if isBefore { #expect(await scope.hasWaitingBodies(1)) }
          }
        }
        return 1
      }
      own.withLock { $0 = outer }
      await queue.add(outer)
      #expect(try await outer.value == 1)
      #expect(found.current == -1)
      own.withLock { $0 = nil }
    }

    @Test(
      "Of a loop through such a body and the wait of another one elsewhere that wait ends",
      arguments: Opening.allCases)
    func waitElsewhere(opening: Opening) async throws {
      let (queue, other) = (AsyncOperationQueue(), AsyncOperationQueue())
      let own = Locked<AsyncOperation<Int>?>(nil)
      let elsewhere = AsyncOperation { try await own.current?.valueOrDeadlock() ?? 0 }
      let outer = AsyncOperation {
        let value = Locked(0)
        try await opening.perform(in: other) {
          try await withOperationQueue { scope in
            let inner = AsyncOperation { value.withLock { $0 = 42 } }
            try await inner.addDependency(elsewhere)
            await scope.add(inner)
            await queue.add(elsewhere)
            #expect(await eventually { elsewhere.storage.read { $0.wait != nil } })
          }
        }
        return value.current
      }
      own.withLock { $0 = outer }
      await queue.add(outer)
      #expect(try await elsewhere.value == -1)
      #expect(try await outer.value == 42)
      own.withLock { $0 = nil }
    }
  }
}

extension AsyncOperationQueueTests {
  /// By what a body runs the closure that opens a scope.
  enum Opening: CaseIterable {
    case run, runBarrier, start, runInStart

    func perform(in queue: AsyncOperationQueue, _ work: @escaping @Sendable () async throws -> Void) async throws {
      switch self {
      case .run: try await queue.run { try await work() }
      case .runBarrier: try await queue.runBarrier { try await work() }
      case .start, .runInStart:
        let child = AsyncOperation<Void> {
          if self == .start { try await work() } else { try await queue.run { try await work() } }
        }
        try await child.start()
        try await child.value
      }
    }
  }
}

extension AsyncOperationQueue {
  /// Suspends until a body waits for the end of the queue's scope, and the queue knows that.
  ///
  /// - Returns: Whether it came to that.
  func isAwaitedByItsBody() async -> Bool { await eventually { state.scopeWait != nil } }
}
