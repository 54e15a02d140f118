import TestSupport
import Testing

@testable import StructuredOperations

// Bodies that wait for everything in a queue.
extension AsyncOperationQueueTests.BarriersOfSeveralQueues {
  @Test(
    "A wait for everything in a queue, of which one waits for what is behind the barrier", arguments: [false, true])
  func everythingInQueue(isLate: Bool) async throws {
    let (queue, other) = (AsyncOperationQueue(), AsyncOperationQueue())
    let (behind, keeping) = (AsyncOperation {}, AsyncOperation {})
    let dependent = AsyncOperation {}
    try await dependent.addDependency(behind)
    // Keeps the queue from being empty.
    let gate = AsyncOperation {}
    try await keeping.addDependency(gate)
    await other.add(keeping)
    if !isLate { await other.add(dependent) }
    let ahead = await queue.add { await other.waitUntilAllOperationsAreFinished() }
    await queue.addBarrier {}
    await queue.add(behind)
    if isLate {
      #expect(await queue.becomesQuiescent(waiting: 1))
      await other.add(dependent)
    }
    try await gate.start()
    for operation in [ahead, behind, dependent, keeping] { await operation.waitUntilFinished() }
  }

  @Test(
    "A body that waits for everything in its queue, where something runs, is on no loop through other queues",
    arguments: 1...2)
  func waitForOwnQueue(count: Int) async throws {
    let (queue, gate) = (AsyncOperationQueue(), Gate())
    let others = (0..<count).map { _ in AsyncOperationQueue() }
    let behind = (0..<count).map { _ in AsyncOperation { 1 } }
    let running = AsyncOperation { await gate.wait() }
    let waiting = AsyncOperation {
      await queue.waitUntilAllOperationsAreFinished()
      return running.isFinished ? 2 : 0
    }
    // Behind the barrier after `waiting`, which does not wait for it.
    let last = AsyncOperation { 3 }
    try await last.addDependency(behind[count - 1])
    await queue.add(running, waiting)
    await queue.addBarrier {}
    await queue.add(last)
    // The first one awaits `waiting`; the next one what is behind the barrier after the first one.
    let awaiting = (0..<count).map { number in
      AsyncOperation {
        number == 0 ? try await waiting.valueOrDeadlock() : try await behind[number - 1].valueOrDeadlock()
      }
    }
    for number in (0..<count).reversed() {
      await others[number].add(awaiting[number])
      await others[number].addBarrier {}
      await others[number].add(behind[number])
      #expect(await others[number].becomesQuiescent(waiting: 1))
    }
    gate.open()
    #expect(try await waiting.value == 2)
    for (number, operation) in awaiting.enumerated() { #expect(try await operation.value == (number == 0 ? 2 : 1)) }
    #expect(try await last.value == 3)
  }

  @Test("The wait of a body for what waits for one that waits for all there goes on", arguments: [false, true])
  func waitForWaiter(isOwnLast: Bool) async throws {
    let (queue, other, go) = (AsyncOperationQueue(), AsyncOperationQueue(), Gate())
    let behind = AsyncOperation { 1 }
    let waiting = AsyncOperation {
      if isOwnLast { await go.wait() }
      await queue.waitUntilAllOperationsAreFinished()
      return 2
    }
    let awaiting = AsyncOperation { try await behind.valueOrDeadlock() }
    let ahead = AsyncOperation {
      if !isOwnLast { await go.wait() }
      return try await waiting.valueOrDeadlock()
    }
    await other.add(ahead)
    await other.addBarrier {}
    await other.add(behind)
    await queue.add(awaiting, waiting)
    let (early, count) = isOwnLast ? (other, 1) : (queue, 2)
    #expect(await early.becomesQuiescent(waiting: count))
    go.open()
    #expect(try await awaiting.value == 1, "its wait is for what ends")
    #expect(try await waiting.value == 2)
    #expect(try await ahead.value == 2)
  }

  enum LastOfAll: CaseIterable { case wait, waitForAll, dependency, operationAdded, barrierAdded }

  @Test(
    "A wait for all in a queue, of which one waits for the body through barriers, ends",
    arguments: LastOfAll.allCases)
  func waitForAllInRing(last: LastOfAll) async throws {
    let queues = (0..<3).map { _ in AsyncOperationQueue() }
    let (gate, go) = (AsyncOperation {}, Gate())
    let behind = [AsyncOperation { 1 }, AsyncOperation { 2 }]
    let waiting = AsyncOperation {
      if last == .waitForAll { await go.wait() }
      await queues[2].waitUntilAllOperationsAreFinished()
    }
    let ahead = AsyncOperation {
      if last == .wait { await go.wait() }
      return try await behind[0].valueOrDeadlock()
    }
    // In the third queue, waits for what is behind the barrier of the second one, where `ahead` waits for what is behind `waiting`.
    let dependent = AsyncOperation {}
    try await dependent.addDependency(last == .dependency ? gate : behind[1])
    let other = AsyncOperation {}
    try await other.addDependency(gate)
    await queues[2].add(other)
    if last != .operationAdded { await queues[2].add(dependent) }
    let isOtherLeft = last == .dependency || last == .operationAdded
    if !isOtherLeft { try await gate.start() }
    await queues[0].add(waiting)
    await queues[0].addBarrier {}
    await queues[0].add(behind[0])
    await queues[1].add(ahead)
    if last != .barrierAdded {
      await queues[1].addBarrier {}
      await queues[1].add(behind[1])
    }
    for (number, queue) in queues.enumerated() {
      let isAwake = (last == .waitForAll && number == 0) || (last == .wait && number == 1)
      if !isAwake { #expect(await queue.becomesQuiescent(waiting: number == 2 ? 0 : 1)) }
    }
    switch last {
    case .wait, .waitForAll: go.open()
    case .dependency: try await dependent.addDependency(behind[1])
    case .operationAdded: await queues[2].add(dependent)
    case .barrierAdded:
      await queues[1].addBarrier {}
      await queues[1].add(behind[1])
    }
    if isOtherLeft { try await gate.start() }
    try await waiting.value
    #expect(try await ahead.value == 1)
    for queue in queues { await queue.waitUntilAllOperationsAreFinished() }
  }

  @Test("A wait for all in a queue goes on where those ahead of a barrier depend on what is behind it")
  func waitForAllWhereSomethingPasses() async throws {
    let queues = (0..<2).map { _ in AsyncOperationQueue() }
    let behind = [AsyncOperation {}, AsyncOperation {}]
    let ahead = [AsyncOperation {}, AsyncOperation {}]
    for number in 0..<2 {
      await queues[number].suspend()
      await queues[number].add(ahead[number])
      await queues[number].addBarrier {}
      await queues[number].add(behind[number])
    }
    try await ahead[0].addDependency(behind[1])
    let waiting = (0..<2).map { number in
      AsyncOperation {
        await queues[number].waitUntilAllOperationsAreFinished()
        return ahead[number].isFinished && behind[number].isFinished
      }
    }
    let elsewhere = AsyncOperationQueue()
    await elsewhere.add(waiting)
    #expect(await elsewhere.becomesQuiescent(waiting: 2))
    try await ahead[1].addDependency(behind[0])
    for queue in queues { await queue.resume() }
    for operation in waiting { #expect(try await operation.value) }
  }

  @Test("It goes on where one ahead of the barrier awaits what is behind it, which ends as a deadlock")
  func waitForAllWhereOneThrows() async throws {
    let (queue, go, end) = (AsyncOperationQueue(), Gate(), Gate())
    let (behind, hasThrown) = (AsyncOperation { 1 }, Locked(false))
    let ahead = AsyncOperation {
      await go.wait()
      let value = try await behind.valueOrDeadlock()
      hasThrown.withLock { $0 = value == -1 }
      await end.wait()
    }
    await queue.add(ahead)
    await queue.addBarrier {}
    await queue.add(behind)
    let waiting = AsyncOperation {
      await queue.waitUntilAllOperationsAreFinished()
      return ahead.isFinished && behind.isFinished
    }
    let elsewhere = AsyncOperationQueue()
    await elsewhere.add(waiting)
    #expect(await elsewhere.becomesQuiescent(waiting: 1))
    go.open()
    #expect(await eventually { hasThrown.current })
    #expect(await elsewhere.becomesQuiescent(waiting: 1), "it still waits")
    end.open()
    #expect(try await waiting.value)
    #expect(try await behind.value == 1)
  }
}
