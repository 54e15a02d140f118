import Foundation
import TestSupport
import Testing

@testable import StructuredOperations

// Operations that are chosen ahead.
extension ConcurrencyLimitTests {
  @Test("Chosen ahead or in line, operations of several queues never have more than the limit, and nobody is forgotten")
  func chosenAhead() async {
    for width in 1...3 {
      let (limit, recorder, runs) = (ConcurrencyLimit(2), Recorder<Int>(), Locked(0))
      await withDiscardingTaskGroup { group in
        for number in 0..<3 {
          group.addTask {
            let queue = AsyncOperationQueue(maxConcurrentOperationCount: width)
            for index in 0..<200 {
              let limits = index % 3 == 0 ? [] : [limit]
              await queue.add(limits: limits) { () async in
                if !limits.isEmpty { recorder.begin(number * 200 + index) }
                if index % 7 == 0 { await Task.yield() }
                if !limits.isEmpty { recorder.end(number * 200 + index) }
                runs.increment()
              }
            }
            await queue.waitUntilAllOperationsAreFinished()
          }
        }
      }
      #expect(runs.current == 600 && recorder.peak <= 2 && limit.available == 2)
    }
  }

  @Test("What an operation gives back its own queue takes, ahead of what was added later to another one")
  func takenAgain() async throws {
    let (limit, recorder) = (ConcurrencyLimit(1), Recorder<Int>())
    let (queue, other) = (AsyncOperationQueue(maxConcurrentOperationCount: 1), AsyncOperationQueue())
    let (started, gate) = (Gate(), Gate())
    await queue.add(limits: [limit]) {
      started.open()
      await gate.wait()
    }
    await started.wait()
    await queue.add(limits: [limit]) { () async in recorder.begin(1) }
    // A turn, which chooses that ahead.
    try await queue.setMaxConcurrentOperationCount(1)
    await other.add(limits: [limit]) { () async in recorder.begin(2) }
    // A turn of the other queue that comes late could take the limit when that is given back, as could any queue's.
    #expect(await eventually { other.shared.pendingEvents.isEmpty })
    _ = await other.operations
    gate.open()
    await queue.waitUntilAllOperationsAreFinished()
    await other.waitUntilAllOperationsAreFinished()
    #expect(recorder.begun == [1, 2])
  }

  @Test("Whoever sees that everyone has been told of an end finds the limits given back")
  func givenBackWithTheEnd() async {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1, isSuspended: true)
    let limits = (0..<5_000).map { _ in ConcurrencyLimit(1) }
    let operations = limits.map { limit in
      let operation = AsyncOperation { () async in }
      operation.storage.addLimits([limit])
      return operation
    }
    await queue.add(operations)
    await queue.resume()
    let (early, done) = (Locked(0), Gate())
    Thread.detachNewThread {
      for (operation, limit) in zip(operations, limits) {
        while !operation.storage.isEveryoneTold {}
        if limit.available == 0 { early.increment() }
      }
      done.open()
    }
    await done.wait()
    #expect(early.current == 0)
    await queue.waitUntilAllOperationsAreFinished()
  }
}
