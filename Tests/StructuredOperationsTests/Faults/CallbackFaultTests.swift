import Foundation
import Testing
import TestSupport

@testable import StructuredOperations

@Suite("Callbacks that misbehave", .hangGuard)
struct CallbackFaultTests {
  private typealias Completion = OperationCompletion<Int>

  @Test("Never called and released, it fails with an error that names what happened, and frees slot and dependents")
  func neverCalled() async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
    let abandoned = AsyncOperation<Int> { _ in }
    let dependent = AsyncOperation { 1 }
    let strict = AsyncOperation(after: abandoned) { $0 }
    try await dependent.addDependency(abandoned)
    await queue.addAndWait([strict, dependent, abandoned])

    await #expect(throws: OperationError.abandoned) { try await abandoned.value }
    #expect(try await dependent.value == 1)
    let root = (strict.outcome?.error as? OperationError)?.root
    #expect(root?.operation === abandoned)
    #expect(root?.underlying as? OperationError == .abandoned)
  }

  @Test("Never called and released, it ends an operation that was cancelled, too: as abandoned, not as cancelled")
  func neverCalledAfterCancel() async throws {
    let holder = Locked<Completion?>(nil)
    let begun = Gate()
    let operation = AsyncOperation<Int> { completion in
      holder.withLock { $0 = completion }
      begun.open()
    }
    await AsyncOperationQueue().add(operation)
    await begun.wait()
    operation.cancel()
    #expect(operation.isExecuting)
    holder.withLock { $0 = nil }

    await #expect(throws: OperationError.abandoned) { try await operation.value }
    #expect(operation.isCancelled)
  }

  @Test("Called twice, in any combination, the first call wins and later ones free what they bring", arguments: 0..<4)
  func calledTwice(combination: Int) async throws {
    let gone = Gate()
    let operation = AsyncOperation<Canary?> { completion in
      let later = { (canary: Canary) in
        if combination.isMultiple(of: 2) {
          completion.finish(returning: canary)
        } else {
          completion.finish(throwing: Failure())
          canary.sing()
        }
      }
      if combination < 2 {
        completion.finish(returning: nil)
      } else {
        completion.finish(throwing: Failure(code: 1))
      }
      later(Canary(gone))
    }
    try await operation.start()

    #expect(gone.isOpen)
    if combination < 2 {
      #expect(try await operation.value == nil)
    } else {
      #expect(operation.outcome?.error as? Failure == Failure(code: 1))
    }
  }

  @Test("Called twice, the second time long after the operation has gone, it does no harm")
  func calledAfterTheEnd() async throws {
    let holder = Locked<Completion?>(nil)
    func run() async throws -> Weak {
      let operation = AsyncOperation<Int> { completion in
        holder.withLock { $0 = completion }
        completion.finish(returning: 1)
      }
      await AsyncOperationQueue().addAndWait([operation])
      #expect(try await operation.value == 1)
      return Weak(operation)
    }
    let operation = try await run()
    #expect(await eventually { operation.object == nil })
    holder.current?.finish(returning: 2)
    holder.withLock { $0 = nil }
  }

  @Test("Called after cancel() it says how the operation ends", arguments: ["value", "error", "cancellation"])
  func calledAfterCancel(with ending: String) async throws {
    let holder = Locked<Completion?>(nil)
    let begun = Gate()
    let operation = AsyncOperation<Int> { completion in
      holder.withLock { $0 = completion }
      begun.open()
    }
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
    let next = AsyncOperation { 2 }
    await queue.add(operation, next)
    await begun.wait()
    await queue.cancelAllOperations()
    await next.waitUntilFinished()
    #expect(operation.isExecuting && operation.isCancelled)
    let completion = try #require(holder.current)
    switch ending {
    case "value": completion.finish(returning: 1)
    case "error": completion.finish(throwing: Failure())
    default: completion.finish(throwing: CancellationError())
    }
    await queue.waitUntilAllOperationsAreFinished()

    switch ending {
    case "value": #expect(operation.outcome?.isSuccess == true)
    case "error": #expect(operation.outcome?.error as? Failure == Failure())
    default: #expect(operation.outcome?.isCancelled == true)
    }
  }

  @Test("Called from another thread before the body has returned, it neither ends the operation early nor is lost")
  func calledBeforeReturn() async throws {
    let (called, release) = (Gate(), Gate())
    let operation = AsyncOperation<Int>(executor: OperationThreadPool.shared) { completion in
      Thread.detachNewThread {
        completion.finish(returning: 1)
        called.open()
      }
      called.waitBlocking()
      release.waitBlocking()
    }
    async let start: Void = operation.start()
    await called.wait()
    #expect(operation.isExecuting)
    release.open()
    try await start
    #expect(try await operation.value == 1)
  }

  @Test("Called from another thread just as start() returns, each operation ends once", arguments: [false, true])
  func calledAtReturn(isQueued: Bool) async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 2)
    for number in 0..<300 {
      let operation = AsyncOperation<Int> { completion in
        // On a thread that is there already, so that it may well be first.
        Task.detached(executorPreference: OperationThreadPool.shared) { completion.finish(returning: number) }
      }
      let history = operation.history()
      if isQueued { await queue.addAndWait([operation]) } else { try await operation.start() }
      #expect(try await operation.value == number)
      #expect(await history.value.map(short) == ["ready", "executing", "finished"])
    }
  }
}
