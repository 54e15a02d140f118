import Testing
import TestSupport

@testable import StructuredOperations

@Suite("RD Readiness", .hangGuard)
struct ReadinessSemantics {
  @Test("RD-01 An operation is ready when none of its dependencies is unfinished, and not before")
  func rule() async throws {
    let operation = AsyncOperation {}
    #expect(operation.isReady)
    let dependencies = (0..<4).map { number in AsyncOperation { if number == 2 { throw Failure() } } }
    for dependency in dependencies { try await operation.addDependency(dependency) }
    for dependency in dependencies.reversed() {
      #expect(!operation.isReady)
      try await dependency.start()
    }
    #expect(operation.isReady)
  }

  @Test("RD-02 A cancelled operation is ready, whatever it depended on before and depends on afterwards")
  func cancelled() async throws {
    let operation = AsyncOperation {}
    try await operation.addDependencies(AsyncOperation {}, AsyncOperation {})
    #expect(!operation.isReady)
    operation.cancel()
    #expect(operation.isReady)
    try await operation.addDependency(AsyncOperation {})
    #expect(operation.isReady)
    #expect(operation.dependencies.count == 3)
  }

  @Test("RD-03 An executing or finished operation stays ready, also with a new unfinished dependency")
  func begun() async throws {
    let blocker = Blocker()
    async let start: Void = blocker.operation.start()
    await blocker.begun.wait()
    #expect(blocker.operation.isReady)
    try await blocker.operation.addDependency(AsyncOperation {})
    #expect(blocker.operation.isReady)
    blocker.release.open()
    try await start
    try await blocker.operation.addDependency(AsyncOperation {})
    #expect(blocker.operation.isReady)
  }

  @Test("RD-04 A dependency makes a ready operation pending again, in a queue and outside", arguments: [false, true])
  func backToPending(isQueued: Bool) async throws {
    let queue = AsyncOperationQueue(isSuspended: true)
    let operation = AsyncOperation {}
    let (first, second) = (AsyncOperation {}, AsyncOperation {})
    if isQueued { await queue.add(operation) }
    for dependency in [first, second] {
      #expect(operation.isReady)
      try await operation.addDependency(dependency)
      #expect(!operation.isReady)
      try await dependency.start()
    }
    #expect(operation.isReady)
    await queue.resume()
    if !isQueued { try await operation.start() }
    await operation.waitUntilFinished()
  }

  @Test("RD-04 Readiness follows what is added, removed, finishes and is cancelled, one after another")
  func toggling() async throws {
    let operation = AsyncOperation {}
    let (first, second, third, fourth) = (AsyncOperation {}, AsyncOperation {}, AsyncOperation {}, AsyncOperation {})
    let history = operation.history()
    try await operation.addDependency(first)
    try await operation.addDependency(second)
    try await first.start()
    try await second.start()
    try await operation.addDependency(third)
    await operation.removeDependency(third)
    try await operation.addDependency(fourth)
    operation.cancel()
    try await operation.start()
    #expect(
      await history.value.map(short) == [
        "ready", "pending", "ready", "pending", "ready", "pending", "ready*", "finished*",
      ])
  }

  @Test("RD-05 A condition is an operation that another depends on, and never takes the place of dependencies")
  func condition() async throws {
    let isTrue = Locked<OperationCompletion<Void>?>(nil)
    let asked = Gate()
    let condition = AsyncOperation<Void> { completion in
      isTrue.withLock { $0 = completion }
      asked.open()
    }
    let (dependency, operation) = (AsyncOperation {}, AsyncOperation { 1 })
    try await operation.addDependencies(condition, dependency)
    let queue = AsyncOperationQueue()
    await queue.add(operation, condition)
    await asked.wait()
    isTrue.current?.finish()
    await condition.waitUntilFinished()
    #expect(operation.state == .pending)
    await queue.add(dependency)
    #expect(try await operation.value == 1)
  }

  @Test("RD-06 A dependency that finishes while its dependent is added wakes it, 5 000 times")
  func lostWakeup() async throws {
    let (queue, other) = (AsyncOperationQueue(), AsyncOperationQueue(maxConcurrentOperationCount: 1))
    for round in 0..<5_000 {
      let dependency = AsyncOperation {}
      let operation = AsyncOperation {}
      try await operation.addDependency(dependency)
      await queue.add(dependency)
      if round.isMultiple(of: 3) { await Task.yield() }
      await (round.isMultiple(of: 2) ? queue : other).add(operation)
      await operation.waitUntilFinished()
      if round.isMultiple(of: 500) { HangGuard.progress() }
    }
    #expect(queue.operationCount == 0)
  }

  @Test("RD-06 Several tasks add while operations finish, and every one runs")
  func addsUnderLoad() async {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 3)
    let runs = Locked(0)
    await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask {
          for number in 0..<1_000 {
            if number.isMultiple(of: 2) {
              await queue.add { runs.increment() }
            } else {
              let operation = AsyncOperation {
                await Task.yield(); runs.increment()
              }
              await queue.add(operation)
              if number.isMultiple(of: 7) { await operation.waitUntilFinished() }
            }
          }
        }
      }
    }
    await queue.waitUntilAllOperationsAreFinished()
    #expect(runs.current == 4_000)
    #expect(queue.snapshot.completedCount == 4_000)
  }

  @Test("RD-07 A ready operation waits for a slot, for its rank, and for its queue to be resumed")
  func notYetRunning() async {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
    let (blocker, urgent) = (Blocker(), Blocker(queuePriority: .high))
    let operation = AsyncOperation {}
    await queue.add(blocker.operation)
    await blocker.begun.wait()
    await queue.add(operation, urgent.operation)
    #expect(operation.state == .ready, "no slot")
    blocker.release.open()
    await urgent.begun.wait()
    #expect(operation.state == .ready, "no rank")
    await queue.suspend()
    urgent.release.open()
    await urgent.operation.waitUntilFinished()
    #expect(operation.state == .ready, "suspended")
    #expect(queue.snapshot.executingCount == 0)
    await queue.resume()
    await operation.waitUntilFinished()
  }

  @Test("RD-08 A readiness that was there from the beginning is told as the present, not as a change")
  func bornReady() async throws {
    let (free, bound) = (AsyncOperation {}, AsyncOperation {})
    try await bound.addDependency(free)
    let histories = (free.history(), bound.history())
    try await free.start()
    try await bound.start()
    #expect(await histories.0.value.map(short) == ["ready", "executing", "finished"])
    #expect(await histories.1.value.map(short) == ["pending", "ready", "executing", "finished"])
  }
}
