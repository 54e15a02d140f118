import StructuredOperations
import TestSupport
import Testing

extension ExplanationTests {
  /// The same as at the next barrier, at those behind it: what will change its place there is in no loop.
  @Suite("At later barriers", .hangGuard)
  struct LaterBarriers {
    /// A queue in which one operation executes, ahead of the barrier "first".
    private func queue() async -> (AsyncOperationQueue, Blocker) {
      let (queue, blocker) = (AsyncOperationQueue(), Blocker(name: "holder"))
      await queue.add(blocker.operation)
      await blocker.begun.wait()
      await queue.addBarrier(name: "first") {}
      return (queue, blocker)
    }

    /// What is told of operations, without their names.
    private func expectWaits(_ operations: [any OperationProtocol], _ kinds: [[String]]) async {
      for (operation, kinds) in zip(operations, kinds) {
        let explanation = await operation.explanation
        #expect(explanation.kinds == kinds, "\(operation)")
        #expect(explanation.rootCauses.map(\.name) == ["holder"], "\(operation)")
        #expect(!explanation.description.contains("loop"), "\(explanation)")
      }
    }

    private func finish(_ queue: AsyncOperationQueue, _ blocker: Blocker) async {
      blocker.release.open()
      await queue.waitUntilAllOperationsAreFinished()
    }

    @Test("What will pass a later barrier waits for those before that")
    func passing() async throws {
      let (queue, blocker) = await queue()
      let (late, early) = (AsyncOperation(name: "late") {}, AsyncOperation(name: "early") {})
      try await early.addDependency(late)
      await queue.add(early)
      let second = await queue.addBarrier(name: "second") {}
      await queue.add(late)

      await expectWaits(
        [late, early, second],
        [["behindBarrier"], ["dependency", "behindBarrier"], ["behindBarrier", "operationsAhead"]])
      await finish(queue, blocker)
    }

    @Test("What passes one barrier draws after it what it depends on itself")
    func passingSeveral() async throws {
      let (queue, blocker) = await queue()
      let operations = (0..<4).map { AsyncOperation(name: "\($0)") {} }
      for (early, late) in zip(operations, operations.dropFirst()) { try await early.addDependency(late) }
      for operation in operations {
        await queue.add(operation)
        await queue.addBarrier {}
      }

      await expectWaits(operations, Array(repeating: ["dependency", "behindBarrier"], count: 3) + [["behindBarrier"]])
      await finish(queue, blocker)
    }

    @Test("However many barriers have something to pass them")
    func manyBarriers() async throws {
      let (queue, blocker) = await queue()
      var all: [AsyncOperation<Void>] = []
      for _ in 0..<100 {
        let (late, early) = (AsyncOperation {}, AsyncOperation {})
        try await early.addDependency(late)
        await queue.add(early)
        await queue.addBarrier {}
        await queue.add(late)
        all += [early, late]
      }

      for operation in all.suffix(20) {
        #expect(await operation.explanation.rootCauses.map(\.name) == ["holder"])
      }
      await finish(queue, blocker)
    }

    @Test("However much what is ahead depends on in other places")
    func longWays() async throws {
      let (queue, blocker) = await queue()
      let chain = (0..<400).map { _ in AsyncOperation {} }
      for (one, next) in zip(chain, chain.dropFirst()) { try await next.addDependency(one) }
      let (late, early) = (AsyncOperation(name: "late") {}, AsyncOperation(name: "early") {})
      try await early.addDependencies(late, chain[399])
      await queue.add(early)
      await queue.addBarrier {}
      await queue.add(late)
      let falling = (0..<3).map { AsyncOperation(name: "falling \($0)") {} }
      for operation in falling { await queue.add(operation) }
      for operation in falling {
        try await operation.addDependency(await queue.addBarrier {})
        try await operation.addDependency(chain[399])
      }

      await expectWaits([late], [["behindBarrier"]])
      for operation in [early] + falling {
        #expect(await !operation.explanation.description.contains("loop"), "\(operation)")
      }
      let other = AsyncOperationQueue()
      await other.add(chain)
      await finish(queue, blocker)
    }

    @Test("A barrier that is due once what was ahead has fallen behind it falls itself")
    func fallingBarrier() async throws {
      let queue = AsyncOperationQueue(isSuspended: true)
      let early = AsyncOperation(name: "early") {}
      await queue.add(early)
      let first = await queue.addBarrier(name: "first") {}
      let second = await queue.addBarrier(name: "second") {}
      let behind = await queue.add(name: "behind") {}
      try await early.addDependency(first)
      try await first.addDependency(second)

      for operation in [early, first, behind] as [any OperationProtocol] {
        #expect(await operation.explanation.rootCauses.map(\.name) == ["second"], "\(operation)")
        #expect(await !operation.explanation.description.contains("wait for each other"), "\(operation)")
      }
      await queue.resume()
      await queue.waitUntilAllOperationsAreFinished()
    }

    @Test("What depends on a later barrier will fall behind it, wherever it is")
    func falling() async throws {
      let (queue, blocker) = await queue()
      let early = AsyncOperation(name: "early") {}
      await queue.add(early)
      let second = await queue.addBarrier(name: "second") {}
      let third = await queue.addBarrier(name: "third") {}
      try await early.addDependency(third)

      await expectWaits(
        [early, second, third], [["dependency", "behindBarrier"], ["behindBarrier"], ["behindBarrier"]])
      await finish(queue, blocker)
    }

    @Test("What falls behind one barrier passes those behind that for what waits there")
    func fallingAndPassing() async throws {
      let (queue, blocker) = await queue()
      let (early, middle, late) = (
        AsyncOperation(name: "early") {}, AsyncOperation(name: "middle") {}, AsyncOperation(name: "late") {}
      )
      await queue.add(early)
      let second = await queue.addBarrier(name: "second") {}
      await queue.add(middle)
      let third = await queue.addBarrier(name: "third") {}
      await queue.add(late)
      try await early.addDependency(second)
      try await early.addDependency(late)

      await expectWaits(
        [early, middle, late, third],
        [
          ["dependency", "dependency", "behindBarrier"], ["behindBarrier"], ["behindBarrier"],
          ["behindBarrier", "operationsAhead"],
        ])
      await finish(queue, blocker)
    }

    @Test("What has fallen behind a barrier is ahead of the next one, which what it needs passes")
    func aheadOnceFallen() async throws {
      let (queue, blocker) = await queue()
      let (early, late) = (AsyncOperation(name: "early") {}, AsyncOperation(name: "late") {})
      await queue.add(early)
      let second = await queue.addBarrier(name: "second") {}
      let third = await queue.addBarrier(name: "third") {}
      await queue.add(late)
      // So that it passes "third" alone.
      try await late.addDependency(second)
      try await early.addDependencies(second, late)

      await expectWaits(
        [early, late, third],
        [
          ["dependency", "dependency", "behindBarrier"], ["dependency", "behindBarrier"],
          ["behindBarrier", "operationsAhead"],
        ])
      await finish(queue, blocker)
    }
  }
}
