import class StructuredOperationsTesting.ManualExecutor
import TestSupport
import Testing

@testable import StructuredOperations

extension AsyncOperationQueueTests {
  @Suite("An operation that is added where there is no runner")
  struct LoneWorkers {
    /// Runs jobs of executors until something has happened.
    private static func running(_ executors: ManualExecutor..., until hasHappened: () -> Bool) async -> Bool {
      await eventually {
        for executor in executors { executor.runUntilIdle() }
        return hasHappened()
      }
    }

    @Test("Its task exists when the addition returns, and is all that it takes: it chooses the operation and runs it")
    func startedByTheAddition() {
      guard #available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *) else { return }
      let executor = ManualExecutor()
      let queue = AsyncOperationQueue(name: "queue", executor: executor)
      let names = Locked<[String?]>([])
      for _ in 0..<2 {
        let (operation, inBatch) = (
          AsyncOperation { () async in names.append(Task.name) }, AsyncOperation { () async in }
        )
        queue.add(operation)
        #expect(executor.jobCount == 1)
        let jobsOfOne = executor.runUntilIdle()
        #expect(operation.isFinished)

        // The runner, and its child task.
        queue.add([inBatch])
        #expect(executor.runUntilIdle() > jobsOfOne)
        #expect(inBatch.isFinished)
      }
      #expect(names.current == ["queue_1", "queue_3"])
      #expect(queue.operationCount == 0)
    }

    @Test("Whoever waits for the queue leaves the turn to it")
    func waitedFor() async {
      let executor = ManualExecutor()
      let (queue, operation) = (AsyncOperationQueue(executor: executor), AsyncOperation { () async in })
      await queue.add(operation)
      let wait = Task { await queue.waitUntilAllOperationsAreFinished() }
      #expect(await eventually { await queue.emptinessWaiters.count == 1 })
      #expect(executor.jobCount == 1)
      executor.runUntilIdle()
      await wait.value
      #expect(operation.isFinished)
    }

    @Test("It begins once observers have been told of the addition, so that it tells them of its begin itself")
    func observers() {
      let executor = ManualExecutor()
      let counts = Locked<[Int]>([])
      let observer = JobCounter(executor: executor, counts: counts)
      let queue = AsyncOperationQueue(executor: executor, observer: observer)
      queue.add(AsyncOperation { () async in })
      #expect(counts.current == [0, 0])
      #expect(executor.jobCount == 1)
      executor.runUntilIdle()
    }

    private struct JobCounter: OperationObserver {
      let executor: ManualExecutor
      let counts: Locked<[Int]>

      func observe(_ event: OperationEvent) {
        if event.kind == .added || event.kind == .ready { counts.append(executor.jobCount) }
      }
    }

    @Test(
      "What cannot begin, or has an executor of its own, leaves the turn to the runner",
      arguments: ["blocked", "cancelled", "with an executor"])
    func leftToTheRunner(how: String) async throws {
      let (executor, own) = (ManualExecutor(), ManualExecutor())
      let queue = AsyncOperationQueue(executor: how == "with an executor" ? nil : executor)
      let dependency = AsyncOperation {}
      let operation = AsyncOperation(executor: how == "with an executor" ? own : nil) { () async in }
      switch how {
      case "blocked": try await operation.addDependency(dependency)
      case "cancelled": operation.cancel()
      default: break
      }
      await queue.add(operation)
      // Nothing but the runner takes a turn here: a lone worker would have the mailbox wait for its own.
      #expect(!queue.shared.isRunnerReplaced)
      try await dependency.start()
      #expect(await Self.running(executor, own) { operation.isFinished })
    }

    @Test("What is added behind one whose executor is busy does not wait for that")
    func heldUpThread() async {
      let (executor, queue) = (ManualExecutor(), AsyncOperationQueue())
      let (held, other) = (AsyncOperation(executor: executor) { () async in }, AsyncOperation {})
      await queue.add(held)
      await queue.add(other)
      await other.waitUntilFinished()
      #expect(!held.isFinished)
      #expect(await Self.running(executor) { held.isFinished })
    }

    @Test("Any turn lets one go that was cancelled before its own; its task finds nothing to run")
    func cancelledBeforeItsTurn() async {
      let executor = ManualExecutor()
      let queue = AsyncOperationQueue(executor: executor)
      let operation = AsyncOperation { () async in Issue.record("it ran") }
      await queue.add(operation)
      operation.cancel()
      await queue.suspend()
      await queue.resume()
      await operation.waitUntilFinished()
      #expect(operation.isCancelled)
      // The runner finds nothing either.
      executor.runUntilIdle()
      #expect(executor.jobCount == 0)
    }

    @Test("While it runs, others start beside it up to the limit, and it goes on with those behind the limit")
    func others() async {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 2)
      let (first, second) = (Blocker(), Blocker())
      await queue.add(first.operation)
      await first.begun.wait()
      await queue.add(second.operation)
      await second.begun.wait()
      let rest = (0..<10).map { _ in AsyncOperation {} }
      await queue.add(rest)
      #expect(rest.allSatisfy { !$0.isFinished })
      first.release.open()
      for operation in rest { await operation.waitUntilFinished() }
      second.release.open()
      await queue.waitUntilAllOperationsAreFinished()
    }

    @Test("A caller of run takes the turn itself, and waits for no other task")
    func call() async {
      let (executor, isOver) = (ManualExecutor(), Locked(false))
      let queue = AsyncOperationQueue(executor: executor)
      Task {
        try await queue.run {}
        isOver.withLock { $0 = true }
      }
      // The executor has run nothing yet.
      #expect(await eventually { queue.snapshot.executingCount == 1 })
      #expect(await Self.running(executor) { isOver.current })
    }

    @Test(
      "A call leaves the turn to the runner where its task prefers another executor than the queue's",
      arguments: [false, true])
    func callWithExecutor(isOfQueue: Bool) async {
      let (executor, isOver) = (ManualExecutor(), Locked(false))
      let queue = AsyncOperationQueue(executor: isOfQueue ? executor : nil)
      Task(executorPreference: executor) {
        try await queue.run {}
        isOver.withLock { $0 = true }
      }
      #expect(executor.step())
      // The task has added its operation. A turn of its own would wait for the executor now.
      #expect(queue.operationCount == 1)
      #expect(queue.shared.isRunnerReplaced == isOfQueue)
      #expect(await Self.running(executor) { isOver.current })
    }

    @Test(
      "A completion block that is set late, while it runs, is a task of the queue all the same",
      arguments: [false, true])
    func lateCompletionBlock(besideBarrier: Bool) async {
      guard #available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *) else { return }
      let queue = AsyncOperationQueue(name: "queue", maxConcurrentOperationCount: 1)
      let (operation, blocker, barrier) = (AsyncOperation {}, Blocker(), Blocker())
      await queue.add(operation)
      await operation.waitUntilFinished()
      await queue.add(blocker.operation)
      await blocker.begun.wait()
      if besideBarrier {
        // No slot is free for it, so that it wakes nobody, and the worker goes on with it.
        await queue.addBarrier {
          barrier.begun.open()
          await barrier.release.wait()
        }
        blocker.release.open()
        await barrier.begun.wait()
      }
      let (done, name) = (Gate(), Locked<String?>(nil))
      await operation.setCompletionBlock {
        name.withLock { $0 = Task.name }
        done.open()
      }
      await done.wait()
      #expect(name.current?.hasPrefix("queue_") == true)
      blocker.release.open()
      barrier.release.open()
      await queue.waitUntilAllOperationsAreFinished()
    }

    @Test("A queue that nobody holds is freed once it has ended")
    func freed() async {
      func make() -> (queue: Weak, blocker: Blocker) {
        let (queue, blocker) = (AsyncOperationQueue(), Blocker())
        queue.add(blocker.operation)
        return (Weak(queue), blocker)
      }
      let (queue, blocker) = make()
      await blocker.begun.wait()
      #expect(queue.object != nil)
      blocker.release.open()
      #expect(await eventually { queue.object == nil })
    }
  }
}
