import StructuredOperationsTesting
import TestSupport
import Testing

@testable import StructuredOperations

private typealias Gate = TestSupport.Gate

// What is left of a call that throws since it would wait for ever: nothing.
extension AsyncOperationQueueTests.RunBarrier {
  @Test(
    "A barrier that is refused leaves: what the body does next waits for nothing that was ahead",
    arguments: [false, true])
  func refusedLeaves(isSuspended: Bool) async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 2)
    let other = AsyncOperationQueue()
    let body = AsyncOperation { () async throws -> Int in
      #expect(await queue.hasWaitingBodies(1))
      if isSuspended { await queue.suspend() }
      await #expect(throws: OperationError.waitWouldDeadlock) {
        try await queue.runBarrier { () -> Void in Issue.record("the barrier ran") }
      }
      #expect(await !queue.schedulerWithPendingEvents.hasBarrier)
      if isSuspended { await queue.resume() }
      let added = await queue.add { 20 }
      return try await queue.run { 1 } + added.value
    }
    let ahead = await queue.add { try await body.value }
    await other.add(body)
    #expect(try await ahead.value == 21)
    await queue.waitUntilAllOperationsAreFinished()
  }

  @Test("One body is enough: through another queue's closure it has its own queue again after the refused call")
  func refusedInClosure() async throws {
    let (queue, other) = (AsyncOperationQueue(maxConcurrentOperationCount: 2), AsyncOperationQueue())
    let body = await queue.add {
      try await other.run {
        await #expect(throws: OperationError.waitWouldDeadlock) { try await queue.runBarrier {} }
        return try await queue.run { 1 }
      }
    }
    #expect(try await body.value == 1)
  }

  @Test("What was behind a refused barrier keeps its order, and barriers beside it theirs", arguments: 0..<60)
  func refusedBetweenOthers(seed: Int) throws {
    let executor = SeededExecutor(seed: UInt64(seed) ^ SeededExecutor.ownStream)
    try executor.run {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 3, executor: executor)
      let other = AsyncOperationQueue(executor: executor)
      let recorder = Recorder<String>()
      let isReady = StructuredOperationsTesting.Gate()
      let body = AsyncOperation { () async throws -> Void in
        await isReady.wait()
        await #expect(throws: OperationError.waitWouldDeadlock) { try await queue.runBarrier {} }
        recorder.note("body")
      }
      await queue.add {
        try await body.value
        recorder.note("ahead")
      }
      await queue.addBarrier { recorder.note("first barrier") }
      await queue.add { recorder.note("between") }
      await other.add(body)
      while queue.snapshot.waitingCount == 0 { await Task.yield() }
      async let later: Void = {
        for _ in 0..<seed % 7 { await Task.yield() }
        await queue.add { recorder.note("later") }
        await queue.addBarrier { recorder.note("last barrier") }
        await queue.add { recorder.note("last") }
      }()
      for _ in 0..<seed % 5 { await Task.yield() }
      isReady.open()
      await later
      await queue.waitUntilAllOperationsAreFinished()
      let noted = recorder.ended
      #expect(noted.prefix(3) == ["body", "ahead", "first barrier"] && noted.suffix(2) == ["last barrier", "last"])
      #expect(Set(noted[3..<5]) == ["between", "later"])
    }
  }
}
