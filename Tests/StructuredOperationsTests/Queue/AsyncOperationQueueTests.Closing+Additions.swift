import TestSupport
import Testing

@testable import StructuredOperations

// Batches that are on their way when the queue is closed.
extension AsyncOperationQueueTests.Closing {
  @Test("What another queue refuses since it is being added runs, though the queue that adds it is closed meanwhile")
  func closedMeanwhile() async throws {
    let (queue, other) = (AsyncOperationQueue(), AsyncOperationQueue())
    let states = queue.states
    let operation = AsyncOperation { 1 }
    let additions = try queue.assign(operation)
    queue.close()
    #expect(await other.add(operation) == false)
    let late = AsyncOperation { 2 }
    #expect(await queue.add([late]) == 0 && late.storage.isIdle)

    queue.post(additions)

    #expect(try await operation.value == 1)
    var last: QueueSnapshot?
    for await snapshot in states { last = snapshot }
    #expect(last?.succeededCount == 1)
  }

  @Test("A closed queue whose last call has nothing to add is over")
  func nothingAdded() async {
    let queue = AsyncOperationQueue()
    #expect(queue.shared.beginAdding())
    let states = queue.states
    queue.close()
    let reader = Task { for await _ in states {} }
    queue.perform(queue.shared.endAdding())
    await reader.value
    let refused = AsyncOperation { 1 }
    await AsyncOperationQueue().add(refused)
    #expect(await AsyncOperationQueue().add([refused]) == 0)
  }

  @Test("The end of a scope waits for additions that are on their way", arguments: [false, true])
  func inScope(isEmpty: Bool) async throws {
    for _ in 0..<50 {
      let (operation, escaped) = (AsyncOperation { 1 }, Locked<AsyncOperationQueue?>(nil))
      let additions = Locked<AsyncOperationQueue.Additions?>(nil)
      let isOver = Locked(false)
      let scope = Task {
        try await withOperationQueue { queue in
          if isEmpty {
            #expect(queue.shared.beginAdding())
          } else {
            let assigned = try queue.assign(operation)
            additions.withLock { $0 = assigned }
          }
          escaped.withLock { $0 = queue }
        }
        isOver.withLock { $0 = true }
      }
      #expect(await eventually { escaped.current != nil })
      let queue = try #require(escaped.current)
      #expect(await eventually { await queue.state.scope.hasEnded })
      #expect(!isOver.current && !queue.isClosed)

      if let additions = additions.current { queue.post(additions) } else { queue.perform(queue.shared.endAdding()) }

      try await scope.value
      #expect(queue.isClosed && (isEmpty || operation.outcome?.isSuccess == true))
    }
  }

  @Test("Closing while several are added: what one queue refuses since it is in another one runs there")
  func batchRace() async throws {
    for round in 0..<300 {
      let (queue, other) = (AsyncOperationQueue(), AsyncOperationQueue())
      let operation = AsyncOperation { 1 }
      let others = (0..<200).map { _ in AsyncOperation { 2 } }
      async let count = Task.detached { await queue.add([operation] + others) }.value
      async let closing: Void = Task.detached {
        for _ in 0..<round % 40 { await Task.yield() }
        queue.close()
      }.value
      let isAdded = await other.add(operation)
      await closing
      let isInBatch = await count == others.count + (isAdded ? 0 : 1)
      #expect(isAdded || isInBatch, "nobody runs it")
      if isAdded || isInBatch {
        let value = try await operation.value
        #expect(value == 1)
      }
      await queue.waitUntilAllOperationsAreFinished()
    }
  }
}
