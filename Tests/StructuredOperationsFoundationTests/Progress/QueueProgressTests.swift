import Foundation
import StructuredOperations
import StructuredOperationsFoundation
import Testing
import TestSupport

@Suite("QueueProgress", .hangGuard)
struct QueueProgressTests {
  @Test("counts what was added and what has finished, up to the end")
  func counts() async {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
    let progress = QueueProgress(of: queue)
    let blocker = Blocker()
    await queue.add(AsyncOperation {}, blocker.operation, AsyncOperation {}, AsyncOperation {})
    await blocker.begun.wait()
    #expect(await eventually { progress.totalUnitCount == 4 && progress.completedUnitCount == 1 })
    #expect(progress.fractionCompleted == 0.25)
    #expect(!progress.isFinished)
    blocker.release.open()
    #expect(await eventually { progress.completedUnitCount == 4 })
    #expect(progress.isFinished)
  }

  @Test("has the counts of its queue from the beginning, so that nothing changes before the queue runs")
  func countsAtOnce() async {
    let queue = AsyncOperationQueue()
    await queue.addAndWait([AsyncOperation {}])
    await queue.suspend()
    await queue.add(AsyncOperation {}, AsyncOperation {}, AsyncOperation {})
    let progress = QueueProgress(of: queue)
    #expect(progress.totalUnitCount == 4)
    #expect(progress.completedUnitCount == 1)
    await queue.resume()
  }

  @Test("counts cancelled operations as completed")
  func cancelledOperations() async {
    let queue = AsyncOperationQueue(isSuspended: true)
    await queue.add((0..<5).map { _ in AsyncOperation {} })
    let progress = QueueProgress(of: queue)
    await queue.cancelAllOperations()
    await queue.resume()
    #expect(await eventually { progress.completedUnitCount == 5 && progress.totalUnitCount == 5 })
  }

  @Test("its cancellation cancels the operations of the queue, and none that are added later")
  func cancels() async {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
    let progress = QueueProgress(of: queue)
    let blocker = Blocker()
    let waiting = AsyncOperation {}
    await queue.add(blocker.operation, waiting)
    await blocker.begun.wait()
    #expect(progress.isCancellable)
    progress.cancel()
    await waiting.waitUntilFinished()
    #expect(waiting.outcome?.isCancelled == true)
    #expect(blocker.operation.isCancelled)
    let later = AsyncOperation {}
    await queue.add(later)
    // A second time: the task that would cancel gets the time to run.
    progress.cancel()
    for _ in 0..<100 { await Task.yield() }
    blocker.release.open()
    await later.waitUntilFinished()
    #expect(later.outcome?.isSuccess == true)
  }

  @Test("is a part of another progress, whose cancellation reaches the queue")
  func child() async {
    let queue = AsyncOperationQueue(isSuspended: true)
    let operation = AsyncOperation {}
    await queue.add(operation)
    let parent = Progress(totalUnitCount: 1)
    parent.addChild(QueueProgress(of: queue), withPendingUnitCount: 1)
    parent.cancel()
    for await snapshot in operation.states where snapshot.isCancelled { break }
    await queue.resume()
    await operation.waitUntilFinished()
    #expect(await eventually { parent.fractionCompleted == 1 })
  }

  @Test("keeps no queue, and stays as it is when the queue has gone")
  func queueGoes() async {
    func make() async -> (QueueProgress, Weak) {
      let queue = AsyncOperationQueue()
      let progress = QueueProgress(of: queue)
      await queue.addAndWait([AsyncOperation {}])
      return (progress, Weak(queue))
    }
    let (progress, queue) = await make()
    #expect(await eventually { queue.object == nil })
    #expect(await eventually { progress.completedUnitCount == 1 })
    progress.cancel()
    #expect(progress.totalUnitCount == 1)
  }

  @Test("is kept by no queue, also while that has nothing to do")
  func progressGoes() async {
    let queue = AsyncOperationQueue()
    let progress = Weak(QueueProgress(of: queue))
    #expect(await eventually { progress.object == nil })
    await queue.addAndWait([AsyncOperation {}])
  }
}
