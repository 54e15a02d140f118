import StructuredOperations
import TestSupport
import Testing

extension ExplanationTests {
  /// A slot, a start and limits are taken in one step: whatever is lacking of them is told.
  @Suite("Explanations of what is lacking to begin, or to go on", .hangGuard)
  struct Beginning {
    private let clock = ManualClock()
    private let limit = ConcurrencyLimit(1, name: "gpu")
    /// Has the limit, in a queue of its own.
    private let train = Blocker(name: "train")

    private func takeLimit() async throws {
      try await train.operation.addLimit(limit)
      await AsyncOperationQueue(name: "training").add(train.operation)
      await train.begun.wait()
    }

    @Test(
      "Where the slot and a limit are taken, both are told, whether or not there was a slot when it was added",
      arguments: [true, false])
    func slotAndLimit(hadSlot: Bool) async throws {
      let queue = AsyncOperationQueue(name: "answers", maxConcurrentOperationCount: 1)
      let (plain, infer) = (Blocker(name: "plain"), AsyncOperation(name: "infer") {})
      try await infer.addLimit(limit)
      try await takeLimit()
      if hadSlot { await queue.add(infer) }
      await queue.add(plain.operation)
      await plain.begun.wait()
      if !hadSlot { await queue.add(infer) }

      let explanation = await infer.explanation
      #expect(explanation.kinds == ["noSlot", "concurrencyLimit"])
      #expect(explanation.rootCauses.map(\.name) == ["plain", "train"])
      #expect(
        explanation.description == """
          "infer" is number 1 in line for a slot of the queue "answers", whose only slot "plain" has, and waits for the \
          concurrency limit "gpu", which "train" has; "plain" is executing: its body has not returned. There is another root \
          cause: "train".
          """)
      plain.release.open()
      #expect(await eventually { await infer.explanation.kinds == ["concurrencyLimit"] })
      train.release.open()
      await infer.waitUntilFinished()
    }

    @Test("Where a limit has room, and the slot is taken, the slot alone is told")
    func slotAlone() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      let (plain, infer) = (Blocker(), AsyncOperation {})
      try await infer.addLimit(limit)
      await queue.add(plain.operation)
      await plain.begun.wait()
      await queue.add(infer)

      #expect(await infer.explanation.kinds == ["noSlot"])
      plain.release.open()
      await infer.waitUntilFinished()
    }

    @Test("Where the start rate lets nothing begin, that is told besides the slot, and besides a limit")
    func startRate() async throws {
      let queue = AsyncOperationQueue(
        maxConcurrentOperationCount: 1, startRate: OperationStartRate(1, per: .seconds(10)), clock: clock)
      let (plain, infer) = (Blocker(), AsyncOperation {})
      try await infer.addLimit(limit)
      try await takeLimit()
      await queue.add(plain.operation)
      await plain.begun.wait()
      await queue.add(infer)
      #expect(await infer.explanation.kinds == ["noSlot", "startRate", "concurrencyLimit"])

      plain.release.open()
      #expect(await eventually { await infer.explanation.kinds == ["startRate", "concurrencyLimit"] })
      clock.advance(by: .seconds(10))
      #expect(await infer.explanation.kinds == ["concurrencyLimit"])
      train.release.open()
      #expect(
        await eventually {
          clock.advance(by: .seconds(10))
          return infer.isFinished
        })
    }

    @Test("A body that has waited, and lacks its slot and its limit, is told both")
    func returning() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      let (missing, plain) = (AsyncOperation {}, Blocker(name: "plain"))
      let waiter = AsyncOperation(name: "waiter") { await missing.waitUntilFinished() }
      try await waiter.addLimit(limit)
      await queue.add(waiter)
      #expect(await eventually { await waiter.explanation.kinds == ["executing", "waiting"] })
      try await takeLimit()
      await queue.add(plain.operation)
      await plain.begun.wait()
      await AsyncOperationQueue().add(missing)

      #expect(await eventually { await waiter.explanation.kinds == ["executing", "returning", "concurrencyLimit"] })
      #expect(await waiter.explanation.rootCauses.map(\.name) == ["plain", "train"])
      train.release.open()
      plain.release.open()
      await waiter.waitUntilFinished()
    }

    @Test("A queue that is suspended for a time tells how long still, and one that is suspended for good does not")
    func timedSuspension() async {
      let queue = AsyncOperationQueue(name: "night", clock: clock)
      await queue.suspend(for: .seconds(100))
      let operation = await queue.add(name: "report") {}
      clock.advance(by: .seconds(2))
      let words = "\"report\" is in the queue \"night\", which is suspended"
      #expect(await operation.explanation.description == "\(words) for another 98 s.")

      await queue.suspend()
      #expect(await operation.explanation.description == "\(words).")
      await queue.resume()
      await operation.waitUntilFinished()
    }

    @Test("A body that pauses between attempts is told as one that has lent its slot")
    func pause() async {
      let (queue, clock) = (AsyncOperationQueue(), clock)
      let operation = await queue.add(name: "fetch") {
        try await withOperationRetry(.constant(.seconds(10), attempts: 2), clock: clock) { throw Failure() }
      }
      #expect(await eventually { clock.sleeperCount == 1 })
      #expect(
        await operation.explanation.description
          == "\"fetch\" is executing: its body has not returned, and has lent its slot.")
      clock.advanceToNext()
      await operation.waitUntilFinished()
    }
  }
}
