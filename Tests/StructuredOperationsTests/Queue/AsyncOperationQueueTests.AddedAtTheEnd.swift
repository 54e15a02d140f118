import TestSupport
import Testing

@testable import StructuredOperations

extension AsyncOperationQueueTests {
  /// Observers are told of an end in the turn in which an operation leaves unrun, and may add others then.
  @Suite("What an observer adds as the last operation leaves", .hangGuard)
  struct AddedAtTheEnd {
    private let added: AsyncOperation<Void>
    private let release = Gate()
    private let last = AsyncOperation(name: "last") {}
    private let queue: AsyncOperationQueue

    init() async throws {
      let added = AsyncOperation { [release] in await release.wait() }
      self.added = added
      queue = AsyncOperationQueue(
        observer: EventRecorder { event in
          if event.kind == .finished, event.operation.name == "last" { event.queue?.add(added) }
        })
      try await last.addDependency(AsyncOperation {})
      await queue.add(last)
    }

    @Test("A task that waits for the queue waits for that, too")
    func task() async {
      let waiting = Task { [queue, added] in
        await queue.waitUntilAllOperationsAreFinished()
        return added.isFinished
      }
      #expect(await eventually { await !queue.emptinessWaiters.isEmpty })
      last.cancel()
      #expect(await eventually { added.isExecuting })
      #expect(await !queue.emptinessWaiters.isEmpty)
      release.open()
      #expect(await waiting.value)
    }

    @Test("So does a task whose wait takes that very turn")
    func ownTurn() async {
      let waiting = Task { [queue, last, added] in
        await queue.wait(afterCancelling: last)
        return added.isFinished
      }
      #expect(await eventually { added.isExecuting })
      release.open()
      #expect(await waiting.value)
    }

    @Test("So does a body that waits for everything", arguments: [false, true])
    func body(isInQueue: Bool) async throws {
      let elsewhere = AsyncOperationQueue()
      let waiting = await (isInQueue ? queue : elsewhere).add { [queue, added] in
        await queue.waitUntilAllOperationsAreFinished()
        return added.isFinished
      }
      #expect(await eventually { await !queue.state.wholeQueueWaits.isEmpty })
      #expect(await (isInQueue ? queue : elsewhere).hasWaitingBodies(1))
      last.cancel()
      #expect(await eventually { added.isExecuting })
      release.open()
      #expect(try await waiting.value)
    }

    /// The queue has to look again though it may have no slot for what was added, which asks for no turn then.
    @Test("A body that waits for everything does not wait for that where it depends on the body", arguments: [0, 1])
    func dependent(width: Int) async throws {
      let waiting = AsyncOperation { [queue] in await queue.waitUntilAllOperationsAreFinished() }
      try await added.addDependency(waiting)
      try await queue.setMaxConcurrentOperationCount(width)
      await AsyncOperationQueue().add(waiting)
      #expect(await eventually { await !queue.state.wholeQueueWaits.isEmpty })
      last.cancel()
      await waiting.waitUntilFinished()
      try await queue.setMaxConcurrentOperationCount(1)
      release.open()
      await added.waitUntilFinished()
    }

    @Test("So does a body where the last operation leaves as the queue is resumed")
    func resumed() async throws {
      let elsewhere = AsyncOperationQueue()
      let waiting = await elsewhere.add { [queue, added] in
        await queue.waitUntilAllOperationsAreFinished()
        return added.isFinished
      }
      #expect(await eventually { await !queue.state.wholeQueueWaits.isEmpty })
      await queue.suspend()
      last.cancel()
      await queue.resume()
      #expect(await eventually { added.isExecuting })
      release.open()
      #expect(try await waiting.value)
    }
  }
}

extension AsyncOperationQueue {
  /// On the actor all the time, so that no other turn hears of the cancellation.
  fileprivate func wait(afterCancelling operation: AsyncOperation<Void>) async {
    operation.cancel()
    await waitUntilEmpty()
  }
}
