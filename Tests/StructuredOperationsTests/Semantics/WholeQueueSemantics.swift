import Testing
import TestSupport

@testable import StructuredOperations

@Suite("QX The whole queue", .hangGuard)
struct WholeQueueSemantics {
  @Test("QX-01, CN-16 All are cancelled in one turn: no operation of a chain slips through")
  func chain() async throws {
    for _ in 0..<100 {
      let queue = AsyncOperationQueue()
      let ran = Locked(0)
      let blocker = Blocker()
      var chain = [blocker.operation]
      for _ in 0..<20 {
        let next = AsyncOperation { ran.increment() }
        try await next.addDependency(chain[chain.count - 1])
        chain.append(next)
      }
      await queue.add(chain)
      await blocker.begun.wait()
      await queue.cancelAllOperations()
      blocker.release.open()
      await queue.waitUntilAllOperationsAreFinished()
      #expect(ran.current == 0)
      #expect(chain.dropFirst().allSatisfy { $0.outcome?.isCancelled == true })
      #expect(blocker.operation.isCancelled)
    }
  }

  @Test("QX-01 It cancels the tasks of those that run, and removes none")
  func executing() async {
    let queue = AsyncOperationQueue()
    let (begun, release) = (Gate(), Gate())
    let operation = AsyncOperation {
      begun.open()
      await release.wait()
      return Task.isCancelled
    }
    await queue.add(operation)
    await begun.wait()
    await queue.cancelAllOperations()
    #expect(operation.isExecuting)
    #expect(queue.operationCount == 1)
    release.open()
    #expect((try? await operation.value) == true)
  }

  @Test("QX-01 In a suspended queue all stay, and are cancelled when it resumes")
  func suspended() async {
    let queue = AsyncOperationQueue(isSuspended: true)
    let operations = (0..<5).map { _ in AsyncOperation { Issue.record("it ran") } as AsyncOperation<Void> }
    await queue.add(operations)
    await queue.cancelAllOperations()
    #expect(queue.operationCount == 5)
    await queue.resume()
    await queue.waitUntilAllOperationsAreFinished()
    #expect(operations.allSatisfy { $0.outcome?.isCancelled == true })
  }

  @Test("QX-02 What is added afterwards is not cancelled")
  func laterAdds() async throws {
    let queue = AsyncOperationQueue()
    await queue.cancelAllOperations()
    let operation = await queue.add { 1 }
    #expect(try await operation.value == 1)
  }

  @Test("QX-03 Waiting for all returns at once where the queue is empty, and lets all waiters go where it becomes so")
  func waitForAll() async {
    let queue = AsyncOperationQueue()
    await queue.waitUntilAllOperationsAreFinished()
    let blocker = Blocker()
    await queue.add(blocker.operation)
    let waiters = (0..<50).map { _ in
      Task {
        await queue.waitUntilAllOperationsAreFinished()
        return blocker.operation.isFinished
      }
    }
    blocker.release.open()
    for waiter in waiters { #expect(await waiter.value) }
  }

  @Test("QX-04, QA-15 It waits for what is added meanwhile")
  func addedMeanwhile() async {
    let queue = AsyncOperationQueue()
    let count = Locked(0)
    @Sendable func addNext(_ number: Int) {
      queue.add {
        count.increment()
        if number > 1 { addNext(number - 1) }
      }
    }
    addNext(100)
    await queue.waitUntilAllOperationsAreFinished()
    #expect(count.current == 100)
  }

  @Test("QX-06 Waiting for all waits for barriers, the last one included")
  func barriers() async {
    let queue = AsyncOperationQueue()
    let (release, ended) = (Gate(), Gate())
    await queue.add {}
    await queue.addBarrier {}
    await queue.addBarrier {
      await release.wait()
      ended.open()
    }
    #expect(await eventually { queue.operationCount == 0 })
    let opener = Task {
      for _ in 0..<100 { await Task.yield() }
      release.open()
    }
    await queue.waitUntilAllOperationsAreFinished()
    #expect(ended.isOpen)
    await opener.value
  }
}
