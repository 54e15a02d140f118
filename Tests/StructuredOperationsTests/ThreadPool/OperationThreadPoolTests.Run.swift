import Testing
import TestSupport

@testable import StructuredOperations

extension OperationThreadPoolTests {
  @Suite("A blocking stretch of asynchronous code")
  struct Run {
    private enum Local {
      @TaskLocal static var word = "none"
    }

    private static let pool = OperationThreadPool.shared

    @Test("It runs on a thread of the pool, and the caller goes on elsewhere")
    func thread() async throws {
      #expect(try await Self.pool.run { isOnPoolThread() })
      #expect(!isOnPoolThread())
    }

    @Test("What the closure throws is thrown")
    func throwing() async {
      await #expect(throws: Failure(code: 1)) { try await Self.pool.run { throw Failure(code: 1) } }
    }

    @Test("100 of them block at the same time, while asynchronous work goes on")
    func parallel() async throws {
      let rendezvous = Rendezvous(of: 101)
      try await withThrowingTaskGroup { group in
        for _ in 0..<100 { group.addTask { try await Self.pool.run { rendezvous.arriveBlocking() } } }
        #expect(try await AsyncOperationQueue().add { await Task.yield() }.value == ())
        group.addTask { try await Self.pool.run { rendezvous.arriveBlocking() } }
        try await group.waitForAll()
      }
    }

    @Test("Called on an actor it leaves the actor, which others may use meanwhile, and comes back to it")
    @MainActor
    func onActor() async throws {
      let gate = Gate()
      let stretch = Task {
        let isMain = try await Self.pool.run {
          gate.waitBlocking()
          return AsyncOperationQueueTests.Main.isMain()
        }
        MainActor.preconditionIsolated()
        return isMain
      }
      // Runs on the main actor after the stretch has begun, or before.
      await Task { @MainActor in gate.open() }.value
      #expect(try await !stretch.value)
    }

    @Test("Task-local values and the cancellation are those of the calling task")
    func ownTask() async throws {
      let word = try await Local.$word.withValue("mine") { try await Self.pool.run { Local.word } }
      #expect(word == "mine")
      let cancelled = try await Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await Self.pool.run { Task.isCancelled }
      }.value
      #expect(cancelled)
    }

    @Test("A body keeps its slot, is the current one inside, and may wait afterwards")
    func inBody() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      let (begun, mayEnd) = (Gate(), Gate())
      let operation = await queue.add {
        let current = try await Self.pool.run {
          begun.open()
          mayEnd.waitBlocking()
          // By identity: an operation whose output holds it is never freed.
          return (AsyncOperation.current.map { ObjectIdentifier($0) }, AsyncOperationQueue.current === queue)
        }
        return (current.0, current.1, try await queue.add { 42 }.value)
      }
      let next = await queue.add { mayEnd.isOpen }
      await begun.wait()
      #expect(next.state == .ready)
      mayEnd.open()
      let (current, isCurrentQueue, number) = try await operation.value
      #expect(current == operation.id)
      #expect(isCurrentQueue)
      #expect(number == 42)
      #expect(try await next.value)
    }

    @Test("A body under the executor of its own goes on there afterwards")
    func underExecutor() async throws {
      let operation = AsyncOperation(executor: LabelledExecutor("own")) {
        let isOnPool = try await Self.pool.run { isOnPoolThread() && LabelledExecutor.currentLabel == nil }
        return (isOnPool, label())
      }
      try await operation.start()
      #expect(try await operation.value == (true, "own"))
    }

    @Test("Under the pool as executor it runs there, too")
    func underPool() async throws {
      let operation = AsyncOperation(executor: Self.pool) {
        let isInside = try await Self.pool.run { isOnPoolThread() }
        return isInside && isOnPoolThread()
      }
      try await operation.start()
      #expect(try await operation.value)
    }

    @Test("A worker that the closure enqueues is not kept for its thread, so that the closure may block for it")
    func enqueuing() async throws {
      let gate = Gate()
      let isKept = try await Self.pool.run {
        Task(executorPreference: SynchronousBodyExecutor.shared) { gate.open() }
        let isKept = PoolThread.current?.hasKeptJob
        gate.waitBlocking()
        return isKept
      }
      #expect(isKept == false)
    }
  }
}

/// Asked by functions, since an asynchronous one may not ask for its thread.
private func isOnPoolThread() -> Bool { PoolThread.current != nil }

private func label() -> String? { LabelledExecutor.currentLabel }
