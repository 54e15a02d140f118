import Foundation
import Testing
import TestSupport

@testable import StructuredOperations

@Suite("OperationCompletion", .hangGuard)
struct OperationCompletionTests {
  /// Holds a completion, for whoever calls it later.
  private typealias Holder = Locked<OperationCompletion<Int>?>

  /// An operation whose completion a test gets hold of, and which executes already.
  private func executing() async -> (AsyncOperation<Int>, Holder) {
    let holder = Holder(nil)
    let begun = Gate()
    let operation = AsyncOperation<Int> { completion in
      holder.withLock { $0 = completion }
      begun.open()
    }
    await AsyncOperationQueue().add(operation)
    await begun.wait()
    return (operation, holder)
  }

  @Test("AS-01 The body returns long before the operation finishes")
  func later() async throws {
    let (operation, holder) = await executing()
    #expect(operation.isExecuting)
    holder.current?.finish(returning: 1)
    #expect(try await operation.value == 1)
  }

  @Test("Every form of finishing reaches the outcome")
  func forms() async throws {
    let queue = AsyncOperationQueue()
    let returning = AsyncOperation<Int> { $0.finish(returning: 1) }
    let throwing = AsyncOperation<Int> { $0.finish(throwing: Failure(code: 2)) }
    let success = AsyncOperation<Int> { $0.finish(with: .success(3)) }
    let failure = AsyncOperation<Int> { $0.finish(with: .failure(Failure(code: 4))) }
    let void = AsyncOperation<Void> { $0.finish() }
    await queue.addAndWait([returning, throwing, success, failure, void])
    #expect(try await returning.value == 1)
    #expect(throwing.outcome?.error as? Failure == Failure(code: 2))
    #expect(try await success.value == 3)
    #expect(failure.outcome?.error as? Failure == Failure(code: 4))
    #expect(void.outcome?.isSuccess == true)
  }

  @Test("AS-06 Of calls from many threads one wins, and none does harm")
  func race() async throws {
    for _ in 0..<200 {
      let (operation, holder) = await executing()
      let completion = try #require(holder.current)
      holder.withLock { $0 = nil }
      await withTaskGroup { group in
        for number in 0..<4 { group.addTask { completion.finish(returning: number) } }
      }
      #expect((0..<4).contains(try await operation.value))
    }
  }

  @Test("LC-12 The last copy counts, wherever it is dropped")
  func lastCopy() async throws {
    let (operation, holder) = await executing()
    let other = Holder(holder.current)
    holder.withLock { $0 = nil }
    #expect(operation.isExecuting)
    let thread = Thread { other.withLock { $0 = nil } }
    thread.start()
    await operation.waitUntilFinished()
    #expect(operation.outcome?.error as? OperationError == .abandoned)
  }

  @Test("LC-12 The operation is abandoned while the thread that had the completion goes on")
  func droppedWhileRunning() async throws {
    let (dropped, release, ended) = (Gate(), Gate(), Gate())
    let operation = AsyncOperation<Int> { completion in
      let holder = Holder(completion)
      let thread = Thread {
        holder.withLock { $0 = nil }
        dropped.open()
        release.waitBlocking()
        ended.open()
      }
      thread.start()
    }
    try await operation.start()
    #expect(operation.outcome?.error as? OperationError == .abandoned)
    await dropped.wait()
    #expect(!ended.isOpen)
    release.open()
    await ended.wait()
  }

  @Test("LC-12 A body that runs has not abandoned its completion, though others have dropped theirs")
  func bodyStillRuns() async throws {
    let (dropped, release) = (Gate(), Gate())
    let operation = AsyncOperation<Int>(executor: OperationThreadPool.shared) { completion in
      Holder(completion).withLock { $0 = nil }
      dropped.open()
      release.waitBlocking()
      completion.finish(returning: 1)
    }
    async let start: Void = operation.start()
    await dropped.wait()
    #expect(operation.isExecuting)
    release.open()
    try await start
    #expect(try await operation.value == 1)
  }

  @Test("A handler registered before the cancellation is called by it, on its thread")
  func handlerBefore() async throws {
    let (operation, holder) = await executing()
    let thread = Locked<ObjectIdentifier?>(nil)
    holder.current?.onCancel { completion in
      thread.withLock { $0 = ObjectIdentifier(Thread.current) }
      completion.finish(throwing: CancellationError())
    }
    let canceller = Locked<ObjectIdentifier?>(nil)
    let done = Gate()
    let other = Thread {
      canceller.withLock { $0 = ObjectIdentifier(Thread.current) }
      operation.cancel()
      done.open()
    }
    other.start()
    await done.wait()
    await operation.waitUntilFinished()
    #expect(operation.outcome?.isCancelled == true)
    #expect(thread.current != nil)
    #expect(thread.current == canceller.current)
  }

  @Test("A handler registered after the cancellation is called at once")
  func handlerAfter() async throws {
    let (operation, holder) = await executing()
    operation.cancel()
    let calls = Locked(0)
    let completion = try #require(holder.current)
    completion.onCancel { completion in
      calls.increment()
      completion.finish(returning: 7)
    }
    #expect(calls.current == 1)
    #expect(try await operation.value == 7)
  }

  @Test("A handler is not called once the operation has finished, nor kept")
  func handlerAfterFinish() async throws {
    let (operation, holder) = await executing()
    let completion = try #require(holder.current)
    let calls = Locked(0)
    let gone = Gate()
    func register() {
      let canary = Canary(gone)
      completion.onCancel { _ in
        canary.sing()
        calls.increment()
      }
    }
    register()
    #expect(!gone.isOpen)
    completion.finish(returning: 1)
    #expect(gone.isOpen)
    completion.onCancel { _ in calls.increment() }
    await operation.waitUntilFinished()
    operation.cancel()
    completion.onCancel { _ in calls.increment() }
    #expect(calls.current == 0)
  }

  @Test("Nor is one that comes after the cancellation and the finish")
  func handlerAfterBoth() async throws {
    let (operation, holder) = await executing()
    let calls = Locked(0)
    operation.cancel()
    let completion = try #require(holder.current)
    completion.finish(returning: 1)
    completion.onCancel { _ in calls.increment() }
    #expect(calls.current == 0)
    #expect(try await operation.value == 1)
  }

  @Test("Several handlers are called in order, each once")
  func severalHandlers() async throws {
    let (operation, holder) = await executing()
    let calls = Locked<[Int]>([])
    for number in 0..<3 { holder.current?.onCancel { _ in calls.append(number) } }
    operation.cancel()
    operation.cancel()
    #expect(calls.current == [0, 1, 2])
    holder.current?.finish(returning: 1)
    #expect(try await operation.value == 1)
    #expect(operation.isCancelled)
  }

  @Test("A handler is not called once one before it has called the completion")
  func handlerAfterCompletion() async throws {
    let (operation, holder) = await executing()
    let calls = Locked<[Int]>([])
    for number in 0..<3 {
      holder.current?.onCancel { completion in
        calls.append(number)
        if number == 1 { completion.finish(throwing: CancellationError()) }
      }
    }
    operation.cancel()
    #expect(calls.current == [0, 1])
    await operation.waitUntilFinished()
  }

  @Test("LC-12 A handler does not keep an operation from being abandoned")
  func handlerDoesNotRetain() async throws {
    let calls = Locked(0)
    let operation = AsyncOperation<Int> { completion in
      completion.onCancel { completion in
        calls.increment()
        completion.finish(returning: 1)
      }
    }
    try await operation.start()
    #expect(operation.outcome?.error as? OperationError == .abandoned)
    #expect(calls.current == 0)
  }

  @Test("The cancellation, the drop and the finish may all come at once")
  func cancellationRace() async throws {
    for round in 0..<1_000 {
      let (operation, holder) = await executing()
      let calls = Locked(0)
      holder.current?.onCancel { completion in
        calls.increment()
        completion.finish(throwing: CancellationError())
      }
      async let cancelled: Void = operation.cancel()
      async let ended: Void = holder.withLock { completion in
        if round.isMultiple(of: 2) { completion?.finish(returning: round) }
        completion = nil
      }
      _ = await (cancelled, ended)
      await operation.waitUntilFinished()
      #expect(calls.current <= 1)
      switch operation.outcome {
      case .success(round): #expect(round.isMultiple(of: 2))
      case .failure(OperationError.abandoned): #expect(calls.current == 0)
      case .cancelled: #expect(calls.current == 1)
      default: Issue.record("round \(round) ended with \(String(describing: operation.outcome))")
      }
    }
  }
}
