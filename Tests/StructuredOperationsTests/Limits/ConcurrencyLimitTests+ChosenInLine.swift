import TestSupport
import Testing

@testable import StructuredOperations

// What is in line for limits is chosen ahead.
extension ConcurrencyLimitTests {
  @Test("A backlog in line takes no turn for each end, and runs in its order", arguments: [1, 4, 64])
  func backlogInLine(width: Int) async throws {
    let (limit, recorder, count) = (ConcurrencyLimit(1), Recorder<Int>(), 1_000)
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: width)
    let gate = Gate()
    await hold(queue, limits: [limit], until: gate)
    for number in 0..<count { await queue.add(limits: [limit]) { () async in recorder.note(number) } }
    // So they stand in line, or are chosen ahead.
    await queue.process()
    let turns = queue.shared.batchNumber
    gate.open()
    await queue.waitUntilAllOperationsAreFinished()
    #expect(recorder.begun == Array(0..<count) && limit.available == 1)
    // Each turn that leaves something in line fills a batch.
    #expect((5..<count / 10).contains(queue.shared.batchNumber - turns))
  }

  @Test("What needs no limits goes on beside a line without a turn for each end")
  func besideLine() async throws {
    let (limit, recorder, count) = (ConcurrencyLimit(1), Recorder<Int>(), 1_000)
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 2)
    let (gate, blocked) = (Gate(), Gate())
    await hold(queue, limits: [limit], until: gate)
    await hold(queue, until: blocked)
    await queue.add(limits: [limit]) { () async in recorder.note(count) }
    for number in 0..<count { await queue.add { () async in recorder.note(number) } }
    await queue.process()
    let turns = queue.shared.batchNumber
    blocked.open()
    #expect(await eventually { recorder.begun.count == count })
    #expect((5..<count / 10).contains(queue.shared.batchNumber - turns))
    gate.open()
    await queue.waitUntilAllOperationsAreFinished()
    #expect(recorder.begun == Array(0...count))
  }

  @Test("Those among others that lack a limit take no turn each, and run in their order once there is room")
  func amongOthers() async throws {
    let (limit, recorder, count) = (ConcurrencyLimit(1), Recorder<Int>(), 1_000)
    let (queue, elsewhere) = (AsyncOperationQueue(maxConcurrentOperationCount: 1), AsyncOperationQueue())
    let (gate, blocked) = (Gate(), Gate())
    await hold(elsewhere, limits: [limit], until: gate)
    await hold(queue, until: blocked)
    for number in 0..<count {
      await queue.add(limits: number.isMultiple(of: 4) ? [limit] : []) { () async in recorder.note(number) }
    }
    await queue.process()
    let turns = queue.shared.batchNumber
    blocked.open()
    #expect(await eventually { recorder.begun.count == count * 3 / 4 })
    #expect((5..<count / 20).contains(queue.shared.batchNumber - turns))
    gate.open()
    await queue.waitUntilAllOperationsAreFinished()
    let numbers = 0..<count
    #expect(recorder.begun == numbers.filter { !$0.isMultiple(of: 4) } + numbers.filter { $0.isMultiple(of: 4) })
  }

  @Test("One that stands in line while its queue has no slot holds up nobody, and others whose limits are free begin")
  func aheadOfSlot() async throws {
    let (limit, other, recorder) = (ConcurrencyLimit(1), ConcurrencyLimit(1), Recorder<String>())
    let (queue, elsewhere) = (AsyncOperationQueue(maxConcurrentOperationCount: 1), AsyncOperationQueue())
    let (gate, blocked, last) = (Gate(), Gate(), Gate())
    let holding = await hold(elsewhere, limits: [limit], until: gate)
    await queue.add(limits: [limit]) { () async in recorder.note("first") }
    let running = await hold(queue, until: blocked)
    await queue.add(limits: [limit]) { () async in recorder.note("second") }
    await queue.add(limits: [other]) { () async in recorder.note("free") }
    await queue.process()
    #expect(other.available == 1)
    // The queue has no slot: what is added last has the limit.
    gate.open()
    await holding.waitUntilFinished()
    let late = await hold(elsewhere, limits: [limit], until: last)
    #expect(await eventually { late.isExecuting && !running.isFinished })
    blocked.open()
    #expect(await eventually { recorder.begun == ["free"] })
    last.open()
    await queue.waitUntilAllOperationsAreFinished()
    #expect(recorder.begun == ["free", "first", "second"])
  }

  /// What happens to an operation that stands in line ahead of a slot.
  enum ChangeAhead: CaseIterable, Sendable {
    case none, raised, dependent, limited, cancelled, countedDown, widened, suspended
  }

  @Test("What has changed while it stood in line ahead of a slot goes on from there", arguments: ChangeAhead.allCases)
  func changedAhead(change: ChangeAhead) async throws {
    let (limit, other, recorder) = (ConcurrencyLimit(1), ConcurrencyLimit(1), Recorder<String>())
    let (queue, elsewhere) = (AsyncOperationQueue(maxConcurrentOperationCount: 1), AsyncOperationQueue())
    let (gate, blocked, rest) = (Gate(), Gate(), Gate())
    await hold(elsewhere, limits: [limit], until: gate)
    await hold(elsewhere, limits: [other], until: rest)
    let operations = ["first", "second", "third"].map { name in AsyncOperation { () async in recorder.note(name) } }
    for operation in operations { try await operation.addLimit(limit) }
    await queue.add(operations[0])
    await hold(queue, until: blocked)
    for operation in operations[1...] { await queue.add(operation) }
    let (second, late) = (operations[1], AsyncOperation {})
    await queue.process()
    #expect(await queue.isInLine(second))

    var expected = ["first", "second", "third"]
    switch change {
    case .none: break
    case .raised:
      await second.setQueuePriority(.high)
      expected = ["second", "first", "third"]
    case .dependent:
      try await second.addDependency(late)
      expected = ["first", "third", "second"]
    case .limited: try await second.addLimit(other)
    case .cancelled:
      second.cancel()
      // It needs no slot for that.
      await second.waitUntilFinished()
      expected = ["first", "third"]
    case .countedDown: limit.setCount(0)
    case .widened: try await queue.setMaxConcurrentOperationCount(3)
    case .suspended: await queue.suspend()
    }
    gate.open()
    blocked.open()
    switch change {
    case .none, .raised, .cancelled, .widened: break
    case .dependent, .limited:
      let count = change == .limited ? 1 : 2
      #expect(await eventually { recorder.begun.count == count })
      try await late.start()
    case .countedDown, .suspended:
      #expect(await eventually { queue.snapshot.executingCount == 0 })
      #expect(recorder.begun.isEmpty)
      limit.setCount(1)
      await queue.resume()
    }
    rest.open()
    await queue.waitUntilAllOperationsAreFinished()
    #expect(recorder.begun == expected && limit.available == 1)
    await elsewhere.waitUntilAllOperationsAreFinished()
  }

  @Test(
    "A slot goes to the one in line as soon as another queue has given back what it needs", arguments: [false, true])
  func givenBackElsewhere(hasDependent: Bool) async throws {
    let (limit, recorder) = (ConcurrencyLimit(1), Recorder<String>())
    let (queue, elsewhere) = (AsyncOperationQueue(maxConcurrentOperationCount: 1), AsyncOperationQueue())
    let (gate, blocked) = (Gate(), Gate())
    let other = await hold(elsewhere, limits: [limit], until: gate)
    await queue.add(limits: [limit]) { () async in recorder.note("in line") }
    let running = await hold(queue, until: blocked)
    let dependent = AsyncOperation { () async in recorder.note("dependent") }
    if hasDependent { try await dependent.addDependency(running) }
    for name in ["next", "last"] { await queue.add { () async in recorder.note(name) } }
    await queue.add(dependent)
    await queue.process()
    // The queue has no slot, so it is not told.
    gate.open()
    await other.waitUntilFinished()
    await elsewhere.waitUntilAllOperationsAreFinished()
    blocked.open()
    await queue.waitUntilAllOperationsAreFinished()
    #expect(recorder.begun == ["in line", "next", "last", "dependent"])
  }

  @Test("Neither does one behind others that wait for a limit which stays taken", arguments: [1, 20])
  func behindOthers(stuckCount: Int) async throws {
    let (limit, taken, count) = (ConcurrencyLimit(1), ConcurrencyLimit(0), 1_000)
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 4)
    let gate = Gate()
    await hold(queue, limits: [limit], until: gate)
    for _ in 0..<stuckCount { await queue.add(limits: [taken]) { () async in } }
    for _ in 0..<count { await queue.add(limits: [limit]) { () async in } }
    await queue.process()
    let turns = queue.shared.batchNumber
    gate.open()
    #expect(await eventually { queue.operationCount == stuckCount })
    #expect(queue.shared.batchNumber - turns < count / 10)
    taken.setCount(4)
    await queue.waitUntilAllOperationsAreFinished()
  }

  /// What comes before those in line, and is not chosen ahead or not all of it.
  enum Ahead: CaseIterable { case several, caller, otherTraits }

  @Test("One in line does not overtake what is ready and comes before it", arguments: Ahead.allCases)
  func behindReady(ahead: Ahead) async throws {
    let (limit, recorder) = (ConcurrencyLimit(1), Recorder<String>())
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 2)
    let (gate, blocked) = (Gate(), Gate())
    await hold(queue, limits: [limit], until: gate)
    for _ in 0..<2 { await queue.add(limits: [limit]) { () async in recorder.note("in line") } }
    await hold(queue, until: blocked)
    var expected = ["1", "2"]
    for name in expected { await queue.add(queuePriority: .high) { () async in recorder.note(name) } }
    var caller: Task<Void, any Error>?
    switch ahead {
    case .several:
      for name in ["3", "4"] {
        await queue.add(queuePriority: .high) { () async in recorder.note(name) }
        expected.append(name)
      }
    case .caller:
      caller = Task { try await queue.run(queuePriority: .high) { recorder.note("caller") } }
      #expect(await eventually { queue.operationCount == 7 })
      expected.append("caller")
    case .otherTraits:
      await queue.add(queuePriority: .high, taskPriority: .high) { () async in recorder.note("other") }
      expected.append("other")
    }
    await queue.process()
    gate.open()
    #expect(await eventually { recorder.begun.count == expected.count + 2 })
    blocked.open()
    try await caller?.value
    await queue.waitUntilAllOperationsAreFinished()
    #expect(recorder.begun == expected + ["in line", "in line"])
  }

  @Test("A queue that was told of room is not kept by the body that follows")
  func toldQueue() async throws {
    let limit = ConcurrencyLimit(1)
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
    let (gate, running, blocked, done) = (Gate(), Gate(), Gate(), Gate())
    await hold(queue, limits: [limit], until: gate)
    await queue.add { () async in
      running.open()
      await blocked.wait()
    }
    await queue.process()
    let other = Weak(await queueInLine(for: limit, done))
    gate.open()
    await running.wait()
    await done.wait()
    #expect(await eventually { other.object == nil })
    blocked.open()
    await queue.waitUntilAllOperationsAreFinished()
  }

  /// Adds an operation whose body runs until a gate opens.
  ///
  /// - Returns: The operation, as soon as its body runs.
  @discardableResult
  private func hold(
    _ queue: AsyncOperationQueue,
    limits: [ConcurrencyLimit] = [],
    until gate: Gate
  ) async -> AsyncOperation<Void> {
    let started = Gate()
    let operation = await queue.add(limits: limits) { () async in
      started.open()
      await gate.wait()
    }
    await started.wait()
    return operation
  }

  private func queueInLine(for limit: ConcurrencyLimit, _ done: Gate) async -> AsyncOperationQueue {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
    await queue.add(limits: [limit]) { () async in done.open() }
    await queue.process()
    return queue
  }
}

extension AsyncOperationQueue {
  /// Whether the queue knows the operation as one in line for its limits.
  fileprivate func isInLine(_ operation: AsyncOperation<Void>) -> Bool {
    operation.storage.entry(in: self).map { state.scheduler.isInLine($0) } ?? false
  }
}
