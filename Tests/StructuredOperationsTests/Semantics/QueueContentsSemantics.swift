import Testing
import TestSupport

@testable import StructuredOperations

@Suite("QI Looking at a queue", .hangGuard)
struct QueueContentsSemantics {
  @Test("QC-01, QP-01, QI-09 A new queue has the default limit, is not suspended, and has a name")
  func defaults() async {
    let queue = AsyncOperationQueue()
    #expect(queue.maxConcurrentOperationCount == -1)
    #expect(AsyncOperationQueue.defaultMaxConcurrentOperationCount == -1)
    #expect(!queue.isSuspended)
    #expect(await queue.operations.isEmpty)
    #expect(queue.operationCount == 0)
    #expect(!queue.name.isEmpty)
    #expect(queue.name != AsyncOperationQueue().name)
    #expect(AsyncOperationQueue(name: "images").name == "images")
  }

  @Test("QI-01, QI-02 Operations are listed and counted in the order of addition, whatever their priorities")
  func operations() async {
    let queue = AsyncOperationQueue(isSuspended: true)
    let operations = (0..<50).map { number in
      AsyncOperation(name: "\(number)", queuePriority: QueuePriority.allCases[number % 5]) {}
    }
    await queue.add(operations)
    #expect(await queue.operations.map(\.name) == (0..<50).map { "\($0)" })
    #expect(queue.operationCount == 50)
    await queue.resume()
    await queue.waitUntilAllOperationsAreFinished()
    #expect(await queue.operations.isEmpty)
  }

  @Test("QI-01 What executes is listed among what waits")
  func executingAndWaiting() async {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
    let blocker = Blocker(name: "executing")
    await queue.add(AsyncOperation(name: "waiting", queuePriority: .low) {}, blocker.operation)
    await blocker.begun.wait()
    #expect(await queue.operations.map(\.name) == ["waiting", "executing"])
    #expect(queue.operationCount == 2)
    blocker.release.open()
    await queue.waitUntilAllOperationsAreFinished()
  }

  @Test("QI-03 An operation is gone from the list when it has finished, and observers are told")
  func removal() async {
    let queue = AsyncOperationQueue()
    let (first, second) = (Blocker(), Blocker())
    var states = queue.states.makeAsyncIterator()
    await queue.add(first.operation, second.operation)
    while await states.next()?.operationCount != 2 {}
    await first.begun.wait()
    await second.begun.wait()
    first.release.open()
    while await states.next()?.operationCount != 1 {}
    await first.operation.waitUntilFinished()
    #expect(await queue.operations.elementsEqual([second.operation]) { $0 === $1 })
    second.release.open()
    while await states.next()?.operationCount != 0 {}
    await second.operation.waitUntilFinished()
    #expect(await queue.operations.isEmpty)
  }

  @Test("QI-04 A queue counts what it completes without being asked to")
  func progress() async {
    let queue = AsyncOperationQueue()
    #expect(queue.snapshot.fractionCompleted == 1)
    await queue.addAndWait((0..<3).map { _ in AsyncOperation {} })
    #expect(queue.snapshot.completedCount == 3)
    #expect(queue.snapshot.totalCount == 3)
  }

  @Test("QI-05 Every operation counts for one when it finishes, and a barrier for nothing")
  func unit() async {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
    for number in 1...5 {
      await queue.addBarrier {}
      let operation = await queue.add { await Task.yield() }
      await operation.waitUntilFinished()
      #expect(queue.snapshot.completedCount == number)
      #expect(queue.snapshot.totalCount == number)
    }
  }

  @Test("QI-06 Cancelled and failed operations count as completed")
  func cancelled() async throws {
    let queue = AsyncOperationQueue()
    let (cancelled, failed, unrun) = (AsyncOperation {}, AsyncOperation { throw Failure() }, AsyncOperation {})
    try await unrun.addDependency(failed, requiring: .success)
    cancelled.cancel()
    await queue.addAndWait([cancelled, failed, unrun])
    #expect(queue.snapshot.completedCount == 3)
  }

  @Test("QI-07 The fraction falls when operations are added, the number of completed ones never does")
  func backwards() async {
    let queue = AsyncOperationQueue(isSuspended: true)
    await queue.add {}
    await queue.resume()
    await queue.waitUntilAllOperationsAreFinished()
    #expect(queue.snapshot.fractionCompleted == 1)
    await queue.suspend()
    await queue.add([AsyncOperation {}, AsyncOperation {}, AsyncOperation {}])
    #expect(queue.snapshot.fractionCompleted == 0.25)
    #expect(queue.snapshot.completedCount == 1)
    await queue.resume()
    await queue.waitUntilAllOperationsAreFinished()
  }

  @Test("QI-08 Giving up reading the progress cancels nothing")
  func givenUp() async {
    let queue = AsyncOperationQueue()
    let blocker = Blocker()
    await queue.add(blocker.operation)
    await blocker.begun.wait()
    let reader = Task { for await _ in queue.states {} }
    reader.cancel()
    await reader.value
    #expect(!blocker.operation.isCancelled)
    blocker.release.open()
    await queue.waitUntilAllOperationsAreFinished()
    #expect(blocker.operation.outcome?.isSuccess == true)
  }

  @Test("QI-09 A queue's name is never empty, tells unnamed queues apart, and is free to be the same")
  func names() {
    let unnamed = (0..<10).map { _ in AsyncOperationQueue().name }
    #expect(Set(unnamed).count == 10)
    #expect(unnamed.allSatisfy { !$0.isEmpty })
    #expect(AsyncOperationQueue(name: "same").name == AsyncOperationQueue(name: "same").name)
    #expect(!AsyncOperationQueue.main.name.isEmpty)
  }

  @Test("QI-11 Inside a body the queue is the current one, and a child task's, but not a detached one's")
  func current() async throws {
    #expect(AsyncOperationQueue.current == nil)
    let queue = AsyncOperationQueue()
    let asynchronous = await queue.add {
      let isCurrent = AsyncOperationQueue.current === queue
      let inChild = await Task { AsyncOperationQueue.current === queue }.value
      let inDetached = await Task.detached { AsyncOperationQueue.current === queue }.value
      return isCurrent && inChild && !inDetached
    }
    let synchronous = await queue.add { AsyncOperationQueue.current === queue }
    let callback = AsyncOperation<Bool> { $0.finish(returning: AsyncOperationQueue.current === queue) }
    await queue.add(callback)
    #expect(try await asynchronous.value)
    #expect(try await synchronous.value)
    #expect(try await callback.value)
  }

  @Test("QI-12, QX-07 A queue that nobody holds runs what was added, then goes away")
  func drain() async {
    let runs = Locked(0)
    func make() async -> (Weak, [AsyncOperation<Void>]) {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 2)
      let operations = (0..<100).map { _ in
        AsyncOperation {
          await Task.yield()
          runs.increment()
        }
      }
      await queue.add(operations)
      return (Weak(queue), operations)
    }
    let (queue, operations) = await make()
    for operation in operations { await operation.waitUntilFinished() }
    #expect(runs.current == 100)
    #expect(await eventually { queue.object == nil })
  }

  @Test("QI-14 Tasks carry the queue's name and a number, each its own")
  func taskNames() async throws {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
    let queue = AsyncOperationQueue(name: "images", maxConcurrentOperationCount: 4)
    let rendezvous = Rendezvous(of: 4)
    let names = Locked<Set<String>>([])
    for _ in 0..<4 {
      await queue.add {
        names.withLock { $0.formUnion(Task.name.map { [$0] } ?? []) }
        rendezvous.arriveBlocking()
      }
    }
    await queue.waitUntilAllOperationsAreFinished()
    let numbers = names.current.compactMap { Int($0.trimmingPrefix("images_")) }
    #expect(names.current.count == 4)
    #expect(numbers.count == 4 && numbers.allSatisfy { $0 >= 1 }, "\(names.current)")
  }
}
