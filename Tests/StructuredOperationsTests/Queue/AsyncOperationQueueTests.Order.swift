import Testing

@testable import StructuredOperations

extension AsyncOperationQueueTests {
  @Suite("Order")
  struct Order {
    /// Adds everything to a suspended queue of width 1 and tells the order in which it ran.
    private func run(_ operations: [any OperationProtocol], _ recorder: Recorder<String>) async -> String {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1, isSuspended: true)
      await queue.add(operations)
      await queue.resume()
      await queue.waitUntilAllOperationsAreFinished()
      return recorder.begun.joined()
    }

    private func operation(
      _ name: String,
      _ priority: QueuePriority = .normal,
      _ recorder: Recorder<String>
    ) -> AsyncOperation<Void> {
      AsyncOperation(name: name, queuePriority: priority) { recorder.note(name) }
    }

    @Test("PR-03, D-11 The higher priority first, then the order of addition")
    func priorities() async {
      let recorder = Recorder<String>()
      let operations = [
        operation("a", .low, recorder), operation("b", .normal, recorder), operation("c", .veryHigh, recorder),
        operation("d", .low, recorder), operation("e", .veryLow, recorder), operation("f", .high, recorder),
        operation("g", .veryHigh, recorder), operation("h", .normal, recorder),
      ]
      #expect(await run(operations, recorder) == "cgfbhade")
    }

    @Test("DP-20 Readiness comes first, priority only among ready ones")
    func dependencies() async throws {
      let recorder = Recorder<String>()
      let (low, high, normal) = (
        operation("l", .veryLow, recorder), operation("h", .veryHigh, recorder), operation("n", .normal, recorder)
      )
      try await high.addDependency(low)
      #expect(await run([high, low, normal], recorder) == "nlh")
    }

    @Test("PR-03 One that becomes ready late takes its place by the order of addition")
    func lateReadiness() async throws {
      let recorder = Recorder<String>()
      let operations = ["a", "b", "c", "d"].map { operation($0, .normal, recorder) }
      try await operations[0].addDependency(operations[1])
      #expect(await run(operations, recorder) == "bacd")
    }

    @Test("PR-04 What runs is not displaced by what is more important")
    func notPreemptive() async {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      let blocker = Blocker(queuePriority: .veryLow)
      await queue.add(blocker.operation)
      await blocker.begun.wait()
      let urgent = AsyncOperation(queuePriority: .veryHigh) {}
      await queue.add(urgent)
      #expect(blocker.operation.isExecuting)
      #expect(urgent.state == .ready)
      blocker.release.open()
      await urgent.waitUntilFinished()
    }

    @Test("PR-06 Another level moves to its end, the same one moves nothing")
    func changed() async {
      let recorder = Recorder<String>()
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1, isSuspended: true)
      let operations = ["a", "b", "c", "d"].map { operation($0, .normal, recorder) }
      await queue.add(operations)
      await operations[0].setQueuePriority(.normal)
      await operations[1].setQueuePriority(.high)
      await operations[1].setQueuePriority(.normal)
      await operations[3].setQueuePriority(.veryHigh)
      await queue.resume()
      await queue.waitUntilAllOperationsAreFinished()
      #expect(recorder.begun.joined() == "dacb")
    }

    @Test("Levels change at random while operations run, and each runs once")
    func changesUnderLoad() async {
      for seed in UInt64(0)..<20 {
        let queue = AsyncOperationQueue(maxConcurrentOperationCount: 2)
        let recorder = Recorder<Int>()
        let operations = (0..<100).map { number in
          AsyncOperation {
            await Task.yield()
            recorder.note(number)
          }
        }
        await queue.add(operations)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<300 {
          let priority = QueuePriority.allCases.randomElement(using: &random) ?? .normal
          await operations[Int.random(in: 0..<100, using: &random)].setQueuePriority(priority)
        }
        await queue.waitUntilAllOperationsAreFinished()
        #expect(recorder.begun.sorted() == Array(0..<100), "seed \(seed)")
      }
    }

    @Test("Invariant 6: when a wait returns the queue has let go of the operation and its dependents are ready")
    func finishOrder() async throws {
      let queue = AsyncOperationQueue()
      let other = AsyncOperationQueue(isSuspended: true)
      for round in 1...500 {
        let operation = AsyncOperation {}
        let dependent = AsyncOperation {}
        try await dependent.addDependency(operation)
        await other.add(dependent)
        await queue.add(operation)
        if round.isMultiple(of: 2) { await operation.waitUntilFinished() } else { try await operation.value }
        #expect(dependent.state == .ready)
        #expect(await queue.operationCount == 0)
        #expect(await queue.operations.isEmpty)
        #expect(await queue.snapshot.completedCount == round)
        #expect(await !queue.add(operation))
      }
      await other.resume()
      await other.waitUntilAllOperationsAreFinished()
    }

    @Test("Invariant 6 holds for a wait that begins when the operation has just finished")
    func lateWait() async {
      let queue = AsyncOperationQueue()
      for round in 1...2_000 {
        let operation = AsyncOperation {}
        let states = operation.states
        await queue.add(operation)
        for await _ in states {}
        await operation.waitUntilFinished()
        #expect(await queue.operationCount == 0)
        #expect(await queue.snapshot.completedCount == round)
      }
    }

    @Test("Invariant 6 holds for operations that leave unrun, too")
    func departureOrder() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      let blocker = Blocker()
      await queue.add(blocker.operation)
      for _ in 0..<200 {
        let operation = AsyncOperation {}
        let dependent = AsyncOperation {}
        try await dependent.addDependency(operation)
        await queue.add(operation)
        operation.cancel()
        await operation.waitUntilFinished()
        #expect(dependent.isReady)
        #expect(await queue.operationCount == 1)
      }
      blocker.release.open()
    }
  }
}
