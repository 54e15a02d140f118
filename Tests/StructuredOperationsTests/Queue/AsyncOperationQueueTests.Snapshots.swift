import Testing
import TestSupport

@testable import StructuredOperations

extension AsyncOperationQueueTests {
  @Suite("Snapshots")
  struct Snapshots {
    @Test("The present snapshot counts what waits, what executes and what has finished")
    func counts() async {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      #expect(queue.snapshot.fractionCompleted == 1)
      let blocker = Blocker()
      let finished = AsyncOperation {}
      await queue.addAndWait([finished])
      await queue.add(blocker.operation, AsyncOperation {}, AsyncOperation {})
      await blocker.begun.wait()
      let snapshot = queue.snapshot
      #expect(snapshot.operationCount == 3)
      #expect(snapshot.executingCount == 1)
      #expect(snapshot.completedCount == 1)
      #expect(snapshot.totalCount == 4)
      #expect(snapshot.fractionCompleted == 0.25)
      blocker.release.open()
      await queue.waitUntilAllOperationsAreFinished()
      #expect(queue.snapshot.fractionCompleted == 1)
    }

    @Test("Bodies that have released their slots count as executing, and as waiting")
    func waiting() async {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 2)
      let gate = Gate()
      let awaited = AsyncOperation { await gate.wait() }
      await queue.add([])
      for _ in 0..<5 { await queue.add { await awaited.waitUntilFinished() } }
      #expect(await eventually { queue.snapshot.waitingCount == 5 })
      #expect(queue.snapshot.executingCount == 5)
      let other = AsyncOperationQueue()
      await other.add(awaited)
      gate.open()
      await queue.waitUntilAllOperationsAreFinished()
      #expect(queue.snapshot.waitingCount == 0)
    }

    @Test("Settings and additions are seen as soon as their functions return")
    func settings() async throws {
      let queue = AsyncOperationQueue()
      await queue.suspend()
      #expect(queue.isSuspended && queue.snapshot.isSuspended)
      try await queue.setMaxConcurrentOperationCount(3)
      #expect(queue.maxConcurrentOperationCount == 3 && queue.snapshot.maxConcurrentOperationCount == 3)
      func add() -> [Int] {
        (0..<3).map { _ in
          queue.add(AsyncOperation {})
          return queue.operationCount
        }
      }
      #expect(add() == [1, 2, 3])
      await queue.resume()
      #expect(!queue.isSuspended)
      await queue.waitUntilAllOperationsAreFinished()
      #expect(queue.operationCount == 0)
    }

    @Test("An end is counted by its kind before those who wait go on, with a turn and without", arguments: [1, 4])
    func outcomes(width: Int) async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: width)
      let blockers = (0..<width).map { _ in Blocker() }
      await queue.add(blockers.map(\.operation))
      for blocker in blockers { await blocker.begun.wait() }
      var counts = [0, 0, 0]
      var awaited: [(operation: any OperationProtocol, kind: Int)] = []
      for number in 0..<90 {
        let operation = await queue.add { () async throws in if number % 3 == 1 { throw Failure() } }
        if number % 3 == 2 { operation.cancel() }
        // Those with a completion block end in a turn.
        if number % 2 == 0 { await operation.setCompletionBlock {} }
        awaited.append((operation, number % 3))
      }
      for blocker in blockers { blocker.release.open() }
      for (operation, kind) in awaited {
        await operation.waitUntilFinished()
        counts[kind] += 1
        let snapshot = queue.snapshot
        #expect(snapshot.succeededCount >= counts[0] && snapshot.failedCount >= counts[1])
        #expect(snapshot.cancelledCount >= counts[2])
      }
      await queue.waitUntilAllOperationsAreFinished()
      let snapshot = queue.snapshot
      #expect([snapshot.succeededCount - width, snapshot.failedCount, snapshot.cancelledCount] == [30, 30, 30])
      #expect(snapshot.completedCount == 90 + width && snapshot.operationCount == 0)
    }

    @Test("What fails for a dependency has failed, a call that is cancelled is cancelled, and barriers do not count")
    func kinds() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      let dependent = AsyncOperation {}
      let failing = AsyncOperation { throw Failure() }
      try await dependent.addDependency(failing, requiring: .success)
      await queue.add(failing, dependent)
      await queue.addBarrier {}
      await queue.suspend()
      let caller = Task { try await queue.run {} }
      caller.cancel()
      _ = await caller.result
      await queue.resume()
      await queue.waitUntilAllOperationsAreFinished()
      let snapshot = queue.snapshot
      #expect([snapshot.succeededCount, snapshot.failedCount, snapshot.cancelledCount] == [0, 2, 1])
    }

    @Test("Priorities and dependencies that change again and again beside one long body leave few events")
    func manyChanges() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      let blocker = Blocker()
      let (operation, dependency) = (AsyncOperation {}, AsyncOperation {})
      await queue.add(blocker.operation)
      await queue.add(operation)
      await blocker.begun.wait()
      _ = queue.operationCount
      for _ in 0..<1_000 {
        await operation.setQueuePriority(.high)
        await operation.setQueuePriority(.low)
        try await operation.addDependency(dependency)
        await operation.removeDependency(dependency)
      }
      #expect(queue.shared.pendingEvents.count <= 10)
      blocker.release.open()
      await operation.waitUntilFinished()
    }

    @Test("The sequence ends with the queue, and does not keep it")
    func lifetime() async {
      func make() -> (StateSequence<QueueSnapshot>, Weak) {
        let queue = AsyncOperationQueue()
        return (queue.states, Weak(queue))
      }
      let (states, queue) = make()
      #expect(queue.object == nil)
      var count = 0
      for await _ in states { count += 1 }
      #expect(count == 1)
    }

    @Test("Under load every snapshot adds up, completions never fall, and when none is left all are completed")
    func underLoad() async {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 3)
      let states = queue.states
      let total = 2_000
      let reader = Task {
        var latest = QueueSnapshot(maxConcurrentOperationCount: 3)
        for await snapshot in states {
          #expect(snapshot.operationCount >= 0)
          #expect(snapshot.executingCount >= 0 && snapshot.executingCount <= 3)
          #expect(snapshot.executingCount <= snapshot.operationCount)
          #expect(snapshot.completedCount >= latest.completedCount)
          #expect(snapshot.totalCount >= latest.totalCount)
          if snapshot.operationCount == 0 { #expect(snapshot.completedCount == snapshot.totalCount) }
          latest = snapshot
          if latest.completedCount == total { break }
        }
        return latest
      }
      let poller = Task {
        while !Task.isCancelled {
          let snapshot = queue.snapshot
          #expect(snapshot.executingCount <= 3 && snapshot.executingCount <= snapshot.operationCount)
          #expect(snapshot.totalCount <= total)
          await Task.yield()
        }
      }
      for number in 0..<total {
        let operation = AsyncOperation { if number.isMultiple(of: 3) { await Task.yield() } }
        await queue.add(operation)
        if number.isMultiple(of: 5) { operation.cancel() }
        if number.isMultiple(of: 50) { await queue.addBarrier {} }
      }
      #expect(await reader.value.completedCount == total)
      poller.cancel()
      await poller.value
    }
  }
}
