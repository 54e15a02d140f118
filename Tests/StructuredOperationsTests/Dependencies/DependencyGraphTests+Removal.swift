import TestSupport
import Testing

@testable import StructuredOperations

extension DependencyGraphTests {
  @Suite("Removing a dependency that had failed")
  struct Removal {
    private let queue = FakeQueue()
    private let failed = AsyncOperation(name: "failed") { throw Failure() }
    /// Depends on ``failed`` and, through ``between``, on ``body``.
    private let skipped = AsyncOperation(name: "skipped") {}
    private let between = AsyncOperation(name: "between") {}
    private let body = AsyncOperation(name: "body") {}

    init() async throws {
      try await failed.start()
      try await skipped.addDependency(failed, requiring: .success)
      try await skipped.addDependency(between)
      try await between.addDependency(body)
    }

    private func begin(_ operation: AsyncOperation<Void>, awaiting other: AsyncOperation<Void>) throws -> BodyWait {
      let wait = try operation.begin(in: queue).wait(for: .operations([other]), in: queue)
      #expect(DependencyGraph.begin(wait) == nil)
      return wait
    }

    private func loop(of wait: BodyWait) async -> [String?]? {
      wait.resume()
      guard case .deadlock(let loop) = await wait.untilResumed() else { return nil }
      return loop.map(\.name)
    }

    @Test("It ends the wait of a body that the operation waits for again, and names the loop from that body on")
    func wait() async throws {
      let wait = try begin(body, awaiting: skipped)

      DependencyGraph.remove(failed, from: skipped)

      #expect(wait.isOver)
      #expect(queue.messages.contains(.slotRequested))
      #expect(await loop(of: wait) == ["body", "skipped", "between"])
      #expect(body.storage.read { $0.wait == nil })
      #expect(skipped.storage.read { $0.waitingBodies.isEmpty })
      body.finish()
    }

    @Test("It ends one wait of each loop: here two bodies lead back")
    func twoLoops() async throws {
      let other = AsyncOperation(name: "other") {}
      let after = AsyncOperation(name: "after") {}
      try await skipped.addDependency(other)
      try await after.addDependency(skipped)
      let waits = [try begin(body, awaiting: skipped), try begin(other, awaiting: after)]

      DependencyGraph.remove(failed, from: skipped)

      #expect(await loop(of: waits[0]) == ["body", "skipped", "between"])
      #expect(await loop(of: waits[1]) == ["other", "after", "skipped"])
      for operation in [body, other] { operation.finish() }
    }

    @Test("Of several waits along a loop it ends the one that comes last before the operation")
    func lastWait() async throws {
      let second = AsyncOperation(name: "second") {}
      let waits = [try begin(body, awaiting: second), try begin(second, awaiting: skipped)]

      DependencyGraph.remove(failed, from: skipped)

      #expect(!waits[0].isOver)
      #expect(await loop(of: waits[1]) == ["second", "skipped", "between", "body"])
      _ = waits[0].end(.done)
      waits[0].unregister()
      for operation in [body, second] { operation.finish() }
    }

    @Test("It ends no wait where the operation is still to be skipped, is ready, or leads to no body that waits for it")
    func noLoop() async throws {
      let alsoFailed = AsyncOperation { throw Failure() }
      try await alsoFailed.start()
      try await skipped.addDependency(alsoFailed, requiring: .success)
      let waits = [try begin(body, awaiting: skipped), try begin(AsyncOperation {}, awaiting: skipped)]

      DependencyGraph.remove(failed, from: skipped)
      #expect(waits.allSatisfy { !$0.isOver })
      DependencyGraph.remove(between, from: skipped)
      DependencyGraph.remove(alsoFailed, from: skipped)

      #expect(waits.allSatisfy { !$0.isOver })
      for wait in waits {
        _ = wait.end(.done)
        wait.unregister()
        wait.operation.storage.finishAlone(wait.operation.storage.publishFinish(), as: wait.operation)
      }
    }

    @Test("A wait for everything in the operation's queue goes on: it is not for what waits for the body")
    func wholeQueueWait() async throws {
      let other = FakeQueue()
      skipped.enqueue(in: other)
      let wait = try body.begin(in: queue).wait(for: .all(of: other), in: queue)
      #expect(DependencyGraph.begin(wait) == nil)

      DependencyGraph.remove(failed, from: skipped)

      #expect(!wait.isOver)
      _ = wait.end(.done)
      DependencyGraph.remove(wait, for: other)
      for operation in [body, skipped] { operation.finish() }
    }

    @Test("It ends the wait of a body for a barrier that the operation is ahead of")
    func barrier() async throws {
      let barrier = AsyncOperation(name: "barrier") {}
      let wait = try body.begin(in: queue).wait(for: .operations([barrier]), in: queue)
      skipped.enqueue(in: queue)
      #expect(DependencyGraph.begin(wait, for: (barrier.storage, [skipped.storage])) == nil)

      DependencyGraph.remove(failed, from: skipped)

      #expect(await loop(of: wait) == ["body", "barrier", "skipped", "between"])
      DependencyGraph.remove(barrier: barrier.storage)
      for operation in [body, skipped] { operation.finish() }
    }

    @Test(
      "Where a wait of the path has ended since it was found, none is the last one; what has not begun has none",
      arguments: [0, 1])
    func lastWaitOfPath(ended: Int) throws {
      let second = AsyncOperation(name: "second") {}
      let waits = [try begin(body, awaiting: second), try begin(second, awaiting: skipped)]
      let path: [any OperationProtocol] = [between, body, second]
      func lastWait() throws -> BodyWait? {
        try DependencyGraph.withLock { _, releases in
          Result { try DependencyGraph.State.lastWait(in: path, leadingTo: skipped, &releases)?.0 }
        }.get()
      }
      #expect(try lastWait() === waits[1])

      // Its body has not gone on: the operation executes, and waits for nothing.
      _ = waits[ended].end(.done)
      #expect(throws: BrokenPath.self) { try lastWait() }

      for wait in waits {
        _ = wait.end(.done)
        wait.unregister()
      }
      for operation in [body, second] { operation.finish() }
    }

    @Test("A wait that is cancelled meanwhile ends no other one along the loop")
    func cancelledMeanwhile() async throws {
      for _ in 0..<300 {
        let scene = try await Removal()
        let second = AsyncOperation(name: "second") {}
        let first = try scene.begin(scene.body, awaiting: second)
        let last = try scene.begin(second, awaiting: scene.skipped)

        async let removal: Void = DependencyGraph.remove(scene.failed, from: scene.skipped)
        async let cancellation: Void = last.cancel()
        _ = await (removal, cancellation)

        #expect(last.isOver)
        #expect(!first.isOver)
        _ = first.end(.done)
        first.unregister()
        for operation in [scene.body, second] { operation.finish() }
      }
    }

    @Test("A queue that watches the operation is told, since what it waits for is new")
    func watcher() {
      let watching = FakeQueue()
      DependencyGraph.withLock { state, _ in state.watch(watching, for: StallAnalysis.Needs([skipped.storage]), nil) }
      DependencyGraph.remove(failed, from: skipped)
      #expect(watching.messages == [.graphChanged])
    }

    @Test("That a called barrier waits for what depends on it is no loop, and hides none")
    func aheadOfItsBarrier() throws {
      let (barrier, ahead) = (AsyncOperation(name: "barrier") {}, AsyncOperation(name: "ahead") {})
      let (between, other) = (AsyncOperation(name: "between") {}, AsyncOperation(name: "other") {})
      try ahead.addDependency(failed, requiring: .success)
      try ahead.addDependency(between)
      try between.addDependency(other)
      // The last one, which a search follows first.
      try between.addDependency(barrier)
      let call = try body.begin(in: queue).wait(for: .operations([barrier]), in: queue)
      #expect(DependencyGraph.begin(call, for: (barrier.storage, ahead: [ahead.storage])) == nil)
      let wait = try begin(other, awaiting: ahead)

      DependencyGraph.remove(failed, from: ahead)

      #expect(wait.isOver)
      #expect(!call.isOver)
      DependencyGraph.remove(barrier: barrier.storage)
      #expect(call.end(.done))
      call.unregister()
      for operation in [body, other] { operation.finish() }
    }
  }
}
