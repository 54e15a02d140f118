import StructuredOperations
import StructuredOperationsTesting
import TestSupport
import Testing

extension SeededExecutorTests {
  @Suite("Explanations of stalls", .hangGuard)
  struct StallTests {
    @Test("A stalled run tells why, queue by queue, and what is empty is left out")
    func explanations() throws {
      let executor = SeededExecutor(seed: 7)
      let forgotten = AsyncOperation(name: "forgotten", executor: executor) {}
      let error = #expect(throws: SeededExecutorError.self) { try stall(executor, on: forgotten) }

      guard case .stalled(seed: 7, let steps, let explanations)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(steps == executor.stepCount)
      #expect(explanations.map { $0.map(\.operation.name) } == [["waiting"]])
      // The closure may wait for something else.
      #expect(error?.description.contains("in `Task { }` or in `Task.sleep`.\n") == true)
      #expect(
        error?.description.hasSuffix(
          """
          AsyncOperationQueue "used" (0 executing, 1 waiting, limit default):
            "waiting" waits for "forgotten"; "forgotten" is in no queue and has not been started.
          """) == true)
      try executor.run { try await forgotten.start() }
    }

    @Test("Looking for the reasons changes nothing of the runs that follow")
    func repeats() throws {
      let signatures = try (0..<3).map { _ in
        let executor = SeededExecutor(seed: 3)
        let forgotten = AsyncOperation(executor: executor) {}
        #expect(throws: SeededExecutorError.self) { try stall(executor, on: forgotten) }
        let steps = executor.stepCount
        try executor.run { try await forgotten.start() }
        #expect(executor.stepCount > steps)
        return executor.signature
      }
      #expect(Set(signatures).count == 1)
    }

    @Test("An executor keeps none of the queues that were made with it")
    func queues() throws {
      let executor = SeededExecutor(seed: 1)
      let queues = try executor.run {
        var queues: [Weak] = []
        for _ in 0..<200 {
          let queue = AsyncOperationQueue(executor: executor)
          await queue.add {}.waitUntilFinished()
          queues.append(Weak(queue))
        }
        return queues
      }
      #expect(queues.allSatisfy { $0.object == nil })
    }

    @Test("Stalls are equal by seed and steps, whatever their explanations")
    func equality() throws {
      let executor = SeededExecutor(seed: 5)
      let forgotten = AsyncOperation(executor: executor) {}
      let error = #expect(throws: SeededExecutorError.self) { try stall(executor, on: forgotten) }
      let steps = executor.stepCount

      #expect(error == .stalled(seed: 5, steps: steps, explanations: []))
      #expect(error != .stalled(seed: 6, steps: steps, explanations: []))
      #expect(error != .stalled(seed: 5, steps: steps + 1, explanations: []))
      #expect(error != .tooManySteps(seed: 5, steps: steps))
      #expect(error?.hashValue == SeededExecutorError.stalled(seed: 5, steps: steps, explanations: []).hashValue)
      try executor.run { try await forgotten.start() }
    }

    @Test("What is asleep may have nothing to do with a stall, whose explanations are there, too")
    func explanationsBesideSleeps() throws {
      let executor = SeededExecutor(seed: 5)
      let forgotten = AsyncOperation(name: "forgotten", executor: executor) {}
      let bystander = Task(executorPreference: executor) {
        try await withOperationRetry(.constant(.seconds(3_600), attempts: 2)) { throw Failure() }
      }
      let error = #expect(throws: SeededExecutorError.self) { try stall(executor, on: forgotten) }

      guard case .asleep(seed: 5, let steps, let sleeps, let explanations)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(sleeps == ["a pause between attempts on a ContinuousClock"])
      #expect(explanations.map { $0.map(\.operation.name) } == [["waiting"]])
      #expect(
        error?.description.hasSuffix(
          """
          `: a pause between attempts on a ContinuousClock.
          AsyncOperationQueue "used" (0 executing, 1 waiting, limit default):
            "waiting" waits for "forgotten"; "forgotten" is in no queue and has not been started.
          """) == true)
      // Nor are sleeps compared.
      let other = SeededExecutorError.asleep(seed: 5, steps: steps, sleeps: [], explanations: [])
      #expect(error == other && error?.hashValue == other.hashValue)
      #expect(error != .asleep(seed: 6, steps: steps, sleeps: sleeps, explanations: explanations))
      #expect(error != .stalled(seed: 5, steps: steps, explanations: explanations))
      bystander.cancel()
      try executor.run {
        try await forgotten.start()
        _ = await bystander.result
      }
    }

    @Test("To wait for idleness outside of a run, which would never end, stops the program")
    func idlenessOutsideOfRun() async throws {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await SeededExecutor(seed: 1).waitUntilIdle()
      }
      let message = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
      #expect(message.contains("waitUntilIdle() outside of a run of the executor would never return"))
    }

    private func stall(_ executor: SeededExecutor, on forgotten: AsyncOperation<Void>) throws {
      try executor.run {
        _ = AsyncOperationQueue(name: "gone", executor: executor)
        let (empty, used) = (
          AsyncOperationQueue(name: "empty", executor: executor), AsyncOperationQueue(name: "used", executor: executor)
        )
        let operation = AsyncOperation(name: "waiting") {}
        try await operation.addDependency(forgotten)
        await used.add(operation)
        await operation.waitUntilFinished()
        await empty.waitUntilAllOperationsAreFinished()
      }
    }
  }
}
