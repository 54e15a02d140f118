import Testing
import TestSupport

@testable import StructuredOperations

@Suite("QB Barriers", .hangGuard)
struct BarrierSemantics {
  @Test("QB-01 A barrier runs alone, after all before it and before all after it, under load")
  func alone() async {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 8)
    let recorder = Recorder<Int>()
    for round in 0..<20 {
      for number in 0..<10 {
        let id = 100 * round + number
        await queue.add(queuePriority: QueuePriority.allCases[number % 5]) {
          recorder.begin(id)
          await Task.yield()
          recorder.end(id)
        }
      }
      let id = 100 * round + 50
      if round.isMultiple(of: 2) {
        await queue.addBarrier {
          #expect(recorder.running.isEmpty)
          recorder.note(id)
        }
      } else {
        await queue.addBarrier {
          await Task.yield()
          #expect(recorder.running.isEmpty)
          recorder.note(id)
        }
      }
    }
    await queue.waitUntilAllOperationsAreFinished()
    #expect(recorder.ended.count == 220)
    let rounds: [Int] = recorder.ended.map { $0 / 100 }
    #expect(rounds == rounds.sorted())
    for round in 0..<20 { #expect(recorder.ended[11 * round + 10] == 100 * round + 50) }
  }

  @Test("QB-02, QB-06 In an empty queue it runs at once, and is waited for")
  func emptyQueue() async {
    let queue = AsyncOperationQueue()
    let release = Gate()
    let ended = Locked(false)
    await queue.addBarrier {
      await release.wait()
      ended.withLock { $0 = true }
    }
    let waiter = Task {
      await queue.waitUntilAllOperationsAreFinished()
      return ended.current
    }
    release.open()
    #expect(await waiter.value)
  }

  @Test(
    "QB-02 A barrier heeds the limit 0 and a suspension like any operation, in an empty queue, too",
    arguments: [false, true])
  func restraint(isSuspended: Bool) async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: isSuspended ? 1 : 0, isSuspended: isSuspended)
    let runs = Locked(0)
    await queue.addBarrier { runs.increment() }
    #expect(queue.snapshot.executingCount == 0)
    #expect(runs.current == 0)
    await queue.resume()
    try await queue.setMaxConcurrentOperationCount(1)
    await queue.waitUntilAllOperationsAreFinished()
    #expect(runs.current == 1)
  }

  @Test("QB-03, DP-21 It is neither listed, nor counted, nor a dependency")
  func hidden() async {
    let queue = AsyncOperationQueue(isSuspended: true)
    let operation = AsyncOperation {}
    await queue.addBarrier {}
    await queue.add(operation)
    await queue.addBarrier {}
    #expect(await queue.operations.count == 1)
    #expect(queue.operationCount == 1)
    #expect(operation.dependencies.isEmpty)
    #expect(operation.state == .ready)
    await queue.resume()
    await queue.waitUntilAllOperationsAreFinished()
    #expect(queue.snapshot.completedCount == 1)
  }

  @Test("QB-04 While a barrier runs, or has been chosen, no slot is free for anybody", arguments: [1, 8])
  func slot(limit: Int) async {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: limit)
    let (begun, release) = (Gate(), Gate())
    await queue.addBarrier {
      begun.open()
      await release.wait()
    }
    let operations = (0..<10).map { _ in AsyncOperation(queuePriority: .veryHigh) {} }
    await queue.add(operations)
    await begun.wait()
    #expect(queue.snapshot.executingCount == 0, "the barrier itself is not told")
    #expect(operations.allSatisfy { $0.state == .ready })
    release.open()
    await queue.waitUntilAllOperationsAreFinished()
    #expect(queue.snapshot.completedCount == 10)
  }

  @Test("QB-05, D-9 A cancelled barrier keeps its place and skips its block")
  func cancelled() async {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 2)
    let blocker = Blocker()
    let recorder = Recorder<Int>()
    await queue.add(blocker.operation)
    await blocker.begun.wait()
    await queue.addBarrier { recorder.note(0) }
    await queue.cancelAllOperations()
    let later = AsyncOperation { recorder.note(1) }
    await queue.add(later)
    #expect(queue.snapshot.executingCount == 1)
    #expect(later.state == .ready)
    blocker.release.open()
    await queue.waitUntilAllOperationsAreFinished()
    #expect(recorder.begun == [1])
  }

  @Test("QB-07 What is added while a barrier runs waits for it")
  func addedWhileRunning() async {
    let queue = AsyncOperationQueue()
    let (begun, release) = (Gate(), Gate())
    await queue.addBarrier {
      begun.open()
      await release.wait()
    }
    await begun.wait()
    let operation = AsyncOperation {}
    await queue.add(operation)
    #expect(queue.snapshot.executingCount == 0)
    #expect(operation.state == .ready)
    release.open()
    await operation.waitUntilFinished()
  }

  @Test("QB-08 A cancelled operation behind a barrier leaves at once")
  func cancelledBehind() async {
    let queue = AsyncOperationQueue()
    let blocker = Blocker()
    await queue.add(blocker.operation)
    await queue.addBarrier {}
    let operation = AsyncOperation {}
    await queue.add(operation)
    operation.cancel()
    await operation.waitUntilFinished()
    #expect(!blocker.operation.isFinished)
    blocker.release.open()
    await queue.waitUntilAllOperationsAreFinished()
  }

  @Test("QB-08 An operation that was cancelled before it is added leaves at once behind a barrier that waits")
  func cancelledBefore() async {
    let queue = AsyncOperationQueue()
    let blocker = Blocker()
    await queue.add(blocker.operation)
    await queue.addBarrier {}
    let operation = AsyncOperation {}
    operation.cancel()
    await queue.addAndWait([operation])
    #expect(operation.outcome?.isCancelled == true)
    #expect(!blocker.operation.isFinished)
    blocker.release.open()
    await queue.waitUntilAllOperationsAreFinished()
  }

  @Test("QB-09 In a barrier the counts stand still: all before it is completed, all after it is still to come")
  func counts() async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 4)
    for round in 1...20 {
      await queue.add((0..<3).map { _ in AsyncOperation { await Task.yield() } })
      let before = Locked<QueueSnapshot?>(nil)
      await queue.addBarrier {
        let snapshot = queue.snapshot
        before.withLock { $0 = snapshot }
      }
      await queue.add((0..<2).map { _ in AsyncOperation {} })
      await queue.waitUntilAllOperationsAreFinished()
      let snapshot = try #require(before.current)
      #expect(snapshot.completedCount == 5 * round - 2)
      #expect(snapshot.executingCount == 0)
    }
  }
}
