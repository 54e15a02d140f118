import Testing
import TestSupport

@testable import StructuredOperations

extension AsyncOperationQueueTests.StartRate {
  @Test("No more is chosen ahead than may begin", arguments: [1, 2])
  func prefetching(limit: Int) async throws {
    let queue = queue(3, limit: limit)
    await queue.suspend()
    await queue.add((0..<20).map { asynchronous("\($0)") })
    await queue.resume()
    #expect(await isAsleep(until: 10))
    #expect(await eventually { recorder.ended.count == 3 })
    await queue.process()
    #expect(recorder.begun.count == 3)
    await queue.cancelAllOperations()
    await queue.waitUntilAllOperationsAreFinished()
  }

  @Test("What is chosen ahead when a rate is set is put back")
  func setWhileChosenAhead() async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1, clock: clock)
    let blocker = Blocker()
    await queue.add(blocker.operation)
    await blocker.begun.wait()
    await queue.add((0..<9).map { asynchronous("\($0)") })
    await queue.process()
    await queue.setStartRate(OperationStartRate(2, per: .seconds(10)))
    blocker.release.open()
    #expect(await isAsleep(until: 10))
    #expect(await eventually { recorder.ended == ["0", "1"] })
    await queue.setStartRate(nil)
    await queue.waitUntilAllOperationsAreFinished()
  }

  @Test("What is chosen ahead and is not ready when it is to begin does not count")
  func notBegun() async throws {
    let queue = queue(2, limit: 1)
    let blocker = Blocker()
    // Their bodies run in the child task of the blocker.
    let (next, last) = (asynchronous("next"), asynchronous("last"))
    let missing = operation("missing")
    await queue.add([blocker.operation, next, last])
    await blocker.begun.wait()
    await queue.process()
    // It goes on where the child task tells the end of the blocker, which has the next operation already.
    let waiter = Task(executorPreference: InlineExecutor()) {
      await blocker.operation.waitUntilFinished()
      try await next.addDependency(missing)
    }
    blocker.release.open()
    await last.waitUntilFinished()
    try await waiter.value
    #expect(recorder.ended == ["last"])
    #expect(next.state == .pending)

    try await missing.start()
    #expect(await isAsleep(until: 10))
    clock.advanceToNext()
    await queue.waitUntilAllOperationsAreFinished()
    #expect(recorder.ended == ["last", "missing", "next"])
  }

  @Test("What begins ahead of a turn counts from that time on")
  func chosenAheadCounts() async throws {
    let queue = queue(3, limit: 1)
    let blockers = [Blocker(), Blocker()]
    await queue.add(blockers.map(\.operation) + [asynchronous("third"), asynchronous("fourth")])
    await blockers[0].begun.wait()
    await queue.process()
    clock.advance(by: .seconds(4))
    blockers[0].release.open()
    await blockers[1].begun.wait()
    clock.advance(by: .seconds(1))
    blockers[1].release.open()
    #expect(await isAsleep(until: 10))
    #expect(recorder.ended == ["third"])
    clock.advanceToNext()
    await queue.waitUntilAllOperationsAreFinished()
    await queue.add((0..<3).map { asynchronous("\($0)") })
    // The second one began 4 seconds, the third one 5 seconds after the first.
    #expect(await isAsleep(until: 14))
    clock.advanceToNext()
    #expect(await isAsleep(until: 15))
    clock.advanceToNext()
    #expect(await isAsleep(until: 20))
    clock.advanceToNext()
    await queue.waitUntilAllOperationsAreFinished()
  }

  @Test("What has begun ahead of a turn is known where the rate is explained, and what has not begun after all")
  func explained() async throws {
    let queue = queue(2, limit: 1)
    let blockers = [Blocker(), Blocker()]
    await queue.add(blockers.map(\.operation) + [asynchronous("last")])
    await blockers[0].begun.wait()
    await queue.process()
    #expect(await queue.facts().rateHold == nil)
    blockers[0].release.open()
    await blockers[1].begun.wait()
    #expect(await queue.facts().rateHold == .seconds(10))
    _ = queue.shared.post(.leftUnrun(.zero), need: .nothing)
    #expect(await queue.facts().rateHold == nil)
    blockers[1].release.open()
    await queue.waitUntilAllOperationsAreFinished()
  }

  @Test("Once the rate was removed, an end does not ask the clock, though another operation is taken ahead")
  func askedOnce() async throws {
    let queue = queue(9, limit: 1)
    let blocker = Blocker()
    await queue.add(blocker.operation)
    await blocker.begun.wait()
    await queue.setStartRate(nil)
    let readCount = clock.readCount
    await queue.add((0..<9).map { asynchronous("\($0)") })
    // A turn, which chooses some ahead.
    await queue.process()
    blocker.release.open()
    await queue.waitUntilAllOperationsAreFinished()
    #expect(clock.readCount == readCount)
  }
}
