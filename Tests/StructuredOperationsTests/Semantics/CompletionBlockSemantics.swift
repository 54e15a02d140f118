import Testing
import TestSupport

@testable import StructuredOperations

@Suite("CB Completion blocks", .hangGuard)
struct CompletionBlockSemantics {
  @Test("CB-01, CB-05 The block runs once after a finish of every kind, and sees it", arguments: [false, true])
  func everyFinish(isQueued: Bool) async throws {
    let cancelled = AsyncOperation {}
    cancelled.cancel()
    let unrun = AsyncOperation {}
    let failed = AsyncOperation { throw Failure() }
    try await unrun.addDependency(failed, requiring: .success)
    let queue = AsyncOperationQueue()
    for operation in [AsyncOperation {}, failed, cancelled, unrun] {
      let calls = Locked(0)
      let done = Gate()
      await operation.setCompletionBlock {
        #expect(operation.isFinished)
        await operation.waitUntilFinished()
        calls.increment()
        done.open()
      }
      if isQueued { await queue.add(operation) } else { try await operation.start() }
      await done.wait()
      #expect(calls.current == 1)
    }
  }

  @Test("CB-01 Set while the operation finishes it runs once")
  func race() async {
    let queue = AsyncOperationQueue()
    for _ in 0..<500 {
      let calls = Locked(0)
      let done = Gate()
      let operation = AsyncOperation {}
      await queue.add(operation)
      await operation.setCompletionBlock {
        calls.increment()
        done.open()
      }
      await done.wait()
      await operation.waitUntilFinished()
      #expect(calls.current == 1)
    }
  }

  @Test("CB-02 The block runs in a task of its own, which knows no operation and is not cancelled with it")
  func ownTask() async throws {
    let (begun, done) = (Gate(), Gate())
    let operation = AsyncOperation {
      begun.open()
      while !Task.isCancelled { await Task.yield() }
    }
    let facts = Locked<[Bool]>([])
    await operation.setCompletionBlock {
      await Task.yield()
      facts.append(Task.isCancelled)
      facts.append(AsyncOperation.current != nil)
      facts.append(AsyncOperationQueue.current != nil)
      done.open()
    }
    await AsyncOperationQueue().add(operation)
    await begun.wait()
    operation.cancel()
    await done.wait()
    #expect(facts.current == [false, false, false])
  }

  @Test("CB-03, CB-04 Neither waiters, nor dependents, nor the slot wait for the block")
  func nobodyWaits() async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
    let (release, ended) = (Gate(), Gate())
    let operation = AsyncOperation {}
    await operation.setCompletionBlock {
      await release.wait()
      ended.open()
    }
    let dependent = AsyncOperation {}
    try await dependent.addDependency(operation)
    await queue.add(operation, dependent)
    await operation.waitUntilFinished()
    await dependent.waitUntilFinished()
    await queue.waitUntilAllOperationsAreFinished()
    #expect(!ended.isOpen)
    release.open()
    await ended.wait()
  }

  @Test("CB-06 It is freed as it begins, also where it holds its own operation", arguments: [false, true])
  func freed(isCancelled: Bool) async {
    let gone = Gate()
    func make() async -> Weak {
      let canary = Canary(gone)
      let operation = AsyncOperation {}
      await operation.setCompletionBlock {
        canary.sing()
        _ = operation.isFinished
      }
      if isCancelled { operation.cancel() }
      await AsyncOperationQueue().addAndWait([operation])
      return Weak(operation)
    }
    let operation = await make()
    await gone.wait()
    #expect(await eventually { operation.object == nil })
  }

  @Test("CB-07 The latest block runs, also where it replaces one while the body runs; nil takes it back")
  func replaced() async throws {
    let calls = Locked<[Int]>([])
    let blocker = Blocker()
    let done = Gate()
    await blocker.operation.setCompletionBlock { calls.append(1) }
    await AsyncOperationQueue().add(blocker.operation)
    await blocker.begun.wait()
    await blocker.operation.setCompletionBlock(nil)
    await blocker.operation.setCompletionBlock { calls.append(2) }
    await blocker.operation.setCompletionBlock {
      calls.append(3)
      done.open()
    }
    blocker.release.open()
    await done.wait()
    #expect(calls.current == [3])
  }

  @Test("CB-07 Set after the finish it runs at once, and does so each time it is set")
  func setLate() async throws {
    let operation = AsyncOperation {}
    try await operation.start()
    for _ in 0..<2 {
      let done = Gate()
      await operation.setCompletionBlock { done.open() }
      await done.wait()
    }
  }

  @Test("CB-07 Set after the finish in a queue it is a task of that queue as long as the queue runs something")
  func setLateInQueue() async throws {
    guard #available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *) else { return }
    func taskName(ofBlockOf operation: AsyncOperation<Void>) async -> String? {
      let (done, name) = (Gate(), Locked<String?>(nil))
      await operation.setCompletionBlock {
        name.withLock { $0 = Task.name }
        done.open()
      }
      await done.wait()
      return name.current
    }
    let (queue, operation, blocker) = (AsyncOperationQueue(name: "queue"), AsyncOperation {}, Blocker())
    await queue.add(blocker.operation)
    await blocker.begun.wait()
    await queue.addAndWait([operation])
    await queue.suspend()
    #expect(await taskName(ofBlockOf: operation)?.hasPrefix("queue") == true)

    blocker.release.open()
    await queue.waitUntilAllOperationsAreFinished()
    let done = Gate()
    await operation.setCompletionBlock { done.open() }
    await done.wait()
  }

  @Test("CB-08 When the block begins the operation's work is done: its outcome is there, its dependents are released")
  func workIsDone() async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
    let operation = AsyncOperation { 1 }
    let dependent = AsyncOperation {}
    try await dependent.addDependency(operation)
    let done = Gate()
    await operation.setCompletionBlock {
      #expect(operation.outcome?.isSuccess == true)
      #expect(dependent.isReady)
      #expect(queue.operationCount == 0)
      done.open()
    }
    await queue.add(operation)
    await done.wait()
  }

  @Test("CB-09 Setting a block, and its beginning, are told to no observer")
  func noNews() async throws {
    let operation = AsyncOperation {}
    let history = operation.history()
    let done = Gate()
    await operation.setCompletionBlock {}
    await operation.setCompletionBlock { done.open() }
    try await operation.start()
    await done.wait()
    #expect(await history.value.map(short) == ["ready", "executing", "finished"])
  }
}
