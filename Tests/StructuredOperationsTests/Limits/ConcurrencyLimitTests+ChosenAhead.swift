import Foundation
import TestSupport
import Testing

@testable import StructuredOperations

// Operations that are chosen ahead.
extension ConcurrencyLimitTests {
  @Test(
    "Chosen ahead or in line, operations of several queues never have more than the limit, and nobody is forgotten",
    arguments: [false, true])
  func chosenAhead(isObserved: Bool) async {
    for width in 1...3 {
      let (limit, recorder, runs) = (ConcurrencyLimit(2), Recorder<Int>(), Locked(0))
      await withDiscardingTaskGroup { group in
        for number in 0..<3 {
          group.addTask {
            let queue = AsyncOperationQueue(
              maxConcurrentOperationCount: width, observer: isObserved ? EventRecorder() : nil)
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

  @Test(
    "What an operation gives back its own queue takes, ahead of what was added later to another one",
    arguments: [false, true])
  func takenAgain(hasDependent: Bool) async throws {
    let (limit, recorder) = (ConcurrencyLimit(1), Recorder<Int>())
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
    let (started, gate) = (Gate(), Gate())
    let first = await queue.add(limits: [limit]) {
      started.open()
      await gate.wait()
    }
    let dependent = AsyncOperation {}
    if hasDependent { try await dependent.addDependency(first) }
    await started.wait()
    await queue.add(limits: [limit]) { () async in recorder.begin(1) }
    // A turn, which chooses that ahead.
    try await queue.setMaxConcurrentOperationCount(1)
    let other = PromptOwner { recorder.begin(2) }
    other.stand(inLineFor: limit)
    gate.open()
    await queue.waitUntilAllOperationsAreFinished()
    #expect(await eventually { recorder.begun.count == 2 })
    #expect(recorder.begun == [1, 2])
  }

  @Test(
    "A finished operation has none of its limits any more, whether or not it is observed", arguments: [false, true])
  func nothingHeldAfterTheEnd(isObserved: Bool) async throws {
    let queue = AsyncOperationQueue(
      maxConcurrentOperationCount: 1, isSuspended: true, observer: isObserved ? EventRecorder() : nil)
    let operations = (0..<3).map { _ in AsyncOperation { () async in } }
    let limit = ConcurrencyLimit(1)
    for operation in operations.prefix(2) { operation.storage.setLimits([limit]) }
    await queue.add(operations)
    await queue.resume()
    await queue.waitUntilAllOperationsAreFinished()
    #expect(operations.allSatisfy { $0.storage.read { $0.heldLimits == nil } } && limit.available == 1)
  }

  @Test("Whoever sees that everyone has been told of an end finds the limits given back", arguments: [false, true])
  func givenBackWithTheEnd(haveDependents: Bool) async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1, isSuspended: true)
    let limits = (0..<5_000).map { _ in ConcurrencyLimit(1) }
    let operations = limits.map { limit in
      let operation = AsyncOperation { () async in }
      operation.storage.setLimits([limit])
      return operation
    }
    let dependents = haveDependents ? operations.map { _ in AsyncOperation {} } : []
    for (dependent, operation) in zip(dependents, operations) { try await dependent.addDependency(operation) }
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

  @Test(
    "A reader of a queue's states who sees an operation gone finds its limits given back",
    arguments: [false, true])
  func givenBackBeforeReadersResume(isObserved: Bool) async throws {
    let (limit, started, gate) = (ConcurrencyLimit(1), Gate(), Gate())
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1, observer: isObserved ? EventRecorder() : nil)
    await queue.add(limits: [limit]) {
      started.open()
      await gate.wait()
    }
    await started.wait()
    await queue.add { () async in }
    // A turn, which chooses that ahead.
    await queue.process()
    let states = queue.states
    // It goes on where the child task resumes it, and waits here when this task goes on.
    let reader = Task(executorPreference: InlineExecutor()) {
      for await snapshot in states where snapshot.operationCount == 1 { return limit.available }
      return 0
    }
    gate.open()
    #expect(await reader.value == 1)
    await queue.waitUntilAllOperationsAreFinished()
  }
}

/// Takes a limit once, in the moment in which it is told that it can.
private final class PromptOwner: LimitOwner {
  private let onTaken: @Sendable () -> Void

  init(onTaken: @escaping @Sendable () -> Void) { self.onTaken = onTaken }

  func stand(inLineFor limit: ConcurrencyLimit) {
    let rank = LimitTable.Rank(priority: QueuePriority.normal.rawValue, order: LimitTable.nextOrder())
    _ = LimitTable.stand([LimitNeed(limit: limit, cost: 1)], as: rank, of: self)
  }

  func concurrencyLimitsChanged() {
    guard let (next, _) = LimitTable.nextDemand(of: self, opening: .all) else { return }
    let (isTaken, notices) = LimitTable.take(next, of: self)
    notices.tell()
    guard isTaken else { return }
    onTaken()
    LimitTable.remove(next, by: self).tell()
  }
}
