import Testing
import TestSupport

@testable import StructuredOperations

extension AsyncOperationQueueTests {
  @Suite("Lifetime")
  struct Lifetime {
    @Test("An idle queue is freed at once, used or not", arguments: [false, true])
    func idle(isUsed: Bool) async {
      func make() async -> Weak {
        let queue = AsyncOperationQueue()
        if isUsed {
          await queue.add {}
          await queue.waitUntilAllOperationsAreFinished()
        }
        return Weak(queue)
      }
      let queue = await make()
      #expect(await eventually { queue.object == nil })
    }

    @Test("A queue whose operation waits for a dependency is kept until that has finished")
    func pending() async throws {
      let dependency = AsyncOperation {}
      func make() async throws -> (Weak, Weak) {
        let queue = AsyncOperationQueue()
        let operation = AsyncOperation {}
        try await operation.addDependency(dependency)
        await queue.add(operation)
        return (Weak(queue), Weak(operation))
      }
      let (queue, operation) = try await make()
      #expect(queue.object != nil)
      #expect(operation.object != nil)
      try await dependency.start()
      #expect(await eventually { queue.object == nil && operation.object == nil })
    }

    @Test("Neither a wait, nor an observer, nor a completion block keeps it longer than it lasts")
    func noCycle() async {
      let done = Gate()
      func make() async -> Weak {
        let queue = AsyncOperationQueue()
        let operation = await queue.add { [queue] in _ = queue.name }
        await operation.setCompletionBlock { [queue] in
          _ = queue.name
          done.open()
        }
        let reader = Task { [states = queue.states] in for await _ in states {} }
        await queue.waitUntilAllOperationsAreFinished()
        reader.cancel()
        return Weak(queue)
      }
      let queue = await make()
      await done.wait()
      #expect(await eventually { queue.object == nil })
    }

    @Test("Many short-lived queues leave nothing behind")
    func manyQueues() async {
      let queues = Locked<[Weak]>([])
      for number in 0..<300 {
        let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
        queues.append(Weak(queue))
        await queue.add { if number.isMultiple(of: 2) { await Task.yield() } }
        await queue.addBarrier {}
      }
      #expect(await eventually { queues.current.allSatisfy { $0.object == nil } })
    }
  }
}
