import Testing
import TestSupport

@testable import StructuredOperations

extension AsyncOperationQueueTests {
  @Suite("Memory of waits")
  struct WaitMemory {
    @Test(
      "Bodies that have waited, what they waited for, and their queues are freed",
      arguments: ReleasingSlots.Form.allCases)
    func freed(form: ReleasingSlots.Form) async throws {
      func run() async throws -> [Weak] {
        let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
        let objects = Locked<[Weak]>([])
        let outer = await queue.add {
          try await form.wait(
            for: { objects.withLock { $0 += AsyncOperation.current.map { [Weak($0)] } ?? [] } }, in: queue)
        }
        try await outer.value
        return objects.current + [Weak(queue), Weak(outer)]
      }
      let objects = try await run()
      #expect(objects.count == 3)
      #expect(await eventually { objects.allSatisfy { $0.object == nil } })
    }

    @Test("So are those of a wait that could never end")
    func deadlocked() async throws {
      func run() async throws -> [Weak] {
        let queue = AsyncOperationQueue()
        let behind = AsyncOperation { 1 }
        let waiting = await queue.add { try await behind.valueOrDeadlock() }
        await queue.addBarrier { _ = try? await queue.run {} }
        await queue.add(behind)
        #expect(try await waiting.value == -1)
        await queue.waitUntilAllOperationsAreFinished()
        return [Weak(queue), Weak(behind), Weak(waiting)]
      }
      let objects = try await run()
      #expect(await eventually { objects.allSatisfy { $0.object == nil } })
    }

    @Test("A body that has waited in vain is not kept by what it waited for")
    func keptByAwaited() async throws {
      let queue = AsyncOperationQueue()
      let release = Gate()
      let behind = AsyncOperation { 1 }
      func run() async throws -> Weak {
        let waiting = await queue.add { try await behind.valueOrDeadlock() }
        await queue.addBarrier { await release.wait() }
        await queue.add(behind)
        #expect(try await waiting.value == -1)
        return Weak(waiting)
      }
      let waiting = try await run()
      #expect(await eventually { waiting.object == nil })
      release.open()
      await behind.waitUntilFinished()
    }

    // In a process of its own, since the graph is one for all queues.
    @Test("When all waits are over and their queues are gone, the graph knows nothing of them")
    func graph() async {
      await #expect(processExitsWith: .success) {
        func run() async throws {
          for form in ReleasingSlots.Form.allCases {
            let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
            try await queue.add { try await form.wait(for: {}, in: queue) }.value
          }
          let (queue, other) = (AsyncOperationQueue(), AsyncOperationQueue())
          let (late, never) = (AsyncOperation {}, AsyncOperation { 1 })
          let early = AsyncOperation {}
          try await early.addDependency(late)
          await queue.add(early)
          await queue.add { await queue.waitUntilAllOperationsAreFinished() }
          await other.add { await queue.waitUntilAllOperationsAreFinished() }
          let waiting = await queue.add { try await never.valueOrDeadlock() }
          await queue.addBarrier {}
          // A wait that begins later would have the queue look once more, and nobody watches meanwhile.
          #expect(await other.hasWaitingBodies(1))
          #expect(await queue.becomesQuiescent(waiting: 2))
          #expect(!DependencyGraph.withLock { state, _ in state.watchers.isEmpty })
          #expect(!DependencyGraph.withLock { state, _ in state.wholeQueueWaits.isEmpty })
          await queue.add(late, never)
          #expect(try await waiting.value == -1)
          await queue.waitUntilAllOperationsAreFinished()
          await other.waitUntilAllOperationsAreFinished()
        }
        try await run()
        #expect(DependencyGraph.withLock { state, _ in state.wholeQueueWaits.isEmpty })
        #expect(await eventually { DependencyGraph.withLock { state, _ in state.watchers.isEmpty } })
      }
    }
  }
}
