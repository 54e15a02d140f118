import TestSupport
import Testing

@testable import StructuredOperations

@Suite("BodyWait", .timeLimit(.minutes(15)), .hangGuard)
struct BodyWaitTests {
  private let queue = FakeQueue()
  private let operation = AsyncOperation {}
  private let awaited = [AsyncOperation {}, AsyncOperation {}]

  private func makeWait(isInQueue: Bool = true) throws -> BodyWait {
    try operation.begin(in: queue).wait(for: .operations(awaited), in: isInQueue ? queue : nil)
  }

  @Test("A wait ends with the last operation that is waited for, and whoever ended it learns that")
  func last() throws {
    let wait = try makeWait()
    #expect(!wait.finishedOne() && !wait.isOver)
    #expect(wait.finishedOne() && wait.isOver)
    #expect(!wait.end(.done))
    operation.finish()
  }

  @Test("A cancelled wait leaves the operations, and its body asks for its slot")
  func cancelled() throws {
    let wait = try makeWait()
    operation.storage.apply { $0.waitBegan(wait) }
    for operation in awaited { #expect(operation.storage.apply { $0.addWaitingBody(wait) }) }

    wait.cancel()

    #expect(wait.isOver)
    #expect(queue.messages == [.slotRequested])
    #expect(awaited.allSatisfy { $0.storage.read { $0.waitingBodies.isEmpty } })
    wait.cancel()
    #expect(queue.messages == [.slotRequested])
    operation.finish()
  }

  @Test("A wait for what is published as finished is not cancelled, since its end comes at once")
  func cancelledLate() throws {
    let wait = try makeWait()
    for operation in awaited {
      operation.cancel()
      operation.storage.apply { _ = $0.start() }
      _ = operation.storage.publishFinish()
    }
    wait.cancel()
    #expect(!wait.isOver)
    for operation in awaited { operation.storage.tellWaiters() }
    operation.finish()
  }

  @Test("However many tasks end a wait, it ends once")
  func once() async throws {
    let context = try operation.begin(in: queue)
    for _ in 0..<300 {
      let wait = context.wait(for: .operations(awaited), in: queue)
      let count = await withTaskGroup { group in
        group.addTask { wait.end(.deadlock([])) }
        group.addTask { wait.end(.done) }
        for _ in awaited { group.addTask { wait.finishedOne() } }
        return await group.reduce(0) { $1 ? $0 + 1 : $0 }
      }
      #expect(count == 1)
    }
    operation.finish()
  }

  @Test("A wait that ends is no longer the wait of its operation")
  func ended() throws {
    let wait = try makeWait()
    operation.storage.apply { $0.waitBegan(wait) }
    #expect(operation.storage.read { $0.wait } === wait)
    #expect(wait.end(.done))
    #expect(operation.storage.read { $0.wait } == nil)
    operation.finish()
  }

  @Test("In a queue the body resumes only once it has its slot")
  func slot() async throws {
    let wait = try makeWait()
    let hasResumed = Locked(false)
    let body = Task {
      let end = await wait.untilResumed()
      hasResumed.withLock { $0 = true }
      return end
    }
    #expect(wait.end(.done))

    wait.resumeWithSlot()

    #expect(queue.messages == [.slotRequested])
    for _ in 0..<50 { await Task.yield() }
    #expect(!hasResumed.current)
    wait.resume()
    guard case .done = await body.value else { throw Unexpected("a loop") }
    operation.finish()
  }

  @Test("Without a queue the body resumes at once")
  func noQueue() async throws {
    let wait = try makeWait(isInQueue: false)
    #expect(wait.end(.done))
    wait.resumeWithSlot()
    guard case .done = await wait.untilResumed() else { throw Unexpected("a loop") }
    #expect(queue.messages == [])
    operation.finish()
  }

  @Test("A body that comes to sleep after it was resumed does not sleep, and is told of a loop")
  func loop() async throws {
    let wait = try makeWait()
    #expect(wait.end(.deadlock([operation])))
    #expect(!wait.finishedOne() && !wait.finishedOne())
    wait.resume()
    guard case .deadlock(let loop) = await wait.untilResumed() else { throw Unexpected("no loop") }
    #expect(loop.count == 1 && loop.first === operation)
    operation.finish()
  }

  @Test("Threads that resume a body and the body that comes to sleep meet without loss")
  func race() async throws {
    let context = try operation.begin(in: queue)
    for _ in 0..<500 {
      let wait = context.wait(for: .operations(awaited), in: queue)
      async let end = wait.untilResumed()
      async let resumed: Void = { if wait.end(.done) { wait.resume() } }()
      guard case .done = await end else { throw Unexpected("a loop") }
      await resumed
    }
    operation.finish()
  }

  @Test("An unregistered wait is not told of the ends of what it was for")
  func unregister() throws {
    let wait = try makeWait()
    #expect(DependencyGraph.begin(wait) == nil)
    #expect(awaited.allSatisfy { $0.storage.read { $0.waitingBodies.count == 1 } })
    #expect(wait.end(.done))
    wait.unregister()
    #expect(awaited.allSatisfy { $0.storage.read { $0.waitingBodies.isEmpty } })
    operation.finish()
  }

  @Test("The wait for what the body itself runs can be ended until that has begun, any other one always")
  func canBeEnded() throws {
    let context = try operation.begin(in: queue)
    let call = AsyncOperation {}
    let waits = [false, true].map { context.wait(for: .operations([call]), runsAwaited: $0, in: queue) }
    #expect(waits.map(\.canBeEnded) == [true, true])
    _ = try call.begin(in: queue)
    #expect(waits.map(\.canBeEnded) == [true, false])
    call.finish()
    #expect(waits.map(\.canBeEnded) == [true, true])
    operation.finish()
  }

  @Test("A wait that ends as a deadlock withdraws what the body itself has called, and not what somebody else has")
  func callInVain() throws {
    let context = try operation.begin(in: queue)
    for runsAwaited in [false, true] {
      let call = AsyncOperation<Void>(
        .caller, isAsynchronous: true, name: nil, queuePriority: .normal, taskPriority: 0, executor: nil,
        madeAt: CreationSite(file: #fileID, line: #line))
      call.enqueue(in: queue)
      let wait = context.wait(for: .operations([call]), runsAwaited: runsAwaited, in: queue)
      #expect(wait.end(.deadlock([])))
      wait.resumeFromDeadlock()
      #expect(queue.messages.contains(.callWithdrawn) == runsAwaited)
      call.finish()
    }
    operation.finish()
  }

  @Test("The end of a scope is found out of reach once, which does not end the wait for it")
  func abandon() throws {
    let wait = try operation.begin(in: queue).wait(for: .scope(of: queue), in: queue)
    #expect(!wait.isAbandoned)
    #expect(wait.abandon())
    #expect(!wait.abandon() && wait.isAbandoned && !wait.isOver)
    #expect(wait.finishedOne(), "one queue is waited for")
    operation.finish()
  }
}
