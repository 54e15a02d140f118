import Testing
import TestSupport

@testable import StructuredOperations

extension AsyncOperationQueueTests {
  @Suite("Executors and task priorities")
  struct WorkerTraits {
    /// Asked by a function, since an asynchronous one may not ask for its thread.
    private static func place() -> String {
      LabelledExecutor.currentLabel ?? (PoolThread.current != nil ? "pool" : "cooperative")
    }

    /// Yields until the task, which has no executor, is on a thread of the cooperative pool.
    ///
    /// An asynchronous body may begin on another one. Example: a task with an executor has a turn of the queue, and with it the
    /// turn of the task that runs the body, which asks for its next operation; the runtime lets that task go on on the same
    /// thread. It stays there even after a yield, if the job that resumes it runs, on another thread, before it has suspended.
    private static func leaveThreadOfOthers() async {
      for _ in 0..<10_000 {
        await Task.yield()
        if place() == "cooperative" { return }
      }
    }

    @Test("Operations of mixed executors and priorities each run where and how they have to", arguments: [1, 3, 64])
    func mixed(limit: Int) async {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: limit)
      let executors: [LabelledExecutor?] = [nil, LabelledExecutor("a"), LabelledExecutor("b", isConcurrent: true)]
      let priorities: [TaskPriority?] = [nil, .low, .high]
      let wrong = Locked<[String]>([])
      let runs = Locked(0)
      var random = SeededGenerator(seed: UInt64(limit))
      for _ in 0..<400 {
        let executor = executors[Int.random(in: 0..<3, using: &random)]
        let priority = priorities[Int.random(in: 0..<3, using: &random)]
        @Sendable func check(_ usual: String) {
          runs.increment()
          let place = Self.place()
          if place != executor?.label ?? usual { wrong.append("\(place) for \(executor?.label ?? usual)") }
          if let priority, Task.basePriority != priority { wrong.append("\(Task.basePriority as Any) for \(priority)") }
        }
        if Bool.random(using: &random) {
          await queue.add(taskPriority: priority, executor: executor) { check("pool") }
        } else {
          await queue.add(taskPriority: priority, executor: executor) {
            if executor == nil { await Self.leaveThreadOfOthers() }
            check("cooperative")
          }
        }
      }
      await queue.waitUntilAllOperationsAreFinished()
      #expect(wrong.current == [])
      #expect(runs.current == 400)
    }

    @Test("Who adds hands on neither priority nor task-local values")
    func nothingInherited() async throws {
      let queue = AsyncOperationQueue()
      let operation = AsyncOperation { TaskValue.number }
      await TaskValue.$number.withValue(7) {
        await Task(priority: .low) { _ = await queue.add(operation) }.value
      }
      #expect(try await operation.value == 0)
    }

    @Test("The operation's executor wins over the queue's")
    func operationExecutor() async throws {
      let queue = AsyncOperationQueue(executor: LabelledExecutor("queue"))
      let operation = await queue.add(executor: LabelledExecutor("operation")) { Self.place() }
      let pooled = await queue.add(executor: OperationThreadPool.shared) {
        await Task.yield()
        return Self.place()
      }
      #expect(try await operation.value == "operation")
      #expect(try await pooled.value == "pool")
    }
  }
}

private enum TaskValue {
  @TaskLocal static var number = 0
}
