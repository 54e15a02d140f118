import Foundation
import StructuredOperations
import StructuredOperationsFoundation
import Testing
import TestSupport

@Suite("AsyncOperation(running:), cancelling", .hangGuard)
struct RunningCancellingTests {
  let queue = AsyncOperationQueue()

  @Test("cancelling ours while it executes cancels the old one before cancel() returns")
  func executing() async {
    let old = OldOperation()
    let operation = AsyncOperation(running: old)
    await queue.add(operation)
    await old.begun.wait()
    operation.cancel()
    #expect(old.isCancelled)
    #expect(!operation.isFinished)
    old.end(nil)
    await operation.waitUntilFinished()
    #expect(operation.outcome?.isCancelled == true)
  }

  @Test("cancelling ours when the old one begins cancels that before cancel() returns, though it is being added still")
  func beginning() async {
    for _ in 0..<20 {
      let ours = Locked<AsyncOperation<Void>?>(nil)
      let wasCancelled = Locked<[Bool]>([])
      let old = BeginningOperation { old in
        ours.current?.cancel()
        wasCancelled.append(old.isCancelled)
      }
      let operation = AsyncOperation(running: old)
      ours.withLock { $0 = operation }
      await queue.add(operation)
      await operation.waitUntilFinished()
      ours.withLock { $0 = nil }
      #expect(wasCancelled.current == [true])
    }
  }

  @Test("an old one that does not let itself be cancelled waits for its dependencies in its queue")
  func uncancelled() async {
    let (old, dependency, oldQueue) = (UncancelledOperation(), BlockOperation {}, OperationQueue())
    old.addDependency(dependency)
    let operation = AsyncOperation(running: old, in: oldQueue)
    await queue.add(operation)
    #expect(await eventually { operation.isExecuting })

    operation.cancel()

    #expect(await eventually { oldQueue.operationCount == 1 })
    OperationQueue().addOperation(dependency)
    await operation.waitUntilFinished()
    #expect(old.isFinished)
  }

  @Test("cancelling ours before it begins has the old one finish unrun")
  func unrun() async {
    let ran = Locked(0)
    let old = BlockOperation { ran.increment() }
    let dependent = BlockOperation {}
    dependent.addDependency(old)
    OperationQueue().addOperation(dependent)
    let operation = AsyncOperation(running: old)
    operation.cancel()
    await queue.add(operation)
    await operation.waitUntilFinished()
    await dependent.end()
    #expect(old.isCancelled)
    #expect(old.isFinished)
    #expect(ran.current == 0)
  }

  @Test(
    "a cancelled old one that finishes ahead of its dependency is kept until that has finished",
    arguments: [false, true])
  func keptForDependency(isUnrun: Bool) async {
    let dependencies = [await OldOperation.executing(), await OldOperation.executing()]
    let finished: Weak
    do {
      let old = OldOperation()
      for dependency in dependencies { old.addDependency(dependency) }
      let operation = AsyncOperation(running: old)
      if isUnrun { operation.cancel() }
      await queue.add(operation)
      // The body looks at the dependencies.
      if !isUnrun { await old.asked.wait() }
      operation.cancel()
      await operation.waitUntilFinished()
      await old.end()
      finished = Weak(old)
    }
    await expectKept(finished, until: dependencies)
  }

  @Test("cancelling ours in a suspended queue cancels the old one, which finishes when the queue goes on")
  func suspended() async {
    let suspended = AsyncOperationQueue(isSuspended: true)
    let old = BlockOperation {}
    let operation = AsyncOperation(running: old)
    await suspended.add(operation)
    operation.cancel()
    #expect(await eventually { old.isCancelled })
    #expect(!old.isFinished)
    await suspended.resume()
    await old.end()
    #expect(operation.outcome?.isCancelled == true)
  }

  @Test("where a dependency of ours fails, the old one is cancelled and finishes unrun")
  func failedDependency() async throws {
    let old = OldOperation()
    let operation = AsyncOperation(running: old)
    let dependency = AsyncOperation<Void> { throw Failure() }
    try await operation.addDependency(dependency, requiring: .success)
    await queue.add(dependency, operation)
    await operation.waitUntilFinished()
    await old.end()
    #expect(old.isCancelled)
    #expect(old.result == nil)
    #expect(operation.outcome?.error is OperationError)
  }

  @Test("cancelling the old one cancels ours when it finishes, and the result is not read")
  func oldCancelled() async {
    let old = OldOperation()
    let operation = AsyncOperation(running: old) { _ in Issue.record("the result was read") }
    await queue.add(operation)
    await old.begun.wait()
    old.cancel()
    #expect(!operation.isCancelled)
    old.end(.success(1))
    await operation.waitUntilFinished()
    #expect(operation.isCancelled)
    #expect(operation.outcome?.isCancelled == true)
  }

  @Test("cancelling ours while the old one waits for its dependencies lets both through")
  func waiting() async {
    let never = OldOperation()
    let old = OldOperation()
    old.addDependency(never)
    let operation = AsyncOperation(running: old)
    await queue.add(operation)
    for await snapshot in operation.states where snapshot.isExecuting { break }
    operation.cancel()
    await operation.waitUntilFinished()
    #expect(operation.outcome?.isCancelled == true)
    #expect(old.isFinished)
    #expect(old.result == nil)
  }

  @Test("what an old one waited for ends safely after ours was cancelled")
  func dependencyEndsLater() async {
    for _ in 0..<20 {
      let never = OldOperation()
      let old = OldOperation()
      old.addDependency(never)
      let operation = AsyncOperation(running: old)
      await queue.add(operation)
      #expect(await eventually { queue.snapshot.waitingCount == 1 })
      operation.cancel()
      await operation.waitUntilFinished()
      await old.end()
      never.start()
      never.end(nil)
      await never.end()
    }
  }

  @Test("cancelling all of our queue cancels and finishes all old ones")
  func all() async {
    let olds = (0..<20).map { _ in OldOperation() }
    let narrow = AsyncOperationQueue(maxConcurrentOperationCount: 2)
    await narrow.add(olds.map { AsyncOperation(running: $0) })
    await olds[0].begun.wait()
    await olds[1].begun.wait()
    await narrow.cancelAllOperations()
    olds[0].end(nil)
    olds[1].end(nil)
    for old in olds { await old.end() }
    #expect(olds.allSatisfy { $0.isCancelled })
    #expect(olds.map(\.startCount) == Array(repeating: 1, count: 20))
  }

  @Test("an old one whose operation of ours is dropped without having run stays as it was")
  func dropped() async throws {
    let old = BlockOperation {}
    let dropped = Weak(AsyncOperation(running: old))
    #expect(await eventually { dropped.object == nil })
    #expect(!old.isCancelled)
    let operation = AsyncOperation(running: old)
    await queue.add(operation)
    try await operation.value
  }

  @Test("nothing of a finished run is kept")
  func leaks() async throws {
    let gone = Gate()
    func run() async throws {
      let canary = Canary(gone)
      let old = BlockOperation { canary.sing() }
      let operation = AsyncOperation(running: old)
      await queue.add(operation)
      try await operation.value
    }
    try await run()
    await gone.wait()
  }

  @Test("nothing of a cancelled wait for a dependency is kept")
  func leaksOfWait() async throws {
    let gone = Gate()
    let dependency = OldOperation()
    func run() async {
      let canary = Canary(gone)
      let old = BlockOperation { canary.sing() }
      old.addDependency(dependency)
      let operation = AsyncOperation(running: old)
      await queue.add(operation)
      for await snapshot in operation.states where snapshot.isExecuting { break }
      operation.cancel()
      await operation.waitUntilFinished()
    }
    await run()
    #if !canImport(Darwin)
      // Until then the old one is kept, as Foundation would use it.
      dependency.end(nil)
    #endif
    await gone.wait()
  }
}

/// Keeps whoever adds it as long as its body takes, but for some milliseconds at most.
///
/// Unchecked, as its superclass is. The proof: what changes is behind a lock.
private final class BeginningOperation: Operation, @unchecked Sendable {
  private let body: @Sendable (Operation) -> Void
  private let hasEnded = Locked(false)

  init(body: @escaping @Sendable (Operation) -> Void) { self.body = body }

  override var isReady: Bool {
    for _ in 0..<5_000 where !hasEnded.current { sched_yield() }
    return super.isReady
  }

  override func main() {
    body(self)
    hasEnded.withLock { $0 = true }
  }
}

private final class UncancelledOperation: Operation, @unchecked Sendable {
  override func cancel() {}
}
