import Foundation
import StructuredOperations
import StructuredOperationsFoundation
import TestSupport
import Testing

/// Old operations that finish in an override of `cancel()`: Foundation stops the program where one that has finished is added.
@Suite("AsyncOperation(running:), finishing in cancel()", .hangGuard)
struct RunningFinishingOnCancelTests {
  private let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)

  @Test("cancelled while it waits for a dependency, it is not added any more", arguments: [false, true])
  func waiting(isOursCancelled: Bool) async {
    let (old, dependency) = (FinishingOnCancel(), OldOperation())
    old.addDependency(dependency)
    let operation = AsyncOperation(running: old)
    await queue.add(operation)
    #expect(await eventually { await operation.explanation.description.contains("depends on") })
    if isOursCancelled { operation.cancel() } else { old.cancel() }
    OperationQueue().addOperation(dependency)
    await dependency.begun.wait()
    dependency.end(nil)
    await operation.waitUntilFinished()
    #expect(old.isFinished)
    #expect(old.cancelCount == 1)
    #expect(operation.outcome?.isCancelled == true)
  }

  @Test("cancelled at any moment of its addition, it finishes", arguments: 0..<20)
  func racing(seed: Int) async {
    for turn in 0..<50 {
      let old = FinishingOnCancel()
      let operation = AsyncOperation(running: old)
      await queue.add(operation)
      for _ in 0..<(turn + seed) % 7 { await Task.yield() }
      operation.cancel()
      await operation.waitUntilFinished()
      // Where ours has not begun, the old one hears of it a moment later.
      #expect(await eventually { old.isFinished })
      #expect(old.cancelCount == 1)
    }
  }

  @Test("cancelled while Foundation adds it, it is cancelled once it has been added")
  func adding() async {
    let counts = Locked<[Int]>([])
    let ours = Locked<AsyncOperation<Void>?>(nil)
    let old = FinishingOnCancel { old in
      guard let operation = ours.current, operation.isExecuting, !operation.isCancelled else { return }
      operation.cancel()
      counts.append(old.cancelCount)
    }
    let operation = AsyncOperation(running: old)
    ours.withLock { $0 = operation }
    await queue.add(operation)
    await operation.waitUntilFinished()
    ours.withLock { $0 = nil }
    #expect(counts.current == [0])
    #expect(old.cancelCount == 1)
    #expect(operation.outcome?.isCancelled == true)
  }

  @Test("cancelling ours calls the old one's cancel() once, whatever ours does")
  func once() async {
    let suspended = AsyncOperationQueue(isSuspended: true)
    let (executing, queued, unqueued) = (FinishingOnCancel(), FinishingOnCancel(), FinishingOnCancel())
    let operations = [executing, queued, unqueued].map { AsyncOperation(running: $0) }
    await queue.add(operations[0])
    await suspended.add(operations[1])
    await executing.begun.wait()
    for operation in operations { operation.cancel() }
    await queue.add(operations[2])
    await suspended.resume()
    for operation in operations { await operation.waitUntilFinished() }
    for old in [executing, queued, unqueued] {
      #expect(await eventually { old.isFinished })
      #expect(old.cancelCount == 1)
    }
  }
}
