import Testing
import TestSupport

@testable import StructuredOperations

extension AsyncOperationTests {
  @Suite("Completion blocks")
  struct CompletionBlocks {
    @Test("The operation lives until its block has returned", arguments: ["queue", "start", "skipped", "late"])
    func lives(way: String) async throws {
      let (gate, called, found) = (Gate(), Gate(), OneShot<String?>())
      func make() async throws -> Weak {
        let operation = AsyncOperation(name: "found") {}
        if way == "late" { try await operation.start() }
        if way == "skipped" { operation.cancel() }
        await operation.setCompletionBlock { [weak operation] in
          called.open()
          await gate.wait()
          found.fulfil(with: operation?.name)
        }
        if way == "start" { try await operation.start() }
        if way == "queue" || way == "skipped" {
          let queue = AsyncOperationQueue()
          await queue.add(operation)
          await queue.waitUntilAllOperationsAreFinished()
        }
        return Weak(operation)
      }
      let operation = try await make()
      await called.wait()
      gate.open()

      #expect(await found.value == "found")
      #expect(await eventually { operation.object == nil })
    }

    @Test("A block gets the outcome of every kind, also where it is set late", arguments: [false, true])
    func outcomes(isLate: Bool) async throws {
      let cancelled = AsyncOperation { 42 }
      cancelled.cancel()
      for operation in [AsyncOperation { 42 }, AsyncOperation { throw Failure() }, cancelled] {
        let seen = OneShot<OperationOutcome<Int>>()
        if isLate { try await operation.start() }
        await operation.setCompletionBlock { outcome in seen.fulfil(with: outcome) }
        if !isLate { try await operation.start() }
        switch await seen.value {
        case .success(let value): #expect(value == 42 && operation.error == nil)
        case .failure(let error): #expect(error is Failure && operation.error is Failure)
        case .cancelled: #expect(operation.error is CancellationError)
        }
      }
    }

    @Test("No operation or queue is current in a block, though a body has started its operation or opened its scope")
    func current() async throws {
      let queue = AsyncOperationQueue()
      let (started, inScope) = (OneShot<Bool>(), OneShot<Bool>())
      @Sendable func isNobodyCurrent() -> Bool {
        AsyncOperation.current == nil && AsyncOperationQueue.current == nil
      }
      try await queue.add {
        let operation = AsyncOperation {}
        await operation.setCompletionBlock { started.fulfil(with: isNobodyCurrent()) }
        try await operation.start()
        try await withOperationQueue { scope in
          let operation = AsyncOperation {}
          await operation.setCompletionBlock { inScope.fulfil(with: isNobodyCurrent()) }
          await scope.add(operation)
        }
        #expect(!isNobodyCurrent())
      }.value
      #expect(await started.value)
      #expect(await inScope.value)
    }

    @Test("A block that is set after the end, in a queue that runs nothing any more, runs on the queue's executor")
    func lateOnExecutor() async throws {
      let queue = AsyncOperationQueue(executor: LabelledExecutor("queue"))
      let operation = await queue.add { () async in }
      await operation.waitUntilFinished()
      #expect(
        await eventually {
          queue.snapshot.executingCount == 0 && !queue.shared.state.withLock { $0.mailbox.hasRunner }
        })
      let label = OneShot<String?>()

      await operation.setCompletionBlock { label.fulfil(with: LabelledExecutor.currentLabel) }

      #expect(await label.value == "queue")
    }

    @Test("Either form replaces the other, and nil takes both back")
    func forms() async throws {
      let log = Locked<[Int]>([])
      try await withOperationQueue { queue in
        let operations = (0..<3).map { number in AsyncOperation { number } }
        await operations[0].setCompletionBlock { log.append(-1) }
        await operations[0].setCompletionBlock { outcome in log.append(0) }
        await operations[1].setCompletionBlock { outcome in log.append(-1) }
        await operations[1].setCompletionBlock { log.append(1) }
        await operations[2].setCompletionBlock { outcome in log.append(-1) }
        await operations[2].setCompletionBlock(nil)
        await queue.add(operations)
      }
      #expect(log.current.sorted() == [0, 1])
    }

    @Test("A block that was replaced, or whose operation never ran, is freed")
    func neverRun() async {
      let (replaced, unrun) = (Gate(), Gate())
      func make() async {
        let operation = AsyncOperation {}
        let canaries = (Canary(replaced), Canary(unrun))
        await operation.setCompletionBlock { [canary = canaries.0] in canary.sing() }
        await operation.setCompletionBlock { [canary = canaries.1] in canary.sing() }
      }
      await make()
      #expect(replaced.isOpen)
      #expect(unrun.isOpen)
    }
  }
}
