import Testing

@testable import StructuredOperations

extension AsyncOperationQueueTests {
  @Suite("Lifetime")
  struct Lifetime {
    @Test("QI-12 A queue that nobody holds runs what was added, then goes away")
    func drain() async {
      let runs = Locked(0)
      func make() async -> (Weak, [AsyncOperation<Void>]) {
        let queue = AsyncOperationQueue(maxConcurrentOperationCount: 2)
        let operations = (0..<100).map { _ in
          AsyncOperation {
            await Task.yield()
            runs.increment()
          }
        }
        await queue.add(operations)
        return (Weak(queue), operations)
      }
      let (queue, operations) = await make()
      for operation in operations { await operation.waitUntilFinished() }
      #expect(runs.current == 100)
      #expect(await eventually { queue.object == nil })
    }

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

    @Test("QP-05 A suspended queue is kept by what is in it, until somebody resumes it")
    func suspended() async throws {
      func make() async -> (Weak, AsyncOperation<Void>) {
        let queue = AsyncOperationQueue(isSuspended: true)
        let operation = AsyncOperation {}
        await queue.add(operation)
        return (Weak(queue), operation)
      }
      let (queue, operation) = await make()
      func resume() async throws {
        let queue = try #require(queue.object as? AsyncOperationQueue)
        #expect(await queue.operationCount == 1)
        await queue.resume()
      }
      try await resume()
      await operation.waitUntilFinished()
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
