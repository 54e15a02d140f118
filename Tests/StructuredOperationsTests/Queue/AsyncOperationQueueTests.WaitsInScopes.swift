import TestSupport
import Testing

@testable import StructuredOperations

extension AsyncOperationQueueTests {
  @Suite("Waits for everything in scopes")
  struct WaitsInScopes {
    @Test(
      "A body in a scope that waits for everything in the queue of the body around goes on, whichever began to wait first",
      arguments: [nil] + Opening.allCases.map(Optional.some), [false, true])
    func aroundScope(opening: Opening?, isBefore: Bool) async throws {
      let (queue, other) = (AsyncOperationQueue(maxConcurrentOperationCount: 1), AsyncOperationQueue())
      let recorder = Recorder<String>()
      let outer = await queue.add {
        try await perform(opening, in: other) {
          try await withOperationQueue { scope in
            let inner = await scope.add {
              if !isBefore { #expect(await scope.isAwaitedByItsBody()) }
              await queue.waitUntilAllOperationsAreFinished()
              // The closure that the body runs is an operation of this one.
              await other.waitUntilAllOperationsAreFinished()
              recorder.note(Task.isCancelled ? "cancelled" : "inner")
            }
            if isBefore { #expect(await eventually { inner.storage.read { $0.wait != nil } }) }
          }
        }
        recorder.note("outer")
      }
      try await outer.value
      #expect(recorder.ended == ["inner", "outer"])
    }

    @Test("The end of a scope that a child task of the body has opened is waited for without lending the slot")
    func inChildTask() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      let go = Gate()
      let body = await queue.add {
        async let end: Void = withOperationQueue { scope in _ = await scope.add { await go.wait() } }
        try await end
      }
      let other = await queue.add {}
      let isWaiting = await eventually {
        await body.explanation.reasons.contains { reason in
          if case .waitingForQueue(_, isSlotLent: false) = reason { true } else { false }
        }
      }
      #expect(isWaiting && other.state == .ready)
      go.open()
      try await body.value
      try await other.value
    }

    @Test("It waits for the others in that queue, and its scope is not cancelled meanwhile")
    func others() async throws {
      let queue = AsyncOperationQueue()
      let recorder = Recorder<String>()
      let blocker = Blocker()
      await queue.add(blocker.operation)
      let opened = Locked<AsyncOperationQueue?>(nil)
      let outer = await queue.add {
        try await withOperationQueue { scope in
          await scope.add {
            #expect(await scope.isAwaitedByItsBody())
            opened.withLock { $0 = scope }
            await queue.waitUntilAllOperationsAreFinished()
            recorder.note(Task.isCancelled ? "cancelled" : "inner")
          }
        }
      }
      #expect(await eventually { opened.current != nil })
      let scope = try #require(opened.current)
      #expect(await scope.becomesQuiescent(waiting: 1))
      #expect(await queue.hasWaitingBodies(1))
      recorder.note("other")
      blocker.release.open()
      _ = try await outer.value
      #expect(recorder.ended == ["other", "inner"])
    }

    @Test("What depends on the body around is cancelled once the wait for everything has ended")
    func dependent() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      let own = Locked<(any OperationProtocol)?>(nil)
      let recorder = Recorder<String>()
      let outer = AsyncOperation {
        await #expect(throws: OperationError.waitWouldDeadlock) {
          try await withOperationQueue { scope in
            let dependent = AsyncOperation { recorder.note("dependent") }
            try await dependent.addDependency(try #require(own.current))
            await scope.add(dependent)
            await scope.add {
              #expect(await scope.isAwaitedByItsBody())
              await queue.waitUntilAllOperationsAreFinished()
              recorder.note(Task.isCancelled ? "cancelled" : "inner")
            }
          }
        }
      }
      own.withLock { $0 = outer }
      await queue.add(outer)
      _ = try await outer.value
      #expect(recorder.ended == ["inner"])
      own.withLock { $0 = nil }
    }

    @Test("A body in a scope in a scope that waits for everything in the queue around both goes on")
    func nested() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      let recorder = Recorder<String>()
      let outer = await queue.add {
        try await withOperationQueue { outerScope in
          await outerScope.add {
            try await withOperationQueue { scope in
              await scope.add {
                #expect(await scope.isAwaitedByItsBody())
                #expect(await outerScope.isAwaitedByItsBody())
                await queue.waitUntilAllOperationsAreFinished()
                await outerScope.waitUntilAllOperationsAreFinished()
                recorder.note(Task.isCancelled ? "cancelled" : "inner")
              }
            }
          }
        }
      }
      _ = try await outer.value
      #expect(recorder.ended == ["inner"])
    }

    /// Runs a closure in the body itself, or by way of something that the body runs.
    private func perform(
      _ opening: Opening?,
      in queue: AsyncOperationQueue,
      _ work: @escaping @Sendable () async throws -> Void
    ) async throws {
      if let opening { try await opening.perform(in: queue, work) } else { try await work() }
    }

    @Test(
      "Once a scope was cancelled for a loop through its end, other loops through that are found, and what is added leaves",
      arguments: [false, true])
    func secondLoop(isAddedLate: Bool) async throws {
      let (queue, awaited, around) = (AsyncOperationQueue(), AsyncOperationQueue(), AsyncOperationQueue())
      let (closure, busy, begun) = (Gate(), Gate(), Gate())
      let gate = AsyncOperation {}
      let (awaitedByBody, ahead, behind) = (AsyncOperation {}, AsyncOperation {}, AsyncOperation {})
      let (inScope, late) = (AsyncOperation {}, AsyncOperation {})
      try await awaitedByBody.addDependency(gate)
      try await ahead.addDependency(awaitedByBody)
      for operation in [inScope, late] { try await operation.addDependency(behind) }
      await awaited.add(awaitedByBody)
      await queue.add(ahead)
      await queue.addBarrier {}
      await queue.add(behind)
      let body = AsyncOperation { await awaited.waitForCurrentOperations() }
      let owner = await around.add {
        try await withOperationQueue { scope in
          await scope.add(inScope, body)
          await scope.add {
            begun.open()
            await busy.wait()
            if isAddedLate { await scope.add(late) }
          }
          await closure.wait()
        }
      }
      #expect(await eventually { body.storage.read { $0.wait != nil } })
      // What has not begun when the scope is cancelled never begins.
      await begun.wait()
      // The end of the scope is not awaited yet.
      try await awaitedByBody.addDependency(owner)
      closure.open()
      // The queue with the barrier looks first, as long as something runs in the scope.
      #expect(await eventually { owner.storage.read { $0.wait?.isAbandoned } == true })
      busy.open()
      await #expect(throws: OperationError.waitWouldDeadlock) { try await owner.value }
      #expect(inScope.outcome?.isCancelled == true)
      #expect(late.outcome?.isCancelled == (isAddedLate ? true : nil))
      try await gate.start()
      await queue.waitUntilAllOperationsAreFinished()
    }
  }
}
