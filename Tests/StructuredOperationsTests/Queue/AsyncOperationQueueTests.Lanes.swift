import Testing

@testable import StructuredOperations

extension AsyncOperationQueueTests {
  @Suite("Executors and task priorities")
  struct Lanes {
    /// Asked by a function, since an asynchronous one may not ask for its thread.
    private static func place() -> String {
      LabelledExecutor.currentLabel ?? (PoolThread.current != nil ? "pool" : "cooperative")
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
            await Task.yield()
            check("cooperative")
          }
        }
      }
      await queue.waitUntilAllOperationsAreFinished()
      #expect(wrong.current == [])
      #expect(runs.current == 400)
    }

    @Test("QS-03 The task priority is the higher one of the operation's and the queue's")
    func priorities() async throws {
      for (own, queues, expected) in [
        (nil, TaskPriority.high, TaskPriority.high), (.low, .high, .high), (.high, .low, .high), (.high, nil, .high),
        (nil, .low, .low),
      ] as [(TaskPriority?, TaskPriority?, TaskPriority)] {
        let queue = AsyncOperationQueue(taskPriority: queues)
        let main = await queue.add(taskPriority: own) { Task.basePriority }
        let start = await queue.add(taskPriority: own) {
          await Task.yield()
          return Task.basePriority
        }
        #expect(try await main.value == expected)
        #expect(try await start.value == expected)
      }
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

    @Test("Under a queue's executor everything runs there: bodies of every kind, barriers, completion blocks")
    func queueExecutor() async throws {
      let executor = LabelledExecutor("queue")
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 3, executor: executor)
      let places = Locked<[String]>([])
      @Sendable func note() { places.append(Self.place()) }
      let done = Gate()
      let last = AsyncOperation<Void> { completion in
        note()
        completion.finish()
      }
      await last.setCompletionBlock {
        note()
        await Task.yield()
        note()
        done.open()
      }
      let blocks = ExecutionBlocks { note() }
      try blocks.add {
        await Task.yield()
        note()
      }
      await queue.add { note() }
      await queue.add {
        note()
        await Task.yield()
        note()
      }
      await queue.add(AsyncOperation(blocks))
      await queue.addBarrier { note() }
      await queue.addBarrier {
        await Task.yield()
        note()
      }
      await queue.add(last)
      try await queue.run { note() }
      await done.wait()
      await queue.waitUntilAllOperationsAreFinished()
      #expect(places.current.count == 11)
      #expect(Set(places.current) == ["queue"])
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

    @Test("Synchronous bodies of a queue with a serial executor still keep to its limit and order")
    func serialExecutor() async {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 8, executor: LabelledExecutor("serial"))
      let recorder = Recorder<Int>()
      for number in 0..<200 {
        await queue.add {
          recorder.begin(number)
          recorder.end(number)
        }
      }
      await queue.waitUntilAllOperationsAreFinished()
      #expect(recorder.peak == 1)
      #expect(recorder.ended.count == 200)
    }
  }
}

private enum TaskValue {
  @TaskLocal static var number = 0
}
