import Testing

@testable import StructuredOperations

extension AsyncOperationTests {
  @Suite("Dependencies")
  struct Dependencies {
    @Test("DP-01, DP-02 They are listed in the order of addition, each once")
    func order() async throws {
      let operation = AsyncOperation {}
      let others = (0..<20).map { number in AsyncOperation(name: "\(number)") {} }
      for other in others + others { try await operation.addDependency(other) }
      #expect(await operation.dependencies.map(\.name) == (0..<20).map { "\($0)" })
      try await others[3].start()
      #expect(await operation.dependencies.count == 20, "DP-15")
    }

    @Test("DP-02 A duplicate is waited for once, and removed at once")
    func duplicate() async throws {
      let operation = AsyncOperation {}
      let other = AsyncOperation {}
      for _ in 0..<3 { try await operation.addDependency(other) }
      #expect(operation.state == .pending)
      await operation.removeDependency(other)
      #expect(operation.state == .ready)
    }

    @Test("DP-02 Of two requirements the stronger one holds, in whichever order they come", arguments: [false, true])
    func strengthen(isStrongFirst: Bool) async throws {
      let operation = AsyncOperation {}
      let other = AsyncOperation { throw Failure() }
      let requirements: [DependencyRequirement] = isStrongFirst ? [.success, .completion] : [.completion, .success]
      for requirement in requirements { try await operation.addDependency(other, requiring: requirement) }
      await AsyncOperationQueue().addAndWait([other, operation])
      #expect((operation.outcome?.error as? OperationError)?.root?.operation === other)
    }

    @Test("DP-02 A requirement may become stronger after the failure")
    func strengthenAfterwards() async throws {
      let queue = AsyncOperationQueue(isSuspended: true)
      let operation = AsyncOperation {}
      let other = AsyncOperation { throw Failure() }
      try await operation.addDependency(other)
      await queue.add(operation)
      try await other.start()
      try await operation.addDependency(other, requiring: .success)
      await queue.resume()
      await operation.waitUntilFinished()
      #expect(operation.outcome?.error is OperationError)
    }

    @Test("DP-06, DP-07 A finished one is recorded and not waited for, an executing one is waited for")
    func finishedAndExecuting() async throws {
      let finished = AsyncOperation {}
      try await finished.start()
      let blocker = Blocker()
      await AsyncOperationQueue().add(blocker.operation)
      await blocker.begun.wait()
      let operation = AsyncOperation {}
      try await operation.addDependency(finished)
      #expect(operation.isReady)
      try await operation.addDependency(blocker.operation)
      #expect(!operation.isReady)
      blocker.release.open()
      await blocker.operation.waitUntilFinished()
      #expect(operation.isReady)
      #expect(await operation.dependencies.count == 2)
    }

    @Test("DP-08, RD-03 On an executing or finished operation a dependency has no effect")
    func lateReceiver() async throws {
      let blocker = Blocker()
      await AsyncOperationQueue().add(blocker.operation)
      await blocker.begun.wait()
      let other = AsyncOperation {}
      try await blocker.operation.addDependency(other)
      #expect(blocker.operation.isExecuting)
      blocker.release.open()
      await blocker.operation.waitUntilFinished()
      try await blocker.operation.addDependency(other)
      #expect(blocker.operation.isFinished)
      try await other.addDependency(blocker.operation)
    }

    @Test("DP-09 A dependency that is added while the operation waits in a queue is honoured")
    func addedLate() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      let recorder = Recorder<Int>()
      let blocker = Blocker()
      let late = AsyncOperation { recorder.note(1) }
      let other = AsyncOperation { recorder.note(0) }
      await queue.add(blocker.operation, late, other)
      await blocker.begun.wait()
      try await late.addDependency(other)
      blocker.release.open()
      await queue.waitUntilAllOperationsAreFinished()
      #expect(recorder.begun == [0, 1])
    }

    @Test("DP-10 A cancelled operation stays ready whatever it depends on")
    func cancelledReceiver() async throws {
      let operation = AsyncOperation {}
      operation.cancel()
      let other = AsyncOperation {}
      try await operation.addDependency(other)
      #expect(operation.isReady)
      #expect(await operation.dependencies.count == 1)
      await operation.removeDependency(other)
      #expect(operation.isReady, "DP-18")
    }

    @Test("DP-11, DP-13 Dependencies reach across queues, and a failed or cancelled one satisfies them")
    func acrossQueues() async throws {
      let (one, other) = (AsyncOperationQueue(), AsyncOperationQueue())
      let failed = AsyncOperation { throw Failure() }
      let cancelled = AsyncOperation {}
      let operation = AsyncOperation { 1 }
      try await operation.addDependencies(failed, cancelled)
      cancelled.cancel()
      await other.add(operation)
      await one.add(failed, cancelled)
      #expect(try await operation.value == 1)
    }

    @Test("DP-14 A dependency that was cancelled counts as unfinished until it has been run")
    func cancelledDependency() async throws {
      let operation = AsyncOperation {}
      let other = AsyncOperation {}
      try await operation.addDependency(other)
      other.cancel()
      #expect(operation.state == .pending)
      try await other.start()
      #expect(operation.state == .ready)
    }

    @Test("DP-17, DP-19 Removing an unfinished one may make the operation ready; removing a stranger does nothing")
    func removal() async throws {
      let queue = AsyncOperationQueue()
      let operation = AsyncOperation {}
      let (one, other) = (AsyncOperation {}, AsyncOperation {})
      try await operation.addDependencies(one, other)
      await queue.add(operation)
      await operation.removeDependency(AsyncOperation {})
      await operation.removeDependency(one)
      await operation.removeDependency(one)
      #expect(operation.state == .pending)
      await operation.removeDependency(other)
      await operation.waitUntilFinished()
      #expect(await operation.dependencies.isEmpty)
    }

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

    @Test("A failure goes through a chain with its root, and waits for no other dependency")
    func failureThroughChain() async throws {
      let root = AsyncOperation(name: "root") { throw Failure(code: 9) }
      let never = AsyncOperation {}
      var chain: [AsyncOperation<Void>] = [root]
      for _ in 0..<5 {
        let next = AsyncOperation<Void> { Issue.record("it ran") }
        try await next.addDependency(never, requiring: .success)
        try await next.addDependency(chain[chain.count - 1], requiring: .success)
        chain.append(next)
      }
      await AsyncOperationQueue().addAndWait(chain)
      for operation in chain.dropFirst() {
        let error = operation.outcome?.error as? OperationError
        #expect(error?.root?.operation === root)
        #expect(error?.root?.underlying as? Failure == Failure(code: 9))
        #expect(!operation.isCancelled)
      }
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
        async let added: Void? = try? operation.addDependency(dependency)
        async let removed: Void = operation.removeDependency(dependency)
        async let required: Void? = try? operation.addDependency(dependency, requiring: .success)
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
      #expect(dependency.core.read { $0.dependents.count } <= 64)
      for _ in 0..<10_000 { try await AsyncOperation {}.addDependency(dependency) }
      #expect(dependency.core.read { $0.dependents.count } <= 64)
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
