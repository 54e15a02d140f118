import TestSupport
import Testing

@testable import StructuredOperations

extension AsyncOperationQueueTests {
  @Suite("Closing")
  struct Closing {
    /// Reads a sequence to its end.
    private func last(of states: StateSequence<QueueSnapshot>) -> Task<QueueSnapshot?, Never> {
      Task {
        var last: QueueSnapshot?
        for await snapshot in states { last = snapshot }
        return last
      }
    }

    @Test("A closed queue refuses whatever is added, in every form, and keeps none of it")
    func refusal() async throws {
      let queue = AsyncOperationQueue()
      queue.close()
      queue.close()
      let operation = AsyncOperation { 1 }
      #expect(queue.isClosed)
      #expect(await queue.add(operation) == false)
      #expect(await queue.add([operation, AsyncOperation {}]) == 0)
      func add() -> Bool { queue.add(operation) }
      #expect(!add())
      await #expect(throws: OperationError.queueClosed) { try await queue.enqueue(operation) }
      await #expect(throws: OperationError.queueClosed) { try await queue.run { 1 } }
      for refused in [await queue.add { 1 }, await queue.addBarrier { 1 }, await queue.add(after: operation) { $0 }] {
        await #expect(throws: OperationError.queueClosed) { try await refused.value }
      }
      #expect(queue.snapshot.totalCount == 0)
      #expect("\(queue)".hasSuffix("limit default, closed)"))
      // Nothing of the queue sticks to what it refused.
      await AsyncOperationQueue().add(operation)
      #expect(try await operation.value == 1)
    }

    @Test("A closed queue does not touch what it refuses: it takes no place in the lines of its limits")
    func untouched() throws {
      let closed = AsyncOperationQueue()
      closed.close()
      let operation = AsyncOperation {}
      try operation.addLimit(ConcurrencyLimit(1))
      func order() -> Int? { operation.storage.read { $0.limits?.order } }
      let before = order()

      #expect(closed.add([operation]) == 0)

      #expect(before != nil && order() == before)
    }

    @Test("What a closed queue refuses, where it is added alone, stands in no line for its limits, either")
    func leavesLine() async throws {
      let (closed, limit, operation) = (AsyncOperationQueue(), ConcurrencyLimit(1), AsyncOperation {})
      closed.close()
      try await operation.addLimit(limit)
      #expect(await !closed.add(operation))

      await AsyncOperationQueue().add(limits: [limit]) {}.waitUntilFinished()
    }

    @Test("A closed queue that refuses an operation does not keep another queue from taking it")
    func refusedAtOnce() async {
      let (closed, open) = (AsyncOperationQueue(), AsyncOperationQueue())
      closed.close()
      for _ in 0..<2_000 {
        let operation = AsyncOperation {}
        async let refused = (closed.add(operation), closed.add([operation]))
        let isTaken = await open.add(operation)
        let (isAdded, count) = await refused
        #expect(isTaken && !isAdded && count == 0)
      }
      await open.waitUntilAllOperationsAreFinished()
      #expect(open.snapshot.completedCount == 2_000)
    }

    @Test("What is in it goes on: what waits, lends and returns, barriers, callers and completion blocks")
    func goesOn() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      let (blocker, ended) = (Blocker(), Gate())
      let last = AsyncOperation { 42 }
      await queue.add(blocker.operation)
      let waiting = await queue.add { (await queue.add(AsyncOperation {}), try await last.value) }
      await queue.add(last)
      let barrier = await queue.addBarrier { 43 }
      let caller = Task { try await queue.run { 44 } }
      #expect(await eventually { queue.operationCount == 4 })
      await last.setCompletionBlock { ended.open() }
      queue.close()
      #expect(queue.operationCount == 4)
      blocker.release.open()
      let (isAdded, value) = try await waiting.value
      #expect(!isAdded && value == 42)
      #expect(try await barrier.value == 43)
      #expect(try await caller.value == 44)
      await ended.wait()
    }

    @Test("The sequences end as soon as it is closed and empty, those that are read later at once")
    func statesEnd() async {
      let queue = AsyncOperationQueue()
      let blocker = Blocker()
      await queue.add(blocker.operation)
      let early = last(of: queue.states)
      queue.close()
      let late = last(of: queue.states)
      blocker.release.open()
      #expect(await early.value?.completedCount == 1)
      #expect(await late.value?.operationCount == 0)
      #expect(await last(of: queue.states).value?.completedCount == 1)

      let empty = AsyncOperationQueue()
      let states = last(of: empty.states)
      empty.close()
      #expect(await states.value?.totalCount == 0)
    }

    @Test("They go on while a barrier is left, cancelled or not", arguments: [false, true])
    func barrier(isCancelled: Bool) async {
      let queue = AsyncOperationQueue(isSuspended: true)
      let barrier = await queue.addBarrier {}
      let states = queue.states
      queue.close()
      if isCancelled { await queue.cancelAllOperations() }
      let isBarrierLeft = queue.shared.states()
      await queue.resume()
      await barrier.waitUntilFinished()
      for await _ in states {}
      for await _ in isBarrierLeft {}
      #expect(barrier.isFinished)
    }

    @Test(
      "A scope's queue is closed when the scope has ended, and its sequences end, however that was",
      arguments: [0, 1, 2])
    func scope(way: Int) async throws {
      let queues = Locked<AsyncOperationQueue?>(nil)
      let readers = Locked<Task<QueueSnapshot?, Never>?>(nil)
      let scope = Task {
        try await withOperationQueue { queue in
          readers.withLock { $0 = last(of: queue.states) }
          queues.withLock { $0 = queue }
          await queue.add {}
          #expect(!queue.isClosed)
          if way == 1 { throw Failure() }
          if way == 2 { withUnsafeCurrentTask { $0?.cancel() } }
        }
      }
      _ = await scope.result
      let queue = try #require(queues.current)
      #expect(queue.isClosed)
      let snapshot = await readers.current?.value
      #expect(snapshot?.completedCount == 1 && snapshot?.operationCount == 0)
      #expect(await last(of: queue.states).value?.completedCount == 1)
    }

    @Test(
      "Its end comes once it is closed, cancelled and resumed, whether it is suspended or only a barrier runs",
      arguments: [false, true])
    func shutDown(isSuspended: Bool) async {
      let (queue, begun) = (AsyncOperationQueue(isSuspended: isSuspended), Gate())
      let barrier = await queue.addBarrier {
        begun.open()
        while !Task.isCancelled { await Task.yield() }
        try Task.checkCancellation()
      }
      if !isSuspended { await begun.wait() }
      let behind = await queue.add {}
      queue.close()
      await queue.cancelAllOperations()
      await queue.resume()
      await queue.waitUntilAllOperationsAreFinished()
      #expect(barrier.outcome?.isCancelled == true)
      #expect(behind.outcome?.isCancelled == true)
      #expect(begun.isOpen == !isSuspended)
    }

    @Test("Of those that are added while it is closed, the accepted ones run, and no others")
    func race() async {
      for _ in 0..<50 {
        let queue = AsyncOperationQueue(maxConcurrentOperationCount: 2)
        let states = last(of: queue.states)
        let (runs, accepted) = (Locked(0), Locked(0))
        await withTaskGroup { group in
          for number in 0..<4 {
            group.addTask {
              for _ in 0..<10 {
                if number == 0 {
                  let barrier = await queue.addBarrier { runs.increment() }
                  if barrier.error == nil { accepted.increment() }
                } else if await queue.add(AsyncOperation { runs.increment() }) {
                  accepted.increment()
                }
              }
            }
          }
          group.addTask {
            await Task.yield()
            queue.close()
          }
        }
        await queue.waitUntilAllOperationsAreFinished()
        #expect(runs.current == accepted.current)
        #expect(await states.value?.operationCount == 0)
      }
    }

    @Test("An operation that is added to a queue at the moment of its closing, and to an open one, is in one of them")
    func closingMeanwhile() async throws {
      for _ in 0..<2_000 {
        let (closing, open) = (AsyncOperationQueue(), AsyncOperationQueue())
        let operation = AsyncOperation {}
        let taken = await withTaskGroup { group in
          group.addTask {
            closing.close()
            return 0
          }
          for queue in [closing, open] { group.addTask { await queue.add(operation) ? 1 : 0 } }
          return await group.reduce(0, +)
        }
        #expect(taken == 1)
        await operation.waitUntilFinished()
      }
    }

    @Test("The main queue stays open")
    func main() async throws {
      AsyncOperationQueue.main.close()
      #expect(!AsyncOperationQueue.main.isClosed)
      #expect(try await AsyncOperationQueue.main.add { 1 }.value == 1)
    }
  }
}
