import TestSupport
import Testing

@testable import StructuredOperations

@Suite("ConcurrencyLimit", .timeLimit(.minutes(15)), .hangGuard)
struct ConcurrencyLimitTests {
  @Test("A limit tells its name and how much of it is in use, and an error names both")
  func descriptions() throws {
    #expect("\(ConcurrencyLimit(3, name: "disk"))" == "ConcurrencyLimit \"disk\" (0 of 3 in use)")
    let limit = ConcurrencyLimit(2)
    #expect("\(limit)" == "ConcurrencyLimit (0 of 2 in use)")
    let error = OperationError.costExceedsLimit(cost: 3, limit: limit)
    #expect("\(error)" == "A cost of 3 is too much for a ConcurrencyLimit (0 of 2 in use): expected at most 2.")
    #expect(error == .costExceedsLimit(cost: 3, limit: limit))
    #expect(error != .costExceedsLimit(cost: 4, limit: limit))
    #expect(error != .costExceedsLimit(cost: 3, limit: ConcurrencyLimit(2)))
  }

  @Test("dump shows what can be asked of a limit, and nothing else")
  func dumped() {
    let children = Mirror(reflecting: ConcurrencyLimit(3, name: "disk")).children
    #expect(children.map(\.label) == ["name", "count", "available"])
    #expect(children.compactMap { $0.value as? Int } == [3, 3])
  }

  @Test("An operation holds its limits until it has finished, and no longer")
  func lifetime() async throws {
    let operation = AsyncOperation {}
    weak var limit: ConcurrencyLimit?
    do {
      let new = ConcurrencyLimit(1)
      limit = new
      try await operation.addLimit(new)
    }
    #expect(limit != nil)
    let queue = AsyncOperationQueue()
    await queue.add(operation)
    await operation.waitUntilFinished()
    await queue.waitUntilAllOperationsAreFinished()
    #expect(await eventually { limit == nil })
  }

  @Test("Every form that takes limits takes them: closures, barriers, the main actor, run, runBarrier")
  func forms() async throws {
    let limit = ConcurrencyLimit(1)
    let queue = AsyncOperationQueue()
    let source = await queue.add { 1 }
    #expect(try await queue.add(limits: [limit], main: { limit.available }).value == 0)
    #expect(try await queue.add(limits: [limit], start: { limit.available }).value == 0)
    #expect(try await queue.add(after: source, limits: [limit]) { _ in limit.available }.value == 0)
    #expect(try await queue.add(after: [source], limits: [limit]) { _ in limit.available }.value == 0)
    #expect(try await queue.addBarrier(limits: [limit]) { limit.available }.value == 0)
    #expect(try await queue.addOnMainActor(limits: [limit]) { limit.available }.value == 0)
    #expect(try await queue.run(limits: [limit]) { limit.available } == 0)
    #expect(try await queue.runBarrier(limits: [limit]) { limit.available } == 0)
    #expect(limit.available == 1)
  }

  @Test("A barrier waits for its limit, and what is behind it waits for the barrier")
  func barrier() async throws {
    let limit = ConcurrencyLimit(1)
    let holder = Blocker()
    try await holder.operation.addLimit(limit)
    await AsyncOperationQueue().add(holder.operation)
    await holder.begun.wait()
    let queue = AsyncOperationQueue()
    let barrier = await queue.addBarrier(limits: [limit]) { limit.available }
    let behind = await queue.add {}

    holder.release.open()

    #expect(try await barrier.value == 0)
    try await behind.value
  }

  @Test("A priority that is raised by a waiting task counts in line, too")
  func escalation() async throws {
    let limit = ConcurrencyLimit(0)
    let queue = AsyncOperationQueue()
    let recorder = Recorder<Int>()
    var operations: [AsyncOperation<Void>] = []
    for number in 0..<3 { operations.append(await queue.add(limits: [limit]) { recorder.note(number) }) }
    try await queue.add {}.value

    let urgent = operations[2]
    let waiting = Task(priority: .high) { await urgent.waitUntilFinished() }
    #expect(await eventually { await urgent.storage.isRaised })
    limit.setCount(1)

    await queue.waitUntilAllOperationsAreFinished()
    await waiting.value
    #expect(recorder.begun == [2, 0, 1])
  }

  // MARK: Changes of what stands in line

  @Test("One in line that gets a dependency lets those behind it go ahead, in its own queue too")
  func blockedInLine() async throws {
    let limit = ConcurrencyLimit(2)
    let holder = Blocker()
    try await holder.operation.addLimit(limit)
    let queue = AsyncOperationQueue()
    await queue.add(holder.operation)
    await holder.begun.wait()
    let dear = AsyncOperation {}
    try await dear.addLimit(limit, cost: 2)
    await queue.add(dear)
    let behind = await queue.add(limits: [limit]) {}
    try await queue.add {}.value
    #expect(!behind.isFinished)

    try await dear.addDependency(behind)

    try await behind.value
    holder.release.open()
    try await dear.value
  }

  @Test("Another priority counts in line between queues, a lower one too", arguments: [QueuePriority.high, .low])
  func priorityInLine(priority: QueuePriority) async throws {
    let limit = ConcurrencyLimit(2)
    let holder = Blocker()
    try await holder.operation.addLimit(limit)
    await AsyncOperationQueue().add(holder.operation)
    await holder.begun.wait()
    let (one, other) = (AsyncOperationQueue(), AsyncOperationQueue())
    let recorder = Recorder<String>()
    let cost = priority == .high ? 2 : 1
    let first = AsyncOperation { recorder.note("first") }
    try await first.addLimit(limit, cost: 2)
    let second = AsyncOperation { recorder.note("second") }
    try await second.addLimit(limit, cost: cost)
    await one.add(first)
    await other.add(second)
    for queue in [one, other] { try await queue.add {}.value }

    if priority == .high {
      await second.setQueuePriority(.high)
      // Its queue has taken a turn.
      try await other.add {}.value
    } else {
      await first.setQueuePriority(.low)
      // It needs no more than there is, once nobody is ahead of it.
      try await second.value
    }
    holder.release.open()

    for operation in [first, second] { try await operation.value }
    #expect(recorder.begun == ["second", "first"])
  }

  @Test("A limit that is added while a batch is on its way counts")
  func addedOnItsWay() async throws {
    let (one, other) = (ConcurrencyLimit(1), ConcurrencyLimit(1))
    let queue = AsyncOperationQueue()
    let operation = AsyncOperation { other.available }
    try await operation.addLimit(one)
    // What adding a batch does, with the limit in between.
    guard case .enqueued(let enqueued) = operation.storage.enqueue(operation, in: queue) else {
      throw Unexpected("not enqueued")
    }
    #expect(enqueued.isInLine)
    try await operation.addLimit(other)
    other.setCount(0)
    var additions = AsyncOperationQueue.Additions()
    additions.append(operation.storage, enqueued)
    #expect(queue.shared.beginAdding())
    queue.post(additions)
    try await queue.add {}.value
    #expect(operation.state == .ready)

    other.setCount(1)

    #expect(try await operation.value == 0)
  }

  @Test("In the line of a limit that is added meanwhile it comes before what is added later")
  func lineOnItsWay() async throws {
    let (one, other) = (ConcurrencyLimit(1), ConcurrencyLimit(1))
    let recorder = Recorder<String>()
    let holder = Blocker()
    try await holder.operation.addLimit(one)
    await AsyncOperationQueue().add(holder.operation)
    await holder.begun.wait()
    let (queue, otherQueue) = (AsyncOperationQueue(), AsyncOperationQueue())
    let first = AsyncOperation { recorder.note("first") }
    try await first.addLimit(one)
    // What adding a batch does, with the limit in between.
    guard case .enqueued(let enqueued) = first.storage.enqueue(first, in: queue) else {
      throw Unexpected("not enqueued")
    }
    try await first.addLimit(other)
    var additions = AsyncOperationQueue.Additions()
    additions.append(first.storage, enqueued)
    #expect(queue.shared.beginAdding())
    queue.post(additions)
    try await queue.add {}.value
    let second = await otherQueue.add(limits: [other]) { recorder.note("second") }
    try await otherQueue.add {}.value
    holder.release.open()

    for operation in [first, second] { try await operation.value }
    #expect(recorder.begun == ["first", "second"])
  }

  @Test("Once it is chosen or finished, even a cost above the count is only too late")
  func tooLateAndTooDear() async throws {
    let operation = AsyncOperation {}
    try await operation.start()
    let isAdded = try await operation.addLimit(ConcurrencyLimit(1), cost: 2)
    #expect(!isAdded)
  }

  // MARK: Started by hand

  @Test("A start by hand stands in line from the start on, however early the limit was added")
  func startedLate() async throws {
    let limit = ConcurrencyLimit(1)
    let recorder = Recorder<String>()
    let started = AsyncOperation { recorder.note("started") }
    try await started.addLimit(limit)
    let holder = Blocker()
    try await holder.operation.addLimit(limit)
    let queue = AsyncOperationQueue()
    await queue.add(holder.operation)
    await holder.begun.wait()
    await queue.add(limits: [limit]) { recorder.note("added") }
    try await queue.add {}.value
    let starting = Task { try await started.start() }
    #expect(await eventually { started.storage.unclaimedReadiness == nil })

    holder.release.open()

    try await starting.value
    #expect(recorder.begun == ["added", "started"])
  }

  @Test("Ten thousand starts by hand that wait for one limit begin one after the other, without recursion")
  func manyStarts() async throws {
    let limit = ConcurrencyLimit(0)
    let operations = (0..<10_000).map { _ in AsyncOperation {} }
    await withTaskGroup { group in
      for operation in operations {
        operation.storage.setLimits([limit])
        group.addTask { try? await operation.start() }
      }
      while !operations.allSatisfy({ $0.storage.unclaimedReadiness == nil }) { await Task.yield() }
      limit.setCount(20_000)
    }
    #expect(operations.allSatisfy { $0.isFinished })
    #expect(limit.available == 20_000)
  }

  @Test("A body that was started by hand and whose wait ends as it lends its limits goes on")
  func lendingAtTheEnd() async throws {
    for _ in 0..<2_000 {
      let limit = ConcurrencyLimit(1)
      let gate = Gate()
      let awaited = await AsyncOperationQueue().add { await gate.wait() }
      let operation = AsyncOperation { await awaited.waitUntilFinished() }
      operation.storage.setLimits([limit])
      async let start: Void = operation.start()
      gate.open()
      try await start
      #expect(limit.available == 1)
    }
  }

  @Test("A start by hand takes the limits and gives them back, and suspends for them")
  func start() async throws {
    let limit = ConcurrencyLimit(2)
    let holder = Blocker()
    try await holder.operation.addLimit(limit)
    let holding = Task { try await holder.operation.start() }
    await holder.begun.wait()
    #expect(limit.available == 1)
    let operation = AsyncOperation { limit.available }
    try await operation.addLimit(limit, cost: 2)
    let starting = Task { try await operation.start() }
    #expect(await eventually { operation.storage.unclaimedReadiness == nil })
    #expect(!operation.isExecuting)

    holder.release.open()

    #expect(try await operation.value == 0)
    try await starting.value
    try await holding.value
    #expect(limit.available == 2)
  }

  @Test(
    "Cancelled while it waits for its limits, by itself or by its caller, a started operation finishes unrun",
    arguments: [false, true])
  func cancelledStart(byCaller: Bool) async throws {
    let limit = ConcurrencyLimit(0)
    let operation = AsyncOperation { Issue.record("A cancelled operation ran.") }
    operation.storage.setLimits([limit])
    let starting = Task { try await operation.start() }
    #expect(await eventually { operation.storage.unclaimedReadiness == nil })

    if byCaller { starting.cancel() } else { operation.cancel() }

    try await starting.value
    #expect(operation.isFinished && operation.isCancelled)
    limit.setCount(1)
    #expect(limit.available == 1)
  }

  @Test("In a task that is cancelled already a start by hand does not wait for limits")
  func startInCancelledTask() async throws {
    let operation = AsyncOperation { Issue.record("A cancelled operation ran.") }
    operation.storage.setLimits([ConcurrencyLimit(0)])
    let starting = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await operation.start()
    }
    try await starting.value
    #expect(operation.outcome?.isCancelled == true)
  }

  @Test("A body that was started by hand lends its limits while it waits, and has them again")
  func startedLends() async throws {
    let limit = ConcurrencyLimit(1)
    let queue = AsyncOperationQueue()
    let operation = AsyncOperation {
      let inside = try await queue.add(limits: [limit]) { limit.available }.value
      let lent = await withLentSlot { limit.available }
      return [inside, lent, limit.available]
    }
    try await operation.addLimit(limit)
    try await operation.start()
    #expect(try await operation.value == [0, 1, 0])
    #expect(limit.available == 1)
  }

  @Test("A body that starts another operation by hand lends its limits, so both may need the same one")
  func startInBody() async throws {
    let limit = ConcurrencyLimit(1)
    let inner = AsyncOperation { limit.available }
    try await inner.addLimit(limit)
    let outer = await AsyncOperationQueue().add(limits: [limit]) {
      try await inner.start()
      return limit.available
    }
    #expect(try await outer.value == 0)
    #expect(try await inner.value == 0)
    #expect(limit.available == 1)
  }

  @Test("Bodies that return by hand and in queues never have more than the limit, whatever they wait for")
  func mixed() async throws {
    let limit = ConcurrencyLimit(2)
    let recorder = Recorder<Int>()
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 3)
    await withTaskGroup { group in
      for number in 0..<60 {
        let operation = AsyncOperation {
          for stretch in 0..<2 {
            recorder.begin(number)
            await Task.yield()
            recorder.end(number)
            if stretch == 0 { await queue.add {}.waitUntilFinished() }
          }
        }
        operation.storage.setLimits([limit])
        if number % 2 == 0 {
          group.addTask { try? await operation.start() }
        } else {
          await queue.add(operation)
        }
      }
    }
    await queue.waitUntilAllOperationsAreFinished()
    #expect(recorder.peak == 2)
    #expect(limit.available == 2)
  }
}
