import Testing
import TestSupport

@testable import StructuredOperations

extension WholeQueueSemantics {
  @Test("QX-05 A body that waits for all of its queue waits for the others", arguments: [1, 2, 8])
  func waitInside(limit: Int) async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: limit)
    let runs = Locked(0)
    let operation = await queue.add {
      await queue.add((0..<20).map { _ in AsyncOperation { runs.increment() } })
      await queue.add(
        (0..<20).map { _ in
          AsyncOperation {
            await Task.yield()
            runs.increment()
          }
        })
      await queue.waitUntilAllOperationsAreFinished()
      return runs.current
    }
    #expect(try await operation.value == 40)
  }

  @Test("QX-05 Alone in its queue it goes on at once")
  func waitAlone() async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
    let operation = await queue.add {
      await queue.waitUntilAllOperationsAreFinished()
      return queue.operationCount
    }
    #expect(try await operation.value == 1)
  }

  @Test("QX-05 Bodies that all wait for all do not wait for each other", arguments: [1, 3])
  func waitLikewise(limit: Int) async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: limit)
    let runs = Locked(0)
    let waiting = (0..<3).map { _ in
      AsyncOperation {
        await queue.waitUntilAllOperationsAreFinished()
        return runs.current
      }
    }
    await queue.add(
      waiting + [
        AsyncOperation {
          runs.increment(); return 0
        }
      ])
    for operation in waiting { #expect(try await operation.value == 1) }
  }

  @Test("QX-05 Nor does it wait for its dependents, or for a barrier behind it, which wait for it")
  func waitAhead() async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 2, isSuspended: true)
    let recorder = Recorder<String>()
    let waiting = AsyncOperation {
      await queue.waitUntilAllOperationsAreFinished()
      recorder.note("waiting")
    }
    let dependent = AsyncOperation { recorder.note("dependent") }
    let other = AsyncOperation { recorder.note("other") }
    try await dependent.addDependency(waiting)
    await queue.add(waiting, dependent, other)
    await queue.addBarrier { recorder.note("barrier") }
    await queue.resume()
    await queue.waitUntilAllOperationsAreFinished()
    #expect(recorder.begun == ["other", "waiting", "dependent", "barrier"])
  }

  @Test("QX-05 In a body of another queue it waits until the queue is empty")
  func waitForOther() async throws {
    let (queue, other) = (
      AsyncOperationQueue(maxConcurrentOperationCount: 1), AsyncOperationQueue(maxConcurrentOperationCount: 1)
    )
    let blocker = Blocker()
    await other.add(blocker.operation)
    let waiting = await queue.add {
      await other.waitUntilAllOperationsAreFinished()
      return blocker.operation.isFinished
    }
    // It begins when the slot has been lent.
    await queue.addAndWait([AsyncOperation {}])
    blocker.release.open()
    #expect(try await waiting.value)
  }
}
