import Testing
import TestSupport

@testable import StructuredOperations

// Some of these need a process of their own: a queue that is at rest looks once more whenever anybody's body waits.
extension RegressionTests {
  @Test("A wait ahead of a barrier is found when what it waits for is added behind it later")
  func addedBehindBarrierLater() async throws {
    await #expect(processExitsWith: .success) {
      HangGuard.watch("addedBehindBarrierLater")
      let queue = AsyncOperationQueue()
      let behind = AsyncOperation { 42 }
      let waiting = AsyncOperation { try await behind.valueOrDeadlock() }
      await queue.add(waiting)
      await queue.addBarrier {}
      #expect(await queue.becomesQuiescent(waiting: 1))

      await queue.add(behind)

      let values = (try await waiting.value, try await behind.value)
      #expect(values == (-1, 42))
    }
  }

  @Test("A queue that is at rest is told of a dependency of one ahead of its barrier, though nobody waits for that one")
  func dependencyAtFront() async throws {
    await #expect(processExitsWith: .success) {
      HangGuard.watch("dependencyAtFront")
      let queue = AsyncOperationQueue()
      let (gate, early, late) = (AsyncOperation {}, AsyncOperation {}, AsyncOperation {})
      try await early.addDependency(gate)
      await queue.add(early)
      await queue.addBarrier {}
      await queue.add(late)
      #expect(await queue.becomesQuiescent())

      try await early.addDependency(late)

      await late.waitUntilFinished()
      #expect(!early.isFinished)
      try await gate.start()
      await early.waitUntilFinished()
    }
  }

  @Test("A queue at rest lets pass what is added behind its barrier and needed at its front")
  func neededAndAddedLater() async throws {
    await #expect(processExitsWith: .success) {
      HangGuard.watch("neededAndAddedLater")
      let queue = AsyncOperationQueue()
      let (early, late) = (AsyncOperation {}, AsyncOperation {})
      try await early.addDependency(late)
      await queue.add(early)
      await queue.addBarrier {}
      #expect(await queue.becomesQuiescent())

      await queue.add(late)

      await early.waitUntilFinished()
    }
  }

  @Test("While nothing can begin, a wait for what will pass the barrier is patient", arguments: [false, true])
  func heldUpPassing(isSuspended: Bool) async throws {
    let (queue, begun, go) = (AsyncOperationQueue(), Gate(), Gate())
    let late = AsyncOperation { 42 }
    let early = AsyncOperation {}
    try await early.addDependency(late)
    let waiting = AsyncOperation {
      begun.open()
      await go.wait()
      return try await late.valueOrDeadlock()
    }
    await queue.add(waiting, early)
    await begun.wait()
    if isSuspended { await queue.suspend() } else { try await queue.setMaxConcurrentOperationCount(0) }
    await queue.addBarrier {}
    await queue.add(late)
    go.open()
    #expect(await queue.becomesQuiescent(waiting: 1))
    #expect(late.state == .ready)

    if isSuspended { await queue.resume() } else { try await queue.setMaxConcurrentOperationCount(1) }

    #expect(try await waiting.value == 42)
  }

  @Test("While nothing can begin, a wait for all outlasts what will pass the barrier", arguments: [false, true])
  func heldUpWaitForAll(isSuspended: Bool) async throws {
    let (queue, begun, go) = (AsyncOperationQueue(), Gate(), Gate())
    let (early, late) = (AsyncOperation {}, AsyncOperation {})
    try await early.addDependency(late)
    let waiting = AsyncOperation {
      begun.open()
      await go.wait()
      await queue.waitUntilAllOperationsAreFinished()
      return early.isFinished
    }
    await queue.add(waiting, early)
    await begun.wait()
    if isSuspended { await queue.suspend() } else { try await queue.setMaxConcurrentOperationCount(0) }
    await queue.addBarrier {}
    await queue.add(late)
    go.open()
    #expect(await queue.becomesQuiescent(waiting: 1))

    if isSuspended { await queue.resume() } else { try await queue.setMaxConcurrentOperationCount(1) }

    #expect(try await waiting.value)
  }

  @Test("A wait that was found never to end is no step of a loop any more")
  func formerWait() async throws {
    let (front, other, third) = (AsyncOperationQueue(), AsyncOperationQueue(), AsyncOperationQueue())
    let (askNow, release) = (Gate(), Gate())
    let former = Locked<AsyncOperation<Int>?>(nil)
    let last = AsyncOperation {
      await release.wait()
      return 7
    }
    let asking = AsyncOperation {
      await askNow.wait()
      return try await former.current?.valueOrDeadlock()
    }
    let behind = AsyncOperation { 1 }
    try await behind.addDependency(asking)
    let waiting = AsyncOperation { try await behind.valueOrDeadlock() * last.value }
    former.withLock { $0 = waiting }
    await third.add(asking, last)
    await front.add { try await waiting.value }
    #expect(await front.becomesQuiescent(waiting: 1))
    await front.addBarrier {}
    await front.add(behind)
    await other.add(waiting)
    // The first of its waits is over when it waits for the second.
    #expect(await eventually { waiting.storage.read { $0.wait }.map { $0.awaits(last) } == true })

    askNow.open()
    #expect(await third.hasWaitingBodies(1))
    release.open()

    #expect(try await waiting.value == -7)
    #expect(try await asking.value == -7)
  }

  @Test(
    "A wait goes on whose subject has ended just before it began, in a queue and without", arguments: [false, true])
  func endBeforeWaitBegins(isInQueue: Bool) async throws {
    let awaited = AsyncOperation {}
    try await awaited.start()
    let waiting = AsyncOperation {
      let context = try #require(ExecutionContext.ofOwnTask)
      guard case .begun(let wait) = await BodyWait.begin(BodyWait(of: context, for: .operations([awaited]))) else {
        return false
      }
      _ = await wait.untilResumed()
      return true
    }

    if isInQueue { await AsyncOperationQueue().add(waiting) } else { try await waiting.start() }

    #expect(try await waiting.value)
  }

  @Test("A wait for what was cancelled behind a barrier is patient: that waits for no barrier")
  func cancelledBehindBarrier() async throws {
    let (queue, begun, go) = (AsyncOperationQueue(), Gate(), Gate())
    let late = AsyncOperation { 42 }
    let waiting = AsyncOperation {
      begun.open()
      await go.wait()
      do {
        return try await late.valueOrDeadlock()
      } catch is CancellationError {
        return 0
      }
    }
    await queue.add(waiting)
    await begun.wait()
    await queue.addBarrier {}
    await queue.add(late)
    await queue.suspend()
    late.cancel()
    go.open()
    #expect(await queue.becomesQuiescent(waiting: 1))

    await queue.resume()

    #expect(try await waiting.value == 0)
  }

  @Test("A scope whose operations depend on what is behind the barrier of the body that opened it is given up")
  func scopeAheadOfBarrier() async throws {
    let (queue, begun, go) = (AsyncOperationQueue(), Gate(), Gate())
    let behind = AsyncOperation { 42 }
    let opening = AsyncOperation {
      begun.open()
      await go.wait()
      do {
        try await withOperationQueue { inner in
          let dependent = AsyncOperation {}
          try await dependent.addDependency(behind)
          await inner.add(dependent)
        }
        return 0
      } catch OperationError.waitWouldDeadlock {
        return -1
      }
    }
    await queue.add(opening)
    await begun.wait()
    await queue.addBarrier {}
    await queue.add(behind)

    go.open()

    let values = (try await opening.value, try await behind.value)
    #expect(values == (-1, 42))
  }

  @Test(
    "A scope that can never end is cancelled, though another body waits for everything in it",
    arguments: [false, true])
  func scopeAwaitedByAnother(isWithin: Bool) async throws {
    let queue = AsyncOperationQueue()
    let opening = AsyncOperation {
      let dependent = AsyncOperation {}
      do {
        try await withOperationQueue { inner in
          let waiting = AsyncOperation { () async in await inner.waitUntilAllOperationsAreFinished() }
          try await dependent.addDependency(try #require(ExecutionContext.ofOwnTask).operation)
          await inner.add(dependent)
          let other = isWithin ? inner : queue
          await other.add(waiting)
          #expect(await other.hasWaitingBodies(1))
        }
        return 0
      } catch OperationError.waitWouldDeadlock {
        return -1
      }
    }
    await queue.add(opening)

    #expect(try await opening.value == -1)
    await queue.waitUntilAllOperationsAreFinished()
  }

  @Test("A wait in a scope is found when what it waits for is added behind the barrier of who opened the scope")
  func addedBehindBarrierOfScope() async throws {
    let queue = AsyncOperationQueue()
    let behind = AsyncOperation { 42 }
    let opening = AsyncOperation {
      let inner = try await withOperationQueue { inner in
        await inner.add { try await behind.valueOrDeadlock() }
      }
      return try await inner.value
    }
    await queue.add(opening)
    await queue.addBarrier {}
    #expect(await queue.becomesQuiescent(waiting: 1))

    await queue.add(behind)

    let values = (try await opening.value, try await behind.value)
    #expect(values == (-1, 42))
  }

  @Test("A wait for everything that another queue has ended does not count as one any more")
  func waitForAllEndedElsewhere() async throws {
    let (front, other) = (AsyncOperationQueue(), AsyncOperationQueue())
    let (waitNow, hasWaited, release) = (Gate(), Gate(), Gate())
    let behind = AsyncOperation {}
    let (dependent, left) = (AsyncOperation {}, AsyncOperation {})
    try await dependent.addDependency(behind)
    let ahead = AsyncOperation {
      await waitNow.wait()
      await other.waitUntilAllOperationsAreFinished()
      hasWaited.open()
      await release.wait()
    }
    try await left.addDependency(ahead)
    await front.add(ahead)
    await front.addBarrier {}
    await front.add(behind)
    await other.add(dependent, left)
    waitNow.open()
    await hasWaited.wait()

    let patient = await AsyncOperationQueue().add {
      await other.waitUntilAllOperationsAreFinished()
      return left.isFinished
    }
    #expect(await eventually { await other.state.wholeQueueWaits.contains { $0.operation === patient } })
    dependent.cancel()
    await dependent.waitUntilFinished()
    #expect(await other.becomesQuiescent())
    release.open()

    #expect(try await patient.value)
  }
}

extension BodyWait {
  /// Whether it is a wait for an operation.
  fileprivate func awaits(_ operation: any OperationProtocol) -> Bool {
    guard case .operations(let operations) = subject else { return false }
    return operations.contains { $0 === operation }
  }
}
