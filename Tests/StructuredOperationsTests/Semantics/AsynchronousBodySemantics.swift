import Foundation
import Testing
import TestSupport

@testable import StructuredOperations

@Suite("AS Asynchronous bodies", .hangGuard)
struct AsynchronousBodySemantics {
  /// An operation that ends when somebody calls the completion that is held for it.
  private struct Held: Sendable {
    let operation: AsyncOperation<Void>
    let completion = Locked<OperationCompletion<Void>?>(nil)
    let returned = Gate()

    init() {
      let (completion, returned) = (completion, returned)
      operation = AsyncOperation { held in
        completion.withLock { $0 = held }
        returned.open()
      }
    }
  }

  @Test("AS-01 The body of an operation may return long before the operation ends")
  func returnsEarly() async throws {
    let held = Held()
    let queue = AsyncOperationQueue()
    await queue.add(held.operation)
    await held.returned.wait()
    await queue.addAndWait((0..<100).map { _ in AsyncOperation {} })
    #expect(held.operation.isExecuting)
    held.completion.current?.finish()
    await held.operation.waitUntilFinished()
    #expect(held.operation.outcome?.isSuccess == true)
  }

  @Test("AS-02 The finish alone lets go: of the place in the queue, the dependents, the slot")
  func finishLetsGo() async throws {
    let held = Held()
    let (dependent, next) = (AsyncOperation {}, AsyncOperation {})
    try await dependent.addDependency(held.operation)
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
    await queue.add(held.operation, dependent, next)
    await held.returned.wait()
    #expect(queue.operationCount == 3)
    #expect(dependent.state == .pending)
    #expect(next.state == .ready)
    held.completion.current?.finish()
    await queue.waitUntilAllOperationsAreFinished()
    #expect(dependent.isFinished && next.isFinished)
  }

  @Test(
    "AS-03 An operation that does not end holds up its dependents and its slot, and nobody else", arguments: [1, 2])
  func stall(limit: Int) async throws {
    let held = Held()
    let (dependent, free) = (AsyncOperation(queuePriority: .high) {}, AsyncOperation {})
    try await dependent.addDependency(held.operation)
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: limit)
    await queue.add(held.operation, dependent, free)
    await held.returned.wait()
    if limit == 2 { await free.waitUntilFinished() }
    #expect(free.isFinished == (limit == 2))
    #expect(dependent.state == .pending)
    #expect(queue.snapshot.executingCount == 1)
    held.completion.current?.finish()
    await queue.waitUntilAllOperationsAreFinished()
  }

  @Test("AS-04 An operation that finishes while its body still runs ends when that returns", arguments: [false, true])
  func finishesInside(isQueued: Bool) async throws {
    let (called, release) = (Gate(), Gate())
    let operation = AsyncOperation<Int>(executor: OperationThreadPool.shared) { completion in
      completion.finish(returning: 1)
      called.open()
      release.waitBlocking()
    }
    let task = Task {
      if isQueued { await AsyncOperationQueue().addAndWait([operation]) } else { try await operation.start() }
    }
    await called.wait()
    #expect(operation.isExecuting)
    release.open()
    try await task.value
    #expect(try await operation.value == 1)
  }

  @Test("AS-05 Work in a task of its own outlives the body that began it")
  func outlives() async throws {
    let (release, ended) = (Gate(), Gate())
    let operation = AsyncOperation {
      Task {
        await release.wait()
        ended.open()
      }
    }
    let queue = AsyncOperationQueue()
    await queue.addAndWait([operation])
    #expect(operation.isFinished)
    #expect(!ended.isOpen)
    release.open()
    await ended.wait()
  }

  @Test("AS-06 The first call wins, later ones are ignored")
  func firstWins() async throws {
    let operation = AsyncOperation<Int> { completion in
      completion.finish(returning: 1)
      completion.finish(returning: 2)
      completion.finish(throwing: Failure())
    }
    try await operation.start()
    #expect(try await operation.value == 1)
  }

  @Test("AS-07 64 bodies that block for each other all run at a time")
  func blockingBodies() async {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 64)
    let rendezvous = Rendezvous(of: 64)
    for _ in 0..<64 { await queue.add { rendezvous.arriveBlocking() } }
    await queue.waitUntilAllOperationsAreFinished()
  }

  @Test("AS-07 Asynchronous work goes on while bodies block")
  func asynchronousWork() async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 32)
    let release = Gate()
    let blocked = (0..<32).map { _ in AsyncOperation { release.waitBlocking() } }
    await queue.add(blocked)
    for operation in blocked { await operation.reaches(.executing) }

    let other = AsyncOperationQueue()
    let values = (0..<100).map { number in
      AsyncOperation {
        await Task.yield()
        return number
      }
    }
    await other.add(values)
    for (number, operation) in values.enumerated() { #expect(try await operation.value == number) }
    #expect(queue.operationCount == 32)
    release.open()
    await queue.waitUntilAllOperationsAreFinished()
  }

  @Test("AS-08 A slot is held from the start of a body to the finish of its operation, also while it is suspended")
  func slot() async {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 2)
    let blockers = (0..<6).map { _ in Blocker() }
    await queue.add(blockers.map(\.operation))
    for (number, blocker) in blockers.enumerated() {
      await blocker.begun.wait()
      if number + 1 < blockers.count { await blockers[number + 1].begun.wait() }
      #expect(queue.snapshot.executingCount == min(2, 6 - number))
      #expect(blockers.dropFirst(number + 2).allSatisfy { $0.operation.state == .ready })
      blocker.release.open()
      await blocker.operation.waitUntilFinished()
    }
  }

  @Test("AS-09 Finished is told once, as the last change, however often the body says so")
  func toldOnce() async throws {
    let operation = AsyncOperation<Void> { completion in
      for _ in 0..<10 { completion.finish() }
    }
    let history = operation.history()
    try await operation.start()
    #expect(await history.value.map(short) == ["ready", "executing", "finished"])
  }
}
