import StructuredOperations
import StructuredOperationsTesting
import TestSupport
import Testing

private typealias Gate = TestSupport.Gate

extension ExplanationTests {
  /// What changes its place at a barrier waits for what it will wait for, and is in no loop.
  @Suite("At barriers", .hangGuard)
  struct Barriers {
    /// Why a queue starts nothing.
    enum Restraint: CaseIterable { case slot, suspension, limit, rate }

    private let clock = VirtualClock()

    private func queue(_ restraint: Restraint) async throws -> (AsyncOperationQueue, start: () async throws -> Void) {
      switch restraint {
      case .slot:
        let (queue, blocker) = (AsyncOperationQueue(maxConcurrentOperationCount: 1), Blocker(name: "holder"))
        await queue.add(blocker.operation)
        await blocker.begun.wait()
        return (queue, { blocker.release.open() })
      case .suspension:
        let queue = AsyncOperationQueue(isSuspended: true)
        return (queue, { await queue.resume() })
      case .limit:
        let queue = AsyncOperationQueue(maxConcurrentOperationCount: 0)
        return (queue, { try await queue.setMaxConcurrentOperationCount(1) })
      case .rate:
        let queue = AsyncOperationQueue(startRate: OperationStartRate(1, per: .seconds(1)), clock: clock)
        await queue.addAndWait([AsyncOperation {}])
        let clock = clock
        return (
          queue,
          {
            await queue.setStartRate(nil); clock.advance(by: .seconds(1))
          }
        )
      }
    }

    private static func reason(_ restraint: Restraint) -> String {
      switch restraint {
      case .slot: "noSlot"
      case .suspension: "suspended"
      case .limit: "limitIsZero"
      case .rate: "startRate"
      }
    }

    @Test(
      "What will pass a barrier waits for what keeps it from starting, and not for the barrier",
      arguments: Restraint.allCases)
    func passing(restraint: Restraint) async throws {
      let (queue, start) = try await queue(restraint)
      let (late, early) = (AsyncOperation(name: "late") {}, AsyncOperation(name: "early") {})
      let between = AsyncOperation(name: "between") {}
      try await between.addDependency(late)
      try await early.addDependency(between)
      await queue.add(early)
      let barrier = await queue.addBarrier(name: "barrier") {}
      let behind = AsyncOperation(name: "behind") {}
      await queue.add(late, behind)
      // In another queue: what leads through it passes all the same.
      let other = AsyncOperationQueue()
      await other.add(between)

      #expect(await late.explanation.kinds == [Self.reason(restraint)])
      #expect(await barrier.explanation.reasons.last.map(names)?.suffix(2) == ["early", "late"])
      #expect(await behind.explanation.kinds.last == "behindBarrier")
      let root = restraint == .slot ? "holder" : "late"
      for operation in [early, barrier, behind] {
        #expect(await operation.explanation.rootCauses.map(\.name) == [root], "\(operation)")
        #expect(await !operation.explanation.description.contains("loop"))
      }

      try await start()
      await queue.waitUntilAllOperationsAreFinished()
      await other.waitUntilAllOperationsAreFinished()
    }

    @Test("What depends on a later barrier will fall behind it, and waits for that", arguments: Restraint.allCases)
    func falling(restraint: Restraint) async throws {
      let (queue, start) = try await queue(restraint)
      let early = AsyncOperation(name: "early") {}
      await queue.add(early)
      let barrier = await queue.addBarrier(name: "barrier") {}
      try await early.addDependency(barrier)

      let (ofBarrier, ofEarly) = (await barrier.explanation, await early.explanation)
      #expect(ofBarrier.kinds == [restraint == .slot ? "operationsAhead" : Self.reason(restraint)])
      #expect(ofBarrier.rootCauses.map(\.name) == (restraint == .slot ? ["holder"] : []))
      #expect(ofEarly.rootCauses.map(\.name) == [restraint == .slot ? "holder" : "barrier"])

      try await start()
      await queue.waitUntilAllOperationsAreFinished()
    }

    @Test("A barrier that is due falls behind a later one that it depends on, and what it needs besides passes nothing")
    func dueBarrier() async throws {
      let queue = AsyncOperationQueue(isSuspended: true)
      let first = await queue.addBarrier(name: "first") {}
      let needed = await queue.add(name: "needed") {}
      let between = await queue.add(name: "between") {}
      let second = await queue.addBarrier(name: "second") {}
      try await first.addDependencies(needed, second)

      for operation in [needed, between] {
        #expect(await operation.explanation.kinds == ["suspended"], "\(operation)")
      }
      #expect(await second.explanation.kinds == ["suspended", "operationsAhead"])
      #expect(await !first.explanation.description.contains("loop"))
      await queue.resume()
      await queue.waitUntilAllOperationsAreFinished()
    }

    @Test("A wait of a body ahead of a barrier for what is behind it is a loop, which is told")
    func loop() async throws {
      let (queue, gate) = (AsyncOperationQueue(), Gate())
      let late = AsyncOperation(name: "late") {}
      let early = await queue.add(name: "early") {
        async let wait: Void = late.waitUntilFinished(); await gate.wait(); await wait
      }
      await queue.addBarrier(name: "barrier") {}
      await queue.add(late)
      #expect(await eventually { await late.explanation.description.contains("loop") })
      gate.open()
      late.cancel()
      await early.waitUntilFinished()
      await queue.waitUntilAllOperationsAreFinished()
    }

    private func names(_ reason: OperationExplanation.Reason) -> [String?] {
      if case .operationsAhead(let operations) = reason { operations.map(\.name) } else { [] }
    }
  }
}
