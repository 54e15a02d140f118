import Testing
import TestSupport

@testable import StructuredOperations

@Suite("BO Several blocks in one operation", .hangGuard)
struct ExecutionBlocksSemantics {
  @Test("BO-01 Blocks run at the same time, also in a queue of width 1")
  func concurrent() async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
    let rendezvous = Rendezvous(of: 8)
    let blocks = ExecutionBlocks { rendezvous.arriveBlocking() }
    for _ in 1..<8 { try blocks.add { rendezvous.arriveBlocking() } }
    let operation = AsyncOperation(blocks)
    await queue.add(operation)
    await operation.waitUntilFinished()
    #expect(operation.outcome?.isSuccess == true)
  }

  @Test("BO-01 The operation finishes when the last block, of whatever kind, has returned")
  func lastBlock() async throws {
    let recorder = Recorder<Int>()
    let (first, last) = (Gate(), Gate())
    let blocks = ExecutionBlocks {
      await last.wait()
      recorder.note(0)
    }
    try blocks.add {
      first.waitBlocking()
      recorder.note(1)
      last.open()
    }
    try blocks.add {
      recorder.note(2)
      first.open()
    }
    let operation = AsyncOperation(blocks)
    try await operation.start()
    #expect(recorder.ended == [2, 1, 0])
    #expect(operation.isFinished)
  }

  @Test("BO-02 A single block runs where the body of an operation would, and knows its operation")
  func single() async throws {
    let facts = Locked<[Bool]>([])
    @Sendable func note() { facts.append(PoolThread.current != nil) }
    let synchronous = AsyncOperation(
      name: "synchronous",
      ExecutionBlocks {
        note()
        facts.append(AsyncOperation.current?.name == "synchronous")
      })
    let asynchronous = AsyncOperation(
      name: "asynchronous",
      ExecutionBlocks {
        await Task.yield()
        note()
        facts.append(AsyncOperation.current?.name == "asynchronous")
      })
    await AsyncOperationQueue(maxConcurrentOperationCount: 1).addAndWait([synchronous, asynchronous])
    #expect(facts.current == [true, true, false, true])
  }

  @Test("BO-03 All blocks run though some throw, and the first error in the order of addition is the outcome")
  func errors() async throws {
    let ran = Locked(0)
    let (second, third) = (Gate(), Gate())
    let blocks = ExecutionBlocks { ran.increment() }
    try blocks.add {
      await second.wait()
      ran.increment()
      throw Failure(code: 1)
    }
    try blocks.add {
      third.waitBlocking()
      ran.increment()
      second.open()
      throw Failure(code: 2)
    }
    try blocks.add {
      ran.increment()
      third.open()
      throw Failure(code: 3)
    }
    let operation = AsyncOperation(blocks)
    try await operation.start()
    #expect(ran.current == 4)
    #expect(operation.outcome?.error as? Failure == Failure(code: 1))
  }

  @Test("BO-04 No block can be added once the operation executes, or has finished")
  func sealed() async throws {
    let (begun, release) = (Gate(), Gate())
    let blocks = ExecutionBlocks {
      begun.open()
      await release.wait()
    }
    let operation = AsyncOperation(blocks)
    async let start: Void = operation.start()
    await begun.wait()
    #expect(throws: OperationError.blocksSealed) { try blocks.add {} }
    release.open()
    try await start
    #expect(throws: OperationError.blocksSealed) { try blocks.add { await Task.yield() } }
  }

  @Test("BO-05 A block can be added while the operation waits in a queue")
  func whileEnqueued() async throws {
    let queue = AsyncOperationQueue(isSuspended: true)
    let recorder = Recorder<Int>()
    let blocks = ExecutionBlocks { recorder.note(0) }
    let operation = AsyncOperation(blocks)
    await queue.add(operation)
    try blocks.add { recorder.note(1) }
    await queue.resume()
    await operation.waitUntilFinished()
    #expect(recorder.running.isEmpty)
    #expect(Set(recorder.ended) == [0, 1])
  }

  @Test("BO-06 Without any block the operation succeeds")
  func empty() async throws {
    let operation = AsyncOperation(ExecutionBlocks())
    try await operation.start()
    #expect(operation.outcome?.isSuccess == true)
  }

  @Test("BO-07 Blocks see the cancellation of their operation")
  func cancellation() async throws {
    let begun = Rendezvous(of: 2)
    let (ready, cancelled) = (Gate(), Gate())
    let seen = Locked<[Bool]>([])
    let blocks = ExecutionBlocks {
      begun.arriveBlocking()
      ready.open()
      cancelled.waitBlocking()
      seen.append(Task.isCancelled)
    }
    try blocks.add {
      begun.arriveBlocking()
      cancelled.waitBlocking()
      seen.append(Task.isCancelled)
    }
    let operation = AsyncOperation(blocks)
    async let start: Void = operation.start()
    await ready.wait()
    operation.cancel()
    cancelled.open()
    try await start
    #expect(seen.current == [true, true])
  }

  @Test("BO-07 Cancelled by the first of its blocks, an operation runs the others all the same")
  func cancelledByFirst() async throws {
    let ran = Locked(0)
    let cancelled = Gate()
    let blocks = ExecutionBlocks {
      AsyncOperation.current?.cancel()
      cancelled.open()
    }
    for _ in 0..<5 {
      try blocks.add {
        await cancelled.wait()
        ran.increment()
      }
    }
    let operation = AsyncOperation(blocks)
    try await operation.start()
    #expect(ran.current == 5)
    #expect(operation.isCancelled)
    #expect(operation.outcome?.isSuccess == true)
  }

  @Test(
    "BO-08 The blocks are freed at the finish, though somebody holds the list and the operation",
    arguments: [false, true])
  func freed(isCancelled: Bool) async throws {
    let gone = Gate()
    func make() -> ExecutionBlocks {
      let canary = Canary(gone)
      return ExecutionBlocks { canary.sing() }
    }
    let blocks = make()
    let operation = AsyncOperation(blocks)
    #expect(!gone.isOpen)
    if isCancelled { operation.cancel() }
    try await operation.start()
    #expect(gone.isOpen)
    #expect(throws: OperationError.blocksSealed) { try blocks.add {} }
    withExtendedLifetime(operation) {}
  }
}
