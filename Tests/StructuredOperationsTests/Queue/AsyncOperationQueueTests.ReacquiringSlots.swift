import Testing
import TestSupport

@testable import StructuredOperations

extension AsyncOperationQueueTests {
  @Suite("Reacquiring slots")
  struct ReacquiringSlots {
    /// Bodies that wait for one operation and then are recorded.
    private struct WaitingBodies {
      let queue: AsyncOperationQueue
      let awaited = AsyncOperation { 1 }
      let recorder = Recorder<Int>()

      init(limit: Int) {
        queue = AsyncOperationQueue(maxConcurrentOperationCount: limit)
      }

      func add(_ count: Int) async -> [AsyncOperation<Void>] {
        var bodies: [AsyncOperation<Void>] = []
        for number in 0..<count {
          bodies.append(
            await queue.add { [recorder, awaited] in
              _ = try await awaited.value
              recorder.begin(number)
              for _ in 0..<20 { await Task.yield() }
              recorder.end(number)
            })
        }
        #expect(await queue.becomesQuiescent(waiting: count))
        return bodies
      }

      /// Ends the waits.
      func release() async throws { try await awaited.start() }
    }

    @Test("Bodies resume as slots are free, never more than the limit", arguments: [1, 2, 3])
    func limit(limit: Int) async throws {
      let bodies = WaitingBodies(limit: limit)
      _ = await bodies.add(8)
      try await bodies.release()
      await bodies.queue.waitUntilAllOperationsAreFinished()
      #expect(bodies.recorder.ended.count == 8)
      #expect(bodies.recorder.peak <= limit)
    }

    @Test("At limit 0 bodies resume one at a time, and nothing starts")
    func limitZero() async throws {
      let bodies = WaitingBodies(limit: 4)
      let operations = await bodies.add(4)
      try await bodies.queue.setMaxConcurrentOperationCount(0)
      let other = await bodies.queue.add { 1 }
      try await bodies.release()
      for operation in operations { try await operation.value }
      #expect(bodies.recorder.peak == 1)
      #expect(await bodies.queue.becomesQuiescent())
      #expect(other.state == .ready)
      try await bodies.queue.setMaxConcurrentOperationCount(1)
      #expect(try await other.value == 1)
    }

    @Test("Where the limit was lowered meanwhile, the lower one holds")
    func smallerLimit() async throws {
      let bodies = WaitingBodies(limit: 6)
      _ = await bodies.add(6)
      try await bodies.queue.setMaxConcurrentOperationCount(2)
      try await bodies.release()
      await bodies.queue.waitUntilAllOperationsAreFinished()
      #expect(bodies.recorder.peak <= 2)
    }

    @Test("In a suspended queue bodies resume within the limit, and nothing starts")
    func suspended() async throws {
      let bodies = WaitingBodies(limit: 2)
      let operations = await bodies.add(5)
      await bodies.queue.suspend()
      let other = await bodies.queue.add { 1 }
      try await bodies.release()
      for operation in operations { try await operation.value }
      #expect(bodies.recorder.peak <= 2)
      #expect(await bodies.queue.becomesQuiescent())
      #expect(other.state == .ready)
      await bodies.queue.resume()
      #expect(try await other.value == 1)
    }

    @Test("In a suspended queue a body that returns waits in line for its limits, and goes on once they are free")
    func suspendedInLine() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      let (limit, awaited, holder) = (ConcurrencyLimit(1), AsyncOperation {}, Blocker())
      let operation = await queue.add(limits: [limit]) { await awaited.waitUntilFinished() }
      #expect(await queue.hasWaitingBodies(1))
      // It has the limit that the body has lent.
      try await holder.operation.addLimit(limit)
      await AsyncOperationQueue().add(holder.operation)
      await holder.begun.wait()
      await queue.suspend()
      try await awaited.start()
      #expect(await eventually { await !queue.state.inLine.isEmpty })

      holder.release.open()

      await operation.waitUntilFinished()
      #expect(queue.isSuspended)
    }

    @Test("Bodies whose waits ended first resume first, ahead of all that has not begun")
    func order() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      let recorder = Recorder<Int>()
      let awaited = (0..<4).map { number in AsyncOperation { number } }
      for number in 0..<4 {
        await queue.add(
          AsyncOperation(queuePriority: .veryLow) { recorder.note(try await awaited[number].value) })
      }
      #expect(await queue.becomesQuiescent(waiting: 4))
      let blocker = Blocker()
      await queue.add(blocker.operation)
      await blocker.begun.wait()
      await queue.add(AsyncOperation(queuePriority: .veryHigh) { recorder.note(4) })
      for number in [2, 0, 3, 1] { try await awaited[number].start() }
      blocker.release.open()
      await queue.waitUntilAllOperationsAreFinished()
      #expect(recorder.ended == [2, 0, 3, 1, 4])
    }

    @Test("Cancelling a body does not end its waitUntilFinished(); it sees the cancellation afterwards")
    func cancelled() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      let awaited = AsyncOperation { 1 }
      let outer = await queue.add {
        await awaited.waitUntilFinished()
        return (try await awaited.value, Task.isCancelled)
      }
      #expect(await queue.becomesQuiescent(waiting: 1))
      outer.cancel()
      #expect(await queue.becomesQuiescent(waiting: 1))
      #expect(outer.snapshot == OperationSnapshot(state: .executing, isCancelled: true))
      try await awaited.start()
      #expect(try await outer.value == (1, true))
    }

    @Test("Cancelling the queue reaches bodies that wait, what runs in their slots, and what has not begun")
    func cancelAll() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      let (begun, release) = (Gate(), Gate())
      let inner = AsyncOperation {
        begun.open()
        await release.wait()
        return Task.isCancelled
      }
      let outer = await queue.add {
        await queue.add(inner)
        await inner.waitUntilFinished()
        return (try await inner.value, Task.isCancelled)
      }
      await begun.wait()
      let other = await queue.add { 1 }
      await queue.cancelAllOperations()
      await other.waitUntilFinished()
      #expect(other.outcome?.isCancelled == true)
      #expect(outer.isExecuting)
      release.open()
      #expect(try await outer.value == (true, true))
      #expect(try await queue.add { 2 }.value == 2)
    }

    @Test("A queue that nobody else holds lets its bodies resume")
    func heldByBody() async throws {
      let awaited = AsyncOperation { 1 }
      func make() async -> (AsyncOperation<Int>, Weak) {
        let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
        return (await queue.add { try await awaited.value }, Weak(queue))
      }
      let (outer, queue) = await make()
      await outer.reaches(.executing)
      try await awaited.start()
      #expect(try await outer.value == 1)
      #expect(await eventually { queue.object == nil })
    }

    @Test("Waits that end just as they begin leave each slot where it belongs")
    func race() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 2)
      let other = AsyncOperationQueue()
      let recorder = Recorder<Int>()
      for number in 0..<500 {
        await queue.add {
          recorder.begin(number)
          recorder.end(number)
          let inner = await other.add { number }
          if number.isMultiple(of: 3) { await Task.yield() }
          let value = try await inner.value
          recorder.begin(value)
          recorder.end(value)
        }
      }
      await queue.waitUntilAllOperationsAreFinished()
      #expect(recorder.ended.count == 1_000)
      #expect(recorder.peak <= 2)
      #expect(await queue.state.scheduler.isIdle)
      #expect(await queue.state.releasedSlots.isEmpty)
    }
  }
}
