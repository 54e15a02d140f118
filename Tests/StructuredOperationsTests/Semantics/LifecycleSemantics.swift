import Foundation
import Testing
import TestSupport

@testable import StructuredOperations

@Suite("LC Lifecycle and state", .hangGuard)
struct LifecycleSemantics {
  @Test("LC-01 A new operation is ready, and nothing else")
  func defaults() async {
    let operation = AsyncOperation {}
    #expect(operation.snapshot == OperationSnapshot(state: .ready, isCancelled: false))
    #expect(operation.isReady && !operation.isExecuting && !operation.isFinished && !operation.isCancelled)
    #expect(!operation.isAsynchronous)
    #expect(operation.name == nil)
    #expect(operation.queuePriority == .normal)
    #expect(operation.dependencies.isEmpty)
    #expect(operation.outcome == nil)
  }

  @Test("LC-02 What has run once is never run again, whoever tries")
  func once() async throws {
    let runs = Locked(0)
    let operation = AsyncOperation { runs.increment() }
    let queue = AsyncOperationQueue()
    await queue.addAndWait([operation])
    await queue.add(operation)
    _ = try? await queue.enqueue(operation)
    try await operation.start()
    await queue.addAndWait([operation])
    #expect(runs.current == 1)
    #expect(queue.snapshot.totalCount == 1)
  }

  @Test("LC-03 A life goes through four states, and the flag beside them may be set in any of the last three")
  func states() async throws {
    func life(cancelledWhen moment: OperationState?) async throws -> [String] {
      let (dependency, blocker) = (AsyncOperation {}, Blocker())
      let operation = blocker.operation
      try await operation.addDependency(dependency)
      let history = operation.history()
      try await dependency.start()
      if moment == .ready { operation.cancel() }
      async let start: Void = operation.start()
      if moment != .ready { await blocker.begun.wait() }
      if moment == .executing { operation.cancel() }
      blocker.release.open()
      try await start
      if moment == .finished { operation.cancel() }
      return await history.value.map(short)
    }
    #expect(try await life(cancelledWhen: nil) == ["pending", "ready", "executing", "finished"])
    #expect(try await life(cancelledWhen: .ready) == ["pending", "ready", "ready*", "finished*"])
    #expect(
      try await life(cancelledWhen: .executing) == ["pending", "ready", "executing", "executing*", "finished*"])
    #expect(try await life(cancelledWhen: .finished) == ["pending", "ready", "executing", "finished"])
  }

  @Test("LC-04 A wait that begins when the finish has just been told finds nothing left to do")
  func lateWait() async {
    let queue = AsyncOperationQueue()
    for round in 1...2_000 {
      let operation = AsyncOperation {}
      let states = operation.states
      await queue.add(operation)
      for await _ in states {}
      await operation.waitUntilFinished()
      #expect(queue.operationCount == 0)
      #expect(queue.snapshot.completedCount == round)
    }
  }

  @Test("LC-04 The same goes for operations that leave unrun")
  func departureOrder() async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
    let blocker = Blocker()
    await queue.add(blocker.operation)
    for _ in 0..<200 {
      let operation = AsyncOperation {}
      let dependent = AsyncOperation {}
      try await dependent.addDependency(operation)
      await queue.add(operation)
      operation.cancel()
      await operation.waitUntilFinished()
      #expect(dependent.isReady)
      #expect(queue.operationCount == 1)
    }
    blocker.release.open()
  }

  @Test("LC-05 An operation executes while its body runs, no longer and no shorter, cancelled or not")
  func executing() async {
    let blocker = Blocker()
    let inBody = Locked(false)
    let operation = AsyncOperation {
      inBody.withLock { $0 = AsyncOperation.current?.isExecuting == true }
    }
    #expect(!blocker.operation.isExecuting)
    let queue = AsyncOperationQueue()
    await queue.add(blocker.operation, operation)
    await blocker.begun.wait()
    #expect(blocker.operation.isExecuting)
    blocker.operation.cancel()
    #expect(blocker.operation.snapshot == OperationSnapshot(state: .executing, isCancelled: true))
    blocker.release.open()
    await queue.waitUntilAllOperationsAreFinished()
    #expect(!blocker.operation.isExecuting)
    #expect(inBody.current)
    #expect(!operation.isExecuting)
  }

  @Test("LC-06 The outcome tells a value, an error and a cancellation apart")
  func outcomes() async throws {
    let success = AsyncOperation { 1 }
    let failure = AsyncOperation { throw Failure(code: 2) }
    let cancelled = AsyncOperation { 3 }
    cancelled.cancel()
    await AsyncOperationQueue().addAndWait([success, failure, cancelled])
    #expect(try await success.value == 1)
    #expect(failure.outcome?.error as? Failure == Failure(code: 2))
    #expect(cancelled.outcome?.isCancelled == true)
    await #expect(throws: Failure(code: 2)) { try await failure.value }
    await #expect(throws: CancellationError.self) { try await cancelled.value }
  }

  @Test("LC-07 Everything that needs no await may be called from any thread at any time")
  func anyThread() async {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 4)
    let runs = Locked(0)
    let operations = (0..<200).map { _ in AsyncOperation { runs.increment() } }
    let threads = (0..<4).map { number in
      let ended = Gate()
      let thread = Thread {
        for (index, operation) in operations.enumerated() {
          queue.add(operation)
          _ = (operation.snapshot, operation.outcome == nil, operation.queuePriority, operation.isAsynchronous)
          if index.isMultiple(of: 3), number == index % 4 { operation.cancel() }
          _ = operation.states
        }
        ended.open()
      }
      thread.start()
      return ended
    }
    for ended in threads { await ended.wait() }
    await queue.waitUntilAllOperationsAreFinished()
    #expect(operations.allSatisfy { $0.isFinished })
    #expect(operations.filter { $0.outcome?.isSuccess == true }.count == runs.current)
    #expect(queue.snapshot.completedCount == 200)
  }

  @Test("LC-08 A synchronous body that is started by hand has run to its end when start() returns")
  func manualStart() async throws {
    let ran = Locked(false)
    let operation = AsyncOperation { ran.withLock { $0 = PoolThread.current != nil } }
    try await operation.start()
    #expect(operation.isFinished)
    #expect(ran.current, "on a thread that may block")
  }

  @Test("LC-09 A queue starts bodies of every kind itself, never on the thread that adds them")
  func thread() async {
    let threads = Locked<Set<ObjectIdentifier>>([])
    let adder = Locked<ObjectIdentifier?>(nil)
    @Sendable func note() { threads.withLock { _ = $0.insert(ObjectIdentifier(Thread.current)) } }
    let operations: [any OperationProtocol] = [
      AsyncOperation { note() },
      AsyncOperation {
        note()
        await Task.yield()
      },
      AsyncOperation<Void> { completion in
        note()
        completion.finish()
      },
      AsyncOperation(ExecutionBlocks { note() }),
    ]
    let (added, release, ended) = (Gate(), Gate(), Gate())
    let queue = AsyncOperationQueue()
    let thread = Thread {
      adder.withLock { $0 = ObjectIdentifier(Thread.current) }
      for operation in operations { queue.add(operation) }
      added.open()
      // It stays, so that no other thread can be taken for it.
      release.waitBlocking()
      ended.open()
    }
    thread.start()
    await added.wait()
    await queue.waitUntilAllOperationsAreFinished()
    release.open()
    await ended.wait()
    #expect(!threads.current.isEmpty)
    #expect(adder.current.map { threads.current.contains($0) } == false)
  }

  @Test("LC-10 An empty body finishes", arguments: [false, true])
  func emptyBody(isQueued: Bool) async throws {
    let operation = AsyncOperation {}
    if isQueued { await AsyncOperationQueue().addAndWait([operation]) } else { try await operation.start() }
    #expect(operation.outcome?.isSuccess == true)
  }

  @Test(
    "LC-11 An error that leaves a body finishes the operation, started by hand or by a queue", arguments: [false, true])
  func error(isQueued: Bool) async throws {
    let operations: [any OperationProtocol] = [
      AsyncOperation { throw Failure() },
      AsyncOperation {
        await Task.yield()
        throw Failure()
      },
      AsyncOperation<Void> { $0.finish(throwing: Failure()) },
      AsyncOperation(ExecutionBlocks { throw Failure() }),
    ]
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
    for operation in operations {
      if isQueued { await queue.addAndWait([operation]) } else { try await operation.start() }
      #expect(operation.snapshot == OperationSnapshot(state: .finished, isCancelled: false))
      #expect((operation as? AsyncOperation<Void>)?.outcome?.error as? Failure == Failure())
    }
    #expect(queue.operationCount == 0)
  }

  @Test("LC-12 A completion that is dropped uncalled makes the operation fail as abandoned")
  func dropped() async throws {
    let operation = AsyncOperation<Int> { _ in }
    try await operation.start()
    #expect(operation.outcome?.error as? OperationError == .abandoned)
  }

  @Test("LC-13 What runs is kept alive, though only its queue or its caller knows it", arguments: [false, true])
  func keptAlive(isQueued: Bool) async {
    let (begun, release) = (Gate(), Gate())
    func make() async -> Weak {
      let operation = AsyncOperation {
        begun.open()
        await release.wait()
      }
      if isQueued {
        await AsyncOperationQueue().add(operation)
      } else {
        Task { [operation] in try await operation.start() }
      }
      return Weak(operation)
    }
    let operation = await make()
    await begun.wait()
    #expect((operation.object as? AsyncOperation<Void>)?.isExecuting == true)
    release.open()
    #expect(await eventually { operation.object == nil })
  }

  @Test("LC-14 An operation says whether it is asynchronous, and its queue treats it the same")
  func isAsynchronous() async {
    let recorder = Recorder<Int>()
    let operations: [any OperationProtocol] = [
      AsyncOperation<Void> { completion in
        recorder.note(0)
        completion.finish()
      },
      AsyncOperation { recorder.note(1) },
      AsyncOperation {
        await Task.yield()
        recorder.note(2)
      },
      AsyncOperation(ExecutionBlocks { recorder.note(3) }),
    ]
    #expect(operations.map(\.isAsynchronous) == [true, false, true, false])
    await AsyncOperationQueue(maxConcurrentOperationCount: 1).addAndWait(operations)
    #expect(recorder.ended == [0, 1, 2, 3])
  }

  @Test("LC-15 Nothing can be finished before it begins; one that ends as it begins leaves its queue in order")
  func endsAtOnce() async throws {
    let queue = AsyncOperationQueue(isSuspended: true)
    let operation = AsyncOperation<Int> { $0.finish(returning: 1) }
    let history = operation.history()
    await queue.add(operation)
    #expect(operation.state == .ready)
    #expect(queue.operationCount == 1)
    await queue.resume()
    #expect(try await operation.value == 1)
    #expect(queue.operationCount == 0)
    #expect(await history.value.map(short) == ["ready", "executing", "finished"])
  }
}
