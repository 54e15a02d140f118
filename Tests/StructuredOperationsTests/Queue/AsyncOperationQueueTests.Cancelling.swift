import Testing

@testable import StructuredOperations

extension AsyncOperationQueueTests {
  @Suite("Cancelling and waiting for all")
  struct Cancelling {
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
      #expect(await queue.operationCount == 1)
      release.open()
      #expect((try? await operation.value) == true)
    }

    @Test("QX-01 In a suspended queue all stay, and are cancelled when it resumes")
    func suspended() async {
      let queue = AsyncOperationQueue(isSuspended: true)
      let operations = (0..<5).map { _ in AsyncOperation { Issue.record("it ran") } as AsyncOperation<Void> }
      await queue.add(operations)
      await queue.cancelAllOperations()
      #expect(await queue.operationCount == 5)
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

    @Test("CN-10 A body may cancel its whole queue, itself included")
    func fromBody() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      let first = AsyncOperation {
        await queue.cancelAllOperations()
        return Task.isCancelled
      }
      let second = AsyncOperation {}
      await queue.add(first, second)
      #expect(try await first.value)
      await second.waitUntilFinished()
      #expect(second.outcome?.isCancelled == true)
    }

    @Test("cancelAll comes at any time under load, and nothing hangs or runs twice")
    func underLoad() async {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 3)
      let runs = Locked(0)
      let all = Locked<[AsyncOperation<Void>]>([])
      async let adding: Void = {
        for _ in 0..<1_000 {
          let operation = AsyncOperation {
            runs.increment()
            await Task.yield()
          }
          all.append(operation)
          await queue.add(operation)
        }
      }()
      for _ in 0..<50 {
        await Task.yield()
        await queue.cancelAllOperations()
      }
      await adding
      await queue.waitUntilAllOperationsAreFinished()
      let succeeded = all.current.filter { $0.outcome?.isSuccess == true }.count
      #expect(succeeded == runs.current)
      #expect(all.current.allSatisfy { $0.isFinished })
      #expect(await queue.snapshot.completedCount == 1_000)
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

    @Test("QP-06 On a suspended queue it waits until that is resumed; cancelling the waiter changes nothing")
    func suspendedQueue() async {
      let queue = AsyncOperationQueue(isSuspended: true)
      let operation = AsyncOperation {}
      await queue.add(operation)
      let waiter = Task {
        await queue.waitUntilAllOperationsAreFinished()
        return operation.isFinished
      }
      waiter.cancel()
      await queue.resume()
      #expect(await waiter.value)
      #expect(!operation.isCancelled)
    }

    @Test("Many tasks wait for all while others add: each wait finds its own operation finished")
    func waitersUnderLoad() async {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 4)
      await withTaskGroup { group in
        for _ in 0..<4 {
          group.addTask {
            for _ in 0..<100 {
              let operation = await queue.add { await Task.yield() }
              await queue.waitUntilAllOperationsAreFinished()
              #expect(operation.isFinished)
            }
          }
        }
      }
    }
  }
}
