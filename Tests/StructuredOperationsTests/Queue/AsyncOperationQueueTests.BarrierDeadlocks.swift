import Testing
import TestSupport

@testable import StructuredOperations

extension AsyncOperationQueueTests {
  @Suite("Waits behind barriers that could never end")
  struct BarrierDeadlocks {
    @Test("Several bodies ahead of a barrier that wait for one behind it are all found")
    func several() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      let behind = AsyncOperation { 42 }
      let waiting = (0..<3).map { _ in AsyncOperation { try await behind.valueOrDeadlock() } }
      await queue.add(waiting)
      await queue.addBarrier {}
      await queue.add(behind)
      for operation in waiting { #expect(try await operation.value == -1) }
      #expect(try await behind.value == 42)
    }

    @Test("It is found as soon as nothing else ahead of the barrier runs")
    func besideOthers() async throws {
      let queue = AsyncOperationQueue()
      let blocker = Blocker()
      let behind = AsyncOperation { 42 }
      let waiting = AsyncOperation { try await behind.valueOrDeadlock() }
      await queue.add(blocker.operation, waiting)
      await queue.addBarrier {}
      await queue.add(behind)
      #expect(await queue.hasWaitingBodies(1))
      blocker.release.open()
      #expect(try await waiting.value == -1)
      await queue.waitUntilAllOperationsAreFinished()
    }

    @Test("run() behind a barrier that waits for the caller throws, and the queue goes on without it")
    func run() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      let recorder = Recorder<String>()
      let outer = await queue.add {
        await queue.addBarrier { recorder.note("barrier") }
        await #expect(throws: OperationError.waitWouldDeadlock) {
          try await queue.run { () -> Void in Issue.record("it ran") }
        }
        recorder.note("outer")
        return (Task.isCancelled, await queue.waitingCount)
      }
      #expect(try await outer.value == (false, 0))
      #expect(try await queue.run { 1 } == 1)
      #expect(recorder.ended == ["outer", "barrier"])
      #expect(queue.operationCount == 0)
    }

    @Test("So does the block of a barrier that calls run() of its own queue, or waits for one behind it")
    func barrierItself() async throws {
      let queue = AsyncOperationQueue()
      let behind = AsyncOperation { 42 }
      let values = Locked<[Int]>([])
      await queue.addBarrier {
        await #expect(throws: OperationError.waitWouldDeadlock) { try await queue.run { 1 } }
        values.append((try? await behind.valueOrDeadlock()) ?? 0)
      }
      await queue.add(behind)
      #expect(try await behind.value == 42)
      #expect(values.current == [-1])
    }

    @Test("A body of another queue that keeps the front waiting is found, not the one at the front")
    func throughOtherQueue() async throws {
      let (queue, other) = (AsyncOperationQueue(), AsyncOperationQueue(maxConcurrentOperationCount: 1))
      let behind = AsyncOperation { 42 }
      let asking = AsyncOperation { try await behind.valueOrDeadlock() }
      let front = AsyncOperation { try await asking.valueOrDeadlock() * 2 }
      await queue.add(front)
      await queue.addBarrier {}
      await queue.add(behind)
      await other.add(asking)
      #expect(try await asking.value == -1)
      #expect(try await front.value == -2)
      #expect(try await behind.value == 42)
    }

    @Test("The same where the front is the block of a barrier")
    func barrierThroughOtherQueue() async throws {
      let (queue, other) = (AsyncOperationQueue(), AsyncOperationQueue())
      let behind = AsyncOperation { 42 }
      let asking = AsyncOperation { try await behind.valueOrDeadlock() }
      let values = Locked<[Int]>([])
      await queue.addBarrier { values.append((try? await asking.value) ?? 0) }
      await queue.add(behind)
      await other.add(asking)
      #expect(try await behind.value == 42)
      #expect(values.current == [-1])
    }

    @Test("A step may be a dependency, also one that is added when the wait has begun", arguments: [false, true])
    func throughDependency(isLate: Bool) async throws {
      let (queue, other) = (AsyncOperationQueue(), AsyncOperationQueue())
      let (gate, middle, behind) = (AsyncOperation {}, AsyncOperation { 1 }, AsyncOperation { 42 })
      try await middle.addDependency(gate)
      if !isLate { try await middle.addDependency(behind) }
      await other.add(middle)
      let waiting = await queue.add { try await middle.valueOrDeadlock() }
      await queue.addBarrier {}
      await queue.add(behind)
      if isLate {
        #expect(await queue.becomesQuiescent(waiting: 1))
        try await middle.addDependency(behind)
      }
      #expect(try await waiting.value == -1)
      #expect(try await behind.value == 42)
      try await gate.start()
      #expect(try await middle.value == 1)
    }

    @Test("A wait that begins last closes the loop, whichever body's it is")
    func lastWait() async throws {
      let (queue, other) = (AsyncOperationQueue(), AsyncOperationQueue())
      let go = Gate()
      let behind = AsyncOperation { 42 }
      let asking = AsyncOperation {
        await go.wait()
        return try await behind.valueOrDeadlock()
      }
      await other.add(asking)
      let front = await queue.add { try await asking.value }
      await queue.addBarrier {}
      await queue.add(behind)
      #expect(await queue.becomesQuiescent(waiting: 1))
      go.open()
      #expect(try await front.value == -1)
    }

    @Test("A wait that somebody else can end is patient, also beside a barrier")
    func patience() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      let awaited = AsyncOperation { 1 }
      let front = await queue.add { try await awaited.valueOrDeadlock() }
      await queue.addBarrier {}
      let behind = await queue.add { 2 }
      for _ in 0..<10 {
        #expect(await queue.becomesQuiescent(waiting: 1))
        await queue.addBarrier {}
        try await AsyncOperation { await AsyncOperationQueue().addAndWait([AsyncOperation {}]) }.start()
      }
      try await awaited.start()
      #expect(try await front.value == 1)
      #expect(try await behind.value == 2)
    }

    @Test("Barriers of two queues with bodies that wait for what is ahead of the other's are no loop")
    func twoQueues() async throws {
      let queues = [AsyncOperationQueue(), AsyncOperationQueue(maxConcurrentOperationCount: 1)]
      let blockers = [Blocker(), Blocker()]
      let waiting = (0..<2).map { number in
        AsyncOperation {
          await blockers[1 - number].operation.waitUntilFinished()
          return number
        }
      }
      for number in 0..<2 {
        await queues[number].add(waiting[number], blockers[number].operation)
        await queues[number].addBarrier {}
        await queues[number].add {}
      }
      for blocker in blockers {
        await blocker.begun.wait()
        blocker.release.open()
      }
      for queue in queues { await queue.waitUntilAllOperationsAreFinished() }
      #expect(waiting.allSatisfy { $0.outcome?.isSuccess == true })
    }
  }
}
