import TestSupport
import Testing

@testable import StructuredOperations

@Suite("withLentSlot", .hangGuard)
struct WithLentSlotTests {
  @Test("While the closure runs others have the slot, whatever it awaits; the operation goes on executing")
  func lending() async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
    let gate = Gate()
    let body = await queue.add {
      await withLentSlot {
        await gate.wait()
        let snapshot = queue.snapshot
        return (
          AsyncOperation.current?.isExecuting == true, AsyncOperationQueue.current === queue, snapshot.waitingCount
        )
      }
    }
    await queue.add { gate.open() }
    let (isExecuting, isInQueue, waiting) = try await body.value
    #expect(isExecuting && isInQueue && waiting == 1)
    #expect(queue.snapshot.waitingCount == 0)
  }

  @Test(
    "It returns with a slot, ahead of what has not begun: after a value, an error and a cancellation", arguments: 0..<3)
  func returning(way: Int) async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
    let recorder = Recorder<Int>()
    let (lent, go) = (Gate(), Gate())
    let body = await queue.add {
      do {
        try await withLentSlot {
          lent.open()
          await go.wait()
          if way == 1 { throw Failure() }
          try Task.checkCancellation()
        }
      } catch {
        #expect(way > 0)
      }
      recorder.begin(0)
      await Task.yield()
      recorder.end(0)
    }
    await lent.wait()
    await queue.add {
      recorder.begin(1)
      if way == 2 { body.cancel() }
      await queue.add(queuePriority: .veryHigh) {
        recorder.begin(2)
        recorder.end(2)
      }
      go.open()
      while await queue.state.scheduler.slotRequests.isEmpty { await Task.yield() }
      recorder.end(1)
    }
    await queue.waitUntilAllOperationsAreFinished()
    #expect(recorder.ended == [1, 0, 2])
    #expect(recorder.peak == 1)
  }

  @Test("Closures in one another, and waits in them, lend once; the limit holds throughout", arguments: [1, 2])
  func nesting(width: Int) async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: width)
    let (recorder, awaited) = (Recorder<Int>(), AsyncOperation { 1 })
    for number in 0..<30 {
      await queue.add { () async throws in
        try await withLentSlot {
          await withLentSlot { await Task.yield() }
          #expect(try await awaited.value == 1)
          await AsyncOperationQueue().waitUntilAllOperationsAreFinished()
          try await withOperationQueue { await $0.add {} }
          try await AsyncOperationQueue().run {}
        }
        recorder.begin(number)
        await Task.yield()
        recorder.end(number)
      }
    }
    await queue.add(awaited)
    await queue.waitUntilAllOperationsAreFinished()
    #expect(recorder.ended.count == 30 && recorder.peak <= width)
    #expect(queue.snapshot.succeededCount == 31)
  }

  @Test("Waits in it that could never end are found, at once and by a queue that comes to rest")
  func deadlocks() async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
    let behind = AsyncOperation { 42 }
    let body = await queue.add { () async throws -> [Int] in
      let me = try #require(AsyncOperation.current as? AsyncOperation<[Int]>)
      return try await withLentSlot {
        await #expect(throws: OperationError.waitWouldDeadlock) { try await me.value }
        await #expect(throws: OperationError.waitWouldDeadlock) { try await queue.runBarrier {} }
        await queue.addBarrier {}
        await queue.add(behind)
        return [try await behind.valueOrDeadlock()]
      }
    }
    #expect(try await body.value == [-1])
    #expect(try await behind.value == 42)
  }

  @Test("run() in it takes a slot of its own queue, which it lends by itself")
  func run() async throws {
    let (here, there) = (
      AsyncOperationQueue(maxConcurrentOperationCount: 1), AsyncOperationQueue(maxConcurrentOperationCount: 1)
    )
    let gate = Gate()
    let body = await here.add {
      try await withLentSlot {
        try await there.run {
          let inner = try await there.add { 1 }.value
          return try await withLentSlot { () async throws -> Int in
            await gate.wait()
            return inner
          }
        }
      }
    }
    await here.add { try await there.run { gate.open() } }
    #expect(try await body.value == 1)
  }

  @Test("Barriers, and waits for everything, wait for the body")
  func barrier() async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 2)
    let recorder = Recorder<String>()
    let (lent, go) = (Gate(), Gate())
    await queue.add {
      await withLentSlot {
        lent.open()
        await go.wait()
      }
      recorder.note("body")
    }
    await lent.wait()
    let waiting = await queue.add {
      await queue.waitUntilAllOperationsAreFinished()
      recorder.note("waiting")
    }
    await queue.addBarrier { recorder.note("barrier") }
    #expect(await queue.becomesQuiescent(waiting: 2))
    #expect(recorder.ended == [])
    go.open()
    try await waiting.value
    await queue.waitUntilAllOperationsAreFinished()
    #expect(recorder.ended == ["body", "waiting", "barrier"])
  }

  @Test("Outside of bodies, in child tasks, and where a body was started by hand it just runs its closure")
  func elsewhere() async throws {
    #expect(await withLentSlot { 1 } == 1)
    await #expect(throws: Failure(code: 2)) { try await withLentSlot { throw Failure(code: 2) } }
    let started = AsyncOperation { () async in await withLentSlot { 3 } }
    try await started.start()
    #expect(try await started.value == 3)
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
    let inChild = await queue.add { () async -> Int in
      async let count = withLentSlot { queue.snapshot.waitingCount }
      return await count
    }
    #expect(try await inChild.value == 0)
  }

  /// Something that a body uses.
  private actor Account {
    private var balance = 1

    func doubled() async -> Int {
      var steps = 0
      await withLentSlot {
        steps += 1
        balance *= 2
        await Task.yield()
        balance *= 2
      }
      return balance + steps
    }
  }

  @Test("The closure runs on the caller's actor, and may use its state and local variables")
  func isolation() async throws {
    let account = Account()
    let body = await AsyncOperationQueue(maxConcurrentOperationCount: 1).add { await account.doubled() }
    #expect(try await body.value == 5)
    #expect(await account.doubled() == 17)
  }

  /// Not the closure's own isolation, which would have it switch by itself, but that of whoever calls this.
  private nonisolated(nonsending) static func placesOfClosure() async -> [Bool] {
    var places: [Bool] = []
    await withLentSlot {
      places.append(PlaceProbe.isHere)
      await Task.yield()
      places.append(PlaceProbe.isHere)
    }
    places.append(PlaceProbe.isHere)
    return places
  }

  @Test("A closure without isolation of its own runs on the caller's actor, as does what follows")
  func callersActor() async throws {
    for _ in 0..<10 {
      let body = await AsyncOperationQueue(maxConcurrentOperationCount: 1).add {
        await PlaceProbe().places { await Self.placesOfClosure() }
      }
      #expect(try await body.value == [true, true, true, true, true])
    }
    #expect(await PlaceProbe().places { await Self.placesOfClosure() } == [true, true, true, true, true])
    #expect(await Self.placesOfClosure() == [false, false, false])
  }

  @Test("On the main actor, too")
  @MainActor
  func mainActor() async throws {
    var count = 0
    await withLentSlot {
      MainActor.assertIsolated()
      count += 1
    }
    #expect(count == 1)
  }
}
