import Testing
import TestSupport

@testable import StructuredOperations

extension OperationWaitSemantics {
  // Queues of one slot, so that the order is the queue's.
  @Suite("WT-07 Priority donation", .timeLimit(.minutes(15)), .hangGuard)
  struct Donation {
    @Test("WT-07 what a task of high priority awaits goes ahead of the others; without it the order of addition holds")
    func order() async {
      for priority in [TaskPriority.medium, .high] {
        let scene = await Scene()
        let waiter = Task(priority: priority) { await scene.awaited.waitUntilFinished() }
        #expect(await scene.isRaised(scene.awaited, priority == .high))

        await scene.queue.resume()

        await waiter.value
        await scene.queue.waitUntilAllOperationsAreFinished()
        #expect(scene.recorder.begun == (priority == .high ? ["awaited", "1", "2"] : ["1", "2", "awaited"]))
      }
    }

    @Test("WT-07 so does what the awaited operation depends on, also where the dependency is added later")
    func dependencies() async throws {
      let scene = await Scene()
      let dependent = AsyncOperation { scene.recorder.note("dependent") }
      let between = AsyncOperation { scene.recorder.note("between") }
      try await dependent.addDependency(between)
      await scene.queue.add(between, dependent)
      let waiter = Task(priority: .high) { await dependent.waitUntilFinished() }
      #expect(await scene.isRaised(between, true))

      try await between.addDependency(scene.awaited)
      await scene.queue.resume()

      await waiter.value
      #expect(scene.recorder.begun.prefix(3) == ["awaited", "between", "dependent"])
      await scene.queue.waitUntilAllOperationsAreFinished()
    }

    @Test("WT-07 an operation that is awaited before it is added is raised all the same")
    func beforeAdding() async {
      let scene = await Scene()
      let late = AsyncOperation { scene.recorder.note("late") }
      let waiter = Task(priority: .high) { await late.waitUntilFinished() }
      #expect(await scene.isRaised(late, true))

      await scene.queue.add(late)
      await scene.queue.resume()

      await waiter.value
      #expect(scene.recorder.begun.first == "late")
      await scene.queue.waitUntilAllOperationsAreFinished()
    }

    @Test("WT-07 a task that is raised while it waits hands that on")
    func escalation() async {
      guard #available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *) else { return }
      let scene = await Scene()
      let waiter = Task(priority: .low) { await scene.awaited.waitUntilFinished() }
      let others = Task(priority: .high) { await waiter.value }
      #expect(await scene.isRaised(scene.awaited, true))

      await scene.queue.resume()

      await others.value
      #expect(scene.recorder.begun.first == "awaited")
      await scene.queue.waitUntilAllOperationsAreFinished()
    }

    @Test("WT-07 a running body's task is raised, without a change of its base priority; the next operation's is not")
    func runningBody() async throws {
      guard #available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *) else { return }
      let isRunning = Gate()
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      let body = AsyncOperation(taskPriority: .low) {
        isRunning.open()
        let isRaised = await eventually { Task.currentPriority == .high }
        return (isRaised, Task.basePriority)
      }
      let next = AsyncOperation(taskPriority: .low) { await priority() }
      await queue.add(body, next)
      await isRunning.wait()

      let (isRaised, base) = try await Task(priority: .high) { try await body.value }.value

      #expect(isRaised)
      #expect(base == .low)
      #expect(try await next.value != .high)
    }

    @Test("WT-07 a body that was awaited before it began is raised from its beginning", arguments: [false, true])
    func beforeBeginning(isBlocking: Bool) async throws {
      guard #available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *) else { return }
      let scene = await Scene()
      let body =
        isBlocking
        ? AsyncOperation(taskPriority: .low) { (Task.currentPriority, Task.basePriority) }
        : AsyncOperation(taskPriority: .low) { (await priority(), Task.basePriority) }
      await scene.queue.add(body)
      let waiter = Task(priority: .high) { try await body.value }
      #expect(await scene.isRaised(body, true))

      await scene.queue.resume()

      let (current, base) = try await waiter.value
      #expect(current == .high)
      #expect(base == .low)
      await scene.queue.waitUntilAllOperationsAreFinished()
    }

    @Test("WT-07 an operation with an executor of its own goes ahead, too, and the task of its body is not raised")
    func ownExecutor() async throws {
      let scene = await Scene()
      let isRunning = Gate()
      let mayEnd = Gate()
      let own = AsyncOperation(taskPriority: .low, executor: LabelledExecutor("own")) {
        scene.recorder.note("own")
        isRunning.open()
        await mayEnd.wait()
        return Task.currentPriority
      }
      await scene.queue.add(own)
      let waiter = Task(priority: .high) { try await own.value }
      #expect(await scene.isRaised(own, true))

      await scene.queue.resume()
      await isRunning.wait()
      // Raised once more while the body runs.
      OperationStorage.escalate([own.storage], to: TaskPriority(rawValue: TaskPriority.high.rawValue + 1))
      mayEnd.open()

      #expect(try await waiter.value < .high)
      #expect(scene.recorder.begun.first == "own")
      await scene.queue.waitUntilAllOperationsAreFinished()
    }

    @Test("WT-07 the priority goes through a body that waits in its turn")
    func throughBodies() async {
      guard #available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *) else { return }
      let isWaiting = Gate()
      let scene = await Scene()
      let other = AsyncOperationQueue()
      let between = await other.add {
        isWaiting.open()
        await scene.awaited.waitUntilFinished()
      }
      await isWaiting.wait()

      let waiter = Task(priority: .high) { await between.waitUntilFinished() }
      #expect(await scene.isRaised(scene.awaited, true))
      await scene.queue.resume()

      await waiter.value
      #expect(scene.recorder.begun.first == "awaited")
      await scene.queue.waitUntilAllOperationsAreFinished()
    }

    @Test("WT-07 so does what an operation depends on that is as urgent already")
    func throughUrgentOnes() async throws {
      let scene = await Scene()
      let urgent = AsyncOperation(taskPriority: .high) { scene.recorder.note("urgent") }
      try await urgent.addDependency(scene.awaited)
      await scene.queue.add(urgent)
      let waiter = Task(priority: .high) { await urgent.waitUntilFinished() }
      #expect(await scene.isRaised(scene.awaited, true))

      await scene.queue.resume()

      await waiter.value
      #expect(scene.recorder.begun.prefix(2) == ["awaited", "urgent"])
      await scene.queue.waitUntilAllOperationsAreFinished()
    }

    @Test("WT-07 addAndWait hands on the priority, too")
    func addAndWait() async {
      let scene = await Scene()
      let last = AsyncOperation { scene.recorder.note("last") }
      let waiter = Task(priority: .high) { await scene.queue.addAndWait([last]) }
      #expect(await scene.isRaised(last, true))

      await scene.queue.resume()

      await waiter.value
      #expect(scene.recorder.begun.first == "last")
      await scene.queue.waitUntilAllOperationsAreFinished()
    }

    @Test(
      "WT-07 what one operation depends on keeps its order, whether or not a turn has admitted it before",
      arguments: [false, true])
    func severalDependencies(isAdmitted: Bool) async throws {
      let scene = await Scene()
      let parts = (1...3).map { number in AsyncOperation { scene.recorder.note("part \(number)") } }
      let whole = AsyncOperation { scene.recorder.note("whole") }
      for part in parts {
        try await whole.addDependency(part)
        await scene.queue.add(part)
      }
      await scene.queue.add(whole)
      if isAdmitted { await scene.queue.process() }
      let waiter = Task(priority: .high) { await whole.waitUntilFinished() }
      #expect(await scene.hasMoved(4))

      await scene.queue.resume()

      await waiter.value
      #expect(scene.recorder.begun.prefix(4) == ["part 1", "part 2", "part 3", "whole"])
      await scene.queue.waitUntilAllOperationsAreFinished()
    }

    @Test(
      "WT-07 PR-08 what one task awaits at once keeps the order of its levels, whether or not a turn has admitted it before",
      arguments: [false, true])
    func severalAwaited(isAdmitted: Bool) async {
      let scene = await Scene()
      let levels: [QueuePriority] = [.normal, .low, .veryHigh, .veryLow, .normal]
      let operations = levels.enumerated().map { number, level in
        AsyncOperation(queuePriority: level) { scene.recorder.note("\(number): \(level)") }
      }
      if isAdmitted {
        await scene.queue.add(operations)
        await scene.queue.process()
      }
      let waiter = Task(priority: .high) { await scene.queue.addAndWait(operations) }
      // One of them is in the highest level.
      #expect(await scene.hasMoved(4))

      await scene.queue.resume()

      await waiter.value
      #expect(scene.recorder.begun.prefix(5) == ["2: veryHigh", "0: normal", "4: normal", "1: low", "3: veryLow"])
      await scene.queue.waitUntilAllOperationsAreFinished()
    }

    @Test("WT-07 PR-06 another level does not move what is awaited: it stays in the highest one")
    func levelOfAwaited() async {
      let scene = await Scene()
      let other = AsyncOperation { scene.recorder.note("other") }
      await scene.queue.add(other)
      OperationStorage.escalate([scene.awaited.storage], to: .high)
      OperationStorage.escalate([other.storage], to: .high)

      await scene.awaited.setQueuePriority(.low)
      await scene.queue.resume()

      await scene.queue.waitUntilAllOperationsAreFinished()
      #expect(scene.recorder.begun == ["awaited", "other", "1", "2"])
    }

    @Test("WT-07 a task of medium priority moves nothing, also where the task of the operation would have less")
    func mediumWaiter() async {
      let scene = await Scene()
      let last = AsyncOperation(queuePriority: .veryLow, taskPriority: .background) { scene.recorder.note("last") }
      let low = AsyncOperation(queuePriority: .low) { scene.recorder.note("low") }
      await scene.queue.add(last, low)
      let waiter = Task(priority: .medium) { await last.waitUntilFinished() }
      #expect(await eventually { last.storage.read { $0.escalatedPriority == TaskPriority.medium.rawValue } })

      await scene.queue.resume()

      await waiter.value
      #expect(scene.recorder.begun == ["1", "2", "awaited", "low", "last"])
    }

    @Test("WT-07 so does run")
    func run() async throws {
      let scene = await Scene()
      let caller = Task(priority: .high) { try await scene.queue.run { scene.recorder.note("run") } }
      #expect(await eventually { scene.queue.operationCount == 4 })
      let operation = try #require(await scene.queue.operations.last)
      #expect(await scene.isRaised(operation, true))

      await scene.queue.resume()

      try await caller.value
      #expect(scene.recorder.begun.first == "run")
      await scene.queue.waitUntilAllOperationsAreFinished()
    }

    @Test("The level that the user has set is told as before")
    func ownPriority() async {
      let scene = await Scene()
      let waiter = Task(priority: .high) { await scene.awaited.waitUntilFinished() }
      #expect(await scene.isRaised(scene.awaited, true))

      #expect(scene.awaited.queuePriority == .normal)

      await scene.queue.resume()
      await waiter.value
      await scene.queue.waitUntilAllOperationsAreFinished()
    }
  }
}

/// A suspended queue of one slot with three operations, the last of which is to be awaited.
private struct Scene: Sendable {
  let recorder = Recorder<String>()
  let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1, isSuspended: true)
  let awaited: AsyncOperation<Void>

  init() async {
    let recorder = recorder
    awaited = AsyncOperation { recorder.note("awaited") }
    for number in 1...2 { await queue.add { recorder.note("\(number)") } }
    await queue.add(awaited)
  }

  /// Whether so many operations have been moved before a turn.
  func hasMoved(_ count: Int) async -> Bool {
    await eventually { Set(queue.shared.pendingEvents.compactMap(\.movedOperation)).count == count }
  }

  /// Whether an operation, once it is awaited, has got a priority by that.
  func isRaised(_ operation: any OperationProtocol, _ isExpected: Bool) async -> Bool {
    await eventually {
      if isExpected {
        let priority = operation.storage.read { $0.escalatedPriority }
        return await operation.storage.isRaised && priority == TaskPriority.high.rawValue
      }
      return operation.storage.read { !$0.connections.value.waiters.isEmpty && $0.escalatedPriority == 0 }
    }
  }
}

@concurrent
private func priority() async -> TaskPriority { Task.currentPriority }
