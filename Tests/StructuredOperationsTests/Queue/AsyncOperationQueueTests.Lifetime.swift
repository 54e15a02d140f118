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

    @Test("The executor of a queue that is gone is freed by its last operation, under no lock that its deinit may need")
    func executorFreed() async throws {
      let (dependency, freed) = (AsyncOperation {}, Gate())
      let others = (0..<40).map { _ in AsyncOperation {} }
      func make() async throws -> (AsyncOperation<Void>, Weak) {
        let executor = FreedExecutor(
          Canary {
            // Each time its list is full, the dependency looks for dependents that are gone, as the operation is.
            for other in others { _ = try? other.addDependency(dependency) }
            freed.open()
          })
        let queue = AsyncOperationQueue(executor: executor)
        let operation = AsyncOperation {}
        try await operation.addDependency(dependency)
        operation.cancel()
        await queue.addAndWait([operation])
        return (operation, Weak(queue))
      }
      var (operation, queue): (AsyncOperation<Void>?, Weak) = try await make()
      #expect(await eventually { queue.object == nil })
      #expect(operation?.isFinished == true && !freed.isOpen)
      operation = nil
      // The runner's task may let go of the executor a little later.
      #expect(await eventually { freed.isOpen })
      #expect(others.allSatisfy { $0.dependencies.count == 1 })
    }

    @Test("What a queue notes of the executors of its operations keeps none of them")
    func executorIdentity() {
      func make() -> (StructuredOperations.WorkerTraits.ID, Weak) {
        let executor = LabelledExecutor("operation")
        let operation = AsyncOperation(executor: executor) { () async in }
        let defaults = StructuredOperations.WorkerTraits.Defaults(executor: nil, rawPriority: 0)
        let traits = StructuredOperations.WorkerTraits(of: operation.storage, in: defaults)
        #expect(traits.id != StructuredOperations.WorkerTraits(of: AsyncOperation {}.storage, in: defaults).id)
        return (traits.id, Weak(executor))
      }
      let (traits, executor) = make()
      withExtendedLifetime(traits) { #expect(executor.object == nil) }
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

/// Shows when it is freed.
private final class FreedExecutor: TaskExecutor {
  private let executor = LabelledExecutor("freed")
  private let canary: Canary

  init(_ canary: Canary) { self.canary = canary }

  func enqueue(_ job: consuming ExecutorJob) { executor.enqueue(job) }
}
