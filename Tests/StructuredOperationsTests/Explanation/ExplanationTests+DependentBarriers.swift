import StructuredOperations
import TestSupport
import Testing

extension ExplanationTests {
  /// What a barrier depends on and is behind it passes it once it is due, and is in no loop until then.
  @Suite("Barriers that depend on something", .hangGuard)
  struct DependentBarriers {
    /// A queue in which one operation executes.
    private func queue(limit: Int = AsyncOperationQueue.defaultMaxConcurrentOperationCount) async -> (
      AsyncOperationQueue, Blocker
    ) {
      let (queue, holder) = (AsyncOperationQueue(maxConcurrentOperationCount: limit), Blocker(name: "holder"))
      await queue.add(holder.operation)
      await holder.begun.wait()
      return (queue, holder)
    }

    @Test("What a barrier needs, directly or not, waits until the barrier is due")
    func passingOnceDue() async throws {
      let (queue, holder) = await queue()
      let barrier = await queue.addBarrier(name: "barrier") {}
      let (needed, indirect) = (AsyncOperation(name: "needed") {}, AsyncOperation(name: "indirect") {})
      await queue.add(needed)
      await queue.addBarrier(name: "later") {}
      await queue.add(indirect)
      try await needed.addDependency(indirect)
      try await barrier.addDependency(needed)

      #expect(
        await indirect.explanation.description == """
          "indirect" waits, like the barrier "barrier", for "holder"; "holder" is executing: its body has not returned.
          """)
      let expected = [(needed, ["dependency", "behindBarrier"]), (indirect, ["behindBarrier"])]
      for (operation, kinds) in expected {
        let explanation = await operation.explanation
        #expect(explanation.kinds == kinds)
        guard case .behindBarrier(let passed)? = explanation.reasons.last else { continue }
        #expect(passed === barrier)
        #expect(explanation.rootCauses.map(\.name) == ["holder"])
      }
      #expect(await barrier.explanation.rootCauses.map(\.name) == ["holder"])

      holder.release.open()
      await queue.waitUntilAllOperationsAreFinished()
    }

    @Test("What a later barrier needs waits for what is ahead of that, too, and for the barrier before")
    func laterBarrier() async throws {
      let (queue, holder) = await queue()
      let (unadded, ahead) = (AsyncOperation(name: "unadded") {}, AsyncOperation(name: "ahead") {})
      await queue.addBarrier(name: "first") {}
      try await ahead.addDependency(unadded)
      await queue.add(ahead)
      let second = await queue.addBarrier(name: "second") {}
      let needed = await queue.add(name: "needed") {}
      try await second.addDependency(needed)

      let roots = await needed.explanation.rootCauses.compactMap(\.name)
      #expect(Set(roots) == ["holder", "unadded"])
      #expect(await Set(second.explanation.rootCauses.compactMap(\.name)) == ["holder", "unadded"])

      holder.release.open()
      await queue.add(unadded)
      await queue.waitUntilAllOperationsAreFinished()
    }

    @Test("A barrier that will fall is waited for like what keeps it from being due")
    func falling() async throws {
      let (queue, holder) = await queue()
      let first = await queue.addBarrier(name: "first") {}
      let between = await queue.add(name: "between") {}
      let second = await queue.addBarrier(name: "second") {}
      let behind = await queue.add(name: "behind") {}
      try await first.addDependency(second)

      let expected: [(AsyncOperation<Void>, [String])] = [
        (first, ["dependency", "behindBarrier"]), (between, ["behindBarrier"]),
        (second, ["behindBarrier", "operationsAhead"]), (behind, ["behindBarrier"]),
      ]
      for (operation, kinds) in expected {
        let explanation = await operation.explanation
        #expect(explanation.kinds == kinds, "\(operation)")
        #expect(explanation.rootCauses.map(\.name) == ["holder"], "\(operation)")
      }
      guard case .behindBarrier(let barrier)? = await behind.explanation.reasons.first else { return }
      #expect(barrier === first)

      holder.release.open()
      await queue.waitUntilAllOperationsAreFinished()
    }

    @Test("No loop is told where all finishes by itself: random dependencies across barriers", arguments: 0..<200)
    func random(seed: Int) async throws {
      var generator = SeededGenerator(seed: UInt64(seed))
      let (queue, holder) = await queue(limit: 1)
      var members: [AsyncOperation<Void>] = []
      for index in 0..<12 {
        if Int.random(in: 0..<3, using: &generator) == 0 {
          members.append(await queue.addBarrier(name: "barrier \(index)") {})
        } else {
          members.append(await queue.add(name: "\(index)") {})
        }
      }
      let places = Array(members.indices).shuffled(using: &generator)
      for (offset, one) in places.enumerated() {
        for other in places[..<offset] where Int.random(in: 0..<8, using: &generator) == 0 {
          try await members[one].addDependency(members[other])
        }
      }

      for member in members where !member.isFinished {
        let explanation = await member.explanation
        #expect(explanation.rootCauses.map(\.name) == ["holder"], "\(explanation)")
      }
      holder.release.open()
      await queue.waitUntilAllOperationsAreFinished()
    }
  }
}
