import Testing
import TestSupport

@testable import StructuredOperations

extension AsyncOperationQueueTests {
  @Suite("Waits that could never end")
  struct Deadlocks {
    @Test("WT-03 In a ring of bodies that wait for each other exactly one finds it", arguments: [2, 3, 12], [1, 64])
    func ring(count: Int, limit: Int) async throws {
      for _ in 0..<20 {
        let queues = [limit, 1].map { AsyncOperationQueue(maxConcurrentOperationCount: $0) }
        let ring = Locked<[AsyncOperation<Int>]>([])
        let closed = Gate()
        let operations = (0..<count).map { number in
          AsyncOperation {
            await closed.wait()
            let next = ring.current[(number + 1) % count]
            do { return try await next.value + 1 } catch OperationError.waitWouldDeadlock { return 0 }
          }
        }
        ring.withLock { $0 = operations }
        for (number, operation) in operations.enumerated() { await queues[number % 2].add(operation) }
        closed.open()
        var values: [Int] = []
        for operation in operations { values.append(try await operation.value) }
        ring.withLock { $0 = [] }
        #expect(values.sorted() == Array(0..<count))
      }
    }

    @Test("Several that wait for the same one, and for each other's, without a loop, are no deadlock")
    func diamond() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      let bottom = AsyncOperation { 1 }
      let sides = (0..<3).map { _ in AsyncOperation { try await bottom.value } }
      let top = AsyncOperation {
        var sum = 0
        for side in sides { sum += try await side.value }
        return sum
      }
      await queue.add([top] + sides)
      #expect(await queue.becomesQuiescent(waiting: 4))
      try await bottom.start()
      #expect(try await top.value == 3)
    }

    @Test("What was cancelled waits for nothing any more, though it has not left yet: it is no step of a loop")
    func cancelledStep() async throws {
      let (queue, held) = (AsyncOperationQueue(), AsyncOperationQueue(isSuspended: true))
      let dependent = AsyncOperation { 1 }
      let waiting = AsyncOperation {
        do { return try await dependent.valueOrDeadlock() } catch { return error is CancellationError ? 7 : 0 }
      }
      try await dependent.addDependency(waiting)
      await held.add(dependent)
      dependent.cancel()
      await queue.add(waiting)
      #expect(await queue.becomesQuiescent(waiting: 1))
      await held.resume()
      #expect(try await waiting.value == 7)
    }

    @Test("A dependency that was removed is no step of a loop")
    func removedStep() async throws {
      let dependent = AsyncOperation { 1 }
      let waiting = AsyncOperation { try await dependent.valueOrDeadlock() }
      try await dependent.addDependency(waiting)
      await dependent.removeDependency(waiting)
      await AsyncOperationQueue().add(waiting, dependent)
      #expect(try await waiting.value == 1)
    }

    @Test("A dependency that would close a loop throws it: the receiver, then what each waits for or depends on")
    func closedByDependency() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      let names = ["a", "b", "c", "d"]
      let pending = names.map { name in AsyncOperation(name: name) { 1 } }
      let first = AsyncOperation(name: "first") { try await pending[1].value }
      let second = AsyncOperation(name: "second") { try await first.value }
      try await pending[1].addDependency(pending[0])
      await queue.add(first)
      await first.reaches(.executing)
      await queue.add(second)
      #expect(await queue.becomesQuiescent(waiting: 2))
      try await pending[2].addDependency(second)
      try await pending[3].addDependency(pending[2])

      let error = await #expect(throws: OperationError.self) { try await pending[0].addDependency(pending[3]) }

      #expect(error?.loop == ["a", "d", "c", "second", "first", "b"])
      #expect(pending[0].dependencies.isEmpty)
      await queue.add(pending)
      #expect(try await second.value == 1)
      #expect(try await pending[3].value == 1)
    }

    @Test("Of a wait and a dependency that close a loop at once exactly one fails")
    func waitAgainstDependency() async throws {
      for _ in 0..<300 {
        let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
        let dependent = AsyncOperation { 1 }
        let begun = Gate()
        let waiting = AsyncOperation {
          begun.open()
          return try await dependent.valueOrDeadlock()
        }
        await queue.add(waiting)
        await begun.wait()
        var isRefused = false
        do { try await dependent.addDependency(waiting) } catch OperationError.dependencyCycle { isRefused = true }
        await queue.add(dependent)
        #expect(try await waiting.value == (isRefused ? 1 : -1))
        #expect(try await dependent.value == 1)
      }
    }

    @Test(
      "One that depends on an executing body and waits for what that body starts by hand is no loop; the other way is")
    func startedByHand() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      let own = Locked<AsyncOperation<Int>?>(nil)
      let outer = AsyncOperation {
        let inner = AsyncOperation { try await own.current?.valueOrDeadlock() ?? 0 }
        try await inner.start()
        return try await inner.value
      }
      own.withLock { $0 = outer }
      await queue.add(outer)
      #expect(try await outer.value == -1)
      own.withLock { $0 = nil }
    }

    @Test("The closure of run() that waits for the body that called it finds the loop")
    func runForCaller() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      let own = Locked<AsyncOperation<Int>?>(nil)
      let outer = AsyncOperation { try await queue.run { try await own.current?.valueOrDeadlock() ?? 0 } }
      own.withLock { $0 = outer }
      await queue.add(outer)
      #expect(try await outer.value == -1)
      own.withLock { $0 = nil }
    }

    @Test("A callback body's task, and one that comes later where an ended body's task was, wait as they like")
    func formerBody() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      for _ in 0..<200 {
        let task = Locked<Task<Int, any Error>?>(nil)
        let first = Locked<AsyncOperation<Int>?>(nil)
        let operation = AsyncOperation {
          let own = first.current
          task.withLock { $0 = Task { try await own?.value ?? 0 } }
          return 1
        }
        first.withLock { $0 = operation }
        await queue.add(operation)
        await operation.waitUntilFinished()
        #expect(try await task.current?.value == 1)
        #expect(await queue.waitingCount == 0)
      }
    }

    @Test("What waits again, since its failed dependency was removed, and is awaited by what it waits for, is a loop")
    func blockedAgain() async throws {
      for isEnqueued in [false, true] {
        let (queue, held) = (
          AsyncOperationQueue(maxConcurrentOperationCount: 1), AsyncOperationQueue(isSuspended: true)
        )
        let failed = AsyncOperation { throw Failure() }
        let skipped = AsyncOperation { 1 }
        let body = AsyncOperation { try await skipped.valueOrDeadlock() }
        try await skipped.addDependency(failed, requiring: .success)
        try await skipped.addDependency(body)
        if isEnqueued { await held.add(skipped) }
        try await failed.start()
        await queue.add(body)
        #expect(await queue.hasWaitingBodies(1))

        await skipped.removeDependency(failed)

        #expect(try await body.value == -1)
        await held.resume()
        if !isEnqueued { await held.add(skipped) }
        #expect(try await skipped.value == 1)
      }
    }

    @Test("The same, through a barrier that the body calls: runBarrier() throws, and leaves no barrier behind")
    func blockedAgainAheadOfBarrier() async throws {
      let (queue, held) = (AsyncOperationQueue(), AsyncOperationQueue(isSuspended: true))
      let failed = AsyncOperation { throw Failure() }
      let skipped = AsyncOperation { 1 }
      let body = AsyncOperation {
        do { try await held.runBarrier {} } catch OperationError.waitWouldDeadlock { return -1 }
        return 1
      }
      try await skipped.addDependency(failed, requiring: .success)
      try await skipped.addDependency(body)
      await held.add(skipped)
      try await failed.start()
      await queue.add(body)
      #expect(await queue.hasWaitingBodies(1))

      await skipped.removeDependency(failed)

      #expect(try await body.value == -1)
      await held.resume()
      #expect(try await skipped.value == 1)
      await held.waitUntilAllOperationsAreFinished()
    }

    @Test("WT-03 An operation given to addAndWait() that waits for the body is refused that, however soon it begins")
    func addedOperation() async throws {
      for _ in 0..<50 {
        let queue = AsyncOperationQueue(maxConcurrentOperationCount: 4)
        let body = Locked<AsyncOperation<Bool>?>(nil)
        let operation = AsyncOperation {
          let waiting = AsyncOperation {
            do { return try await body.current?.value ?? false } catch OperationError.waitWouldDeadlock { return true }
          }
          let others = (0..<300).map { _ in AsyncOperation {} }
          await queue.addAndWait([waiting] + others)
          return try await waiting.value
        }
        body.withLock { $0 = operation }
        await queue.add(operation)
        #expect(try await operation.value)
        body.withLock { $0 = nil }
      }
    }

    @Test("WT-03 addAndWait() stops the program where one of several could never end, and names the loop")
    func addAndWait() async throws {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let dependent = AsyncOperation(name: "dependent") {}
        let waiting = AsyncOperation(name: "waiting") {
          await AsyncOperationQueue.current?.addAndWait([AsyncOperation {}, dependent])
        }
        try await dependent.addDependency(waiting)
        await AsyncOperationQueue().add(waiting)
        await waiting.waitUntilFinished()
      }
      let message = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
      #expect(message.contains("addAndWait(_:) would never return: \"waiting\" -> \"dependent\" -> \"waiting\""))
    }

    @Test("WT-03 waitUntilFinished() stops the program where it waits behind a barrier for itself, and names the loop")
    func behindBarrier() async throws {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let queue = AsyncOperationQueue()
        let behind = AsyncOperation(name: "behind") {}
        let waiting = AsyncOperation(name: "waiting") { await behind.waitUntilFinished() }
        await queue.add(waiting)
        await queue.addBarrier {}
        await queue.add(behind)
        await waiting.waitUntilFinished()
      }
      let message = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
      #expect(message.contains("waitUntilFinished() would never return: \"waiting\" -> \"behind\" -> \"waiting\""))
    }
  }
}
