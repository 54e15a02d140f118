import Testing
import TestSupport

@testable import StructuredOperations

@Suite("QS Task priority and name", .hangGuard)
struct TaskPrioritySemantics {
  /// The task priority of a body of each kind.
  private func priorities(own: TaskPriority?, queue: TaskPriority?) async throws -> [TaskPriority?] {
    let queue = AsyncOperationQueue(taskPriority: queue)
    let main = await queue.add(taskPriority: own) { Task.basePriority }
    let start = await queue.add(taskPriority: own) {
      await Task.yield()
      return Task.basePriority
    }
    let callback = AsyncOperation<TaskPriority?>(taskPriority: own) { $0.finish(returning: Task.basePriority) }
    await queue.add(callback)
    return try await [main.value, start.value, callback.value]
  }

  @Test(
    "QS-01 An operation that says nothing has the priority of its queue",
    arguments: [TaskPriority.low, .medium, .high])
  func unsaid(queue: TaskPriority) async throws {
    #expect(try await priorities(own: nil, queue: queue) == [queue, queue, queue])
  }

  @Test(
    "QS-02 A queue that says nothing leaves each operation its own priority, also a low one",
    arguments: [TaskPriority.low, .high])
  func unsaidByQueue(own: TaskPriority) async throws {
    #expect(try await priorities(own: own, queue: nil) == [own, own, own])
  }

  @Test("QS-02 A queue that says nothing takes nothing over from the task that makes it or adds to it")
  func notInherited() async throws {
    let found = try await Task(priority: .low) { try await priorities(own: nil, queue: nil) }.value
    #expect(found == [.medium, .medium, .medium])
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

  /// Where a body runs.
  enum Place: CaseIterable, Sendable { case alone, inBatch, besideOthers, inScope, startedByHand }

  @Test(
    "QS-03 The body runs at that priority, and not at that of the task that its own one is a child of",
    arguments: Place.allCases,
    [(TaskPriority.high, nil), (.high, .low), (.low, .high), (nil, .high)] as [(TaskPriority?, TaskPriority?)])
  func runningPriority(place: Place, priorities: (own: TaskPriority?, queue: TaskPriority?)) async throws {
    guard #available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *) else { return }
    let (own, queues) = priorities
    let queue = AsyncOperationQueue(taskPriority: queues)
    let asynchronous = AsyncOperation(taskPriority: own) { () async in Task.currentPriority }
    let synchronous = AsyncOperation(taskPriority: own) { Task.currentPriority }
    let gate = Gate()
    // Not awaited before they have run, which would raise them.
    let isDone = Gate()
    let last = AsyncOperation { isDone.open() }
    try await last.addDependencies([asynchronous, synchronous])
    switch place {
    case .alone:
      await queue.add(asynchronous)
      await queue.add(synchronous)
    case .inBatch: await queue.add(asynchronous, synchronous)
    case .besideOthers:
      let other = await queue.add { await gate.wait() }
      #expect(await eventually { other.isExecuting })
      await queue.add(asynchronous, synchronous)
    case .inScope:
      try await Task(priority: .low) {
        try await withOperationQueue(taskPriority: queues) { _ = await $0.add(asynchronous, synchronous) }
      }.value
    case .startedByHand:
      if own != .high { return }
      try await Task.detached(priority: .low) {
        try await asynchronous.start()
        try await synchronous.start()
      }.value
    }
    await queue.add(last)
    await isDone.wait()

    for operation in [asynchronous, synchronous] { #expect(try await operation.value >= .high) }
    gate.open()
  }

  @Test("QS-03 What has a high priority is raised by a task of a still higher one, as any other is")
  func raisedFromOwn() async throws {
    guard #available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *) else { return }
    let (isRunning, isRaised) = (Gate(), Gate())
    let urgent = TaskPriority(rawValue: TaskPriority.high.rawValue + 8)
    let body = AsyncOperation(taskPriority: .high) { () async -> [TaskPriority] in
      let before = Task.currentPriority
      await withTaskPriorityEscalationHandler {
        // Here, since the handler is not told of what came before it.
        isRunning.open()
        await isRaised.wait()
      } onPriorityEscalated: { _, _ in
        isRaised.open()
      }
      return [before, Task.currentPriority]
    }
    await AsyncOperationQueue().add(body, AsyncOperation {})
    await isRunning.wait()

    let priorities = try await Task.detached(priority: urgent) { try await body.value }.value

    #expect(priorities == [.high, urgent])
  }

  @Test("QS-04 The queue raises what is below its priority, and lowers nothing")
  func raised() async throws {
    #expect(try await priorities(own: .low, queue: .high) == [.high, .high, .high])
    #expect(try await priorities(own: .high, queue: .low) == [.high, .high, .high])
  }

  @Test("QS-05 Under a queue's executor priority and name of an operation are still its own")
  func underExecutor() async throws {
    let queue = AsyncOperationQueue(executor: LabelledExecutor("queue"))
    let operation = await queue.add(name: "named", taskPriority: .high) {
      (AsyncOperation.current?.name, Task.basePriority, LabelledExecutor.currentLabel)
    }
    let (name, priority, label) = try await operation.value
    #expect(name == "named")
    #expect(priority == .high)
    #expect(label == "queue")
  }

  @Test("QS-07 An operation has no name unless it was given one, and keeps it", arguments: [nil, "resize"])
  func name(_ name: String?) async throws {
    let operation = AsyncOperation(name: name) {}
    #expect(operation.name == name)
    try await operation.start()
    #expect(operation.name == name)
    let same = AsyncOperation(name: name) {}
    #expect(await AsyncOperationQueue().add(operation, same) == 1, "a name need not be the only one")
    await same.waitUntilFinished()
  }
}
