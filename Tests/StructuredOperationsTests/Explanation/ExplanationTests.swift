import StructuredOperations
import TestSupport
import Testing

@Suite("Explanations", .hangGuard)
struct ExplanationTests {
  typealias Reason = OperationExplanation.Reason

  @Test(
    "A number in line follows moves that no turn has applied yet, whether or not one has admitted the operations",
    arguments: [true, false])
  func pendingPriority(isAdmitted: Bool) async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
    let blocker = Blocker()
    await queue.add(blocker.operation)
    await blocker.begun.wait()
    let (first, second) = (AsyncOperation {}, AsyncOperation {})
    await queue.add(first, second)
    // A turn.
    if isAdmitted { try await queue.setMaxConcurrentOperationCount(1) }
    #expect(await place(of: second) == 2)

    await second.setQueuePriority(.high)
    #expect(await place(of: second) == 1)
    await first.setQueuePriority(.high)

    #expect(await place(of: second) == 1)
    #expect(await place(of: first) == 2)
    blocker.release.open()
    await queue.waitUntilAllOperationsAreFinished()
  }

  @Test("dump shows each operation with its reasons and root causes, and nothing else")
  func dumped() async throws {
    let queue = AsyncOperationQueue()
    let (login, upload) = (AsyncOperation(name: "login") {}, AsyncOperation(name: "upload") {})
    try await upload.addDependency(login)
    await queue.add(upload)

    let explanations = Mirror(reflecting: await queue.explanation)
    #expect(explanations.displayStyle == .collection)
    #expect(explanations.children.map { ($0.value as? OperationExplanation)?.operation === upload } == [true])
    let children = Mirror(reflecting: await upload.explanation).children
    #expect(children.map(\.label) == ["operation", "reasons", "rootCauses"])
    #expect(children.compactMap { $0.value as? [String] } == [["\"login\""]])
    await queue.add(login)
    await upload.waitUntilFinished()
  }

  @Test("What runs by having been chosen ahead holds the slot, and what it replaced is gone")
  func chosenAhead() async {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
    let (blockers, last) = ((0..<3).map { _ in Blocker() }, AsyncOperation(name: "last") {})
    for blocker in blockers { await queue.add(blocker.operation) }
    await queue.add(last)
    for (number, blocker) in blockers.enumerated() {
      await blocker.begun.wait()
      #expect(await place(of: last) == 3 - number)
      #expect(await last.explanation.rootCauses.map { $0 === blocker.operation } == [true])
      #expect(await queue.explanation.count == 4 - number)
      blocker.release.open()
    }
    await last.waitUntilFinished()
  }

  @Test("Barriers are explained, too, each by what is between it and the one before")
  func barriers() async {
    let queue = AsyncOperationQueue()
    let blocker = Blocker(name: "ahead")
    await queue.add(blocker.operation)
    await blocker.begun.wait()
    let first = await queue.addBarrier(name: "first") {}
    await queue.add(name: "between") {}
    let second = await queue.addBarrier(name: "second") {}

    #expect(await queue.explanation.compactMap(\.operation.name) == ["ahead", "first", "between", "second"])
    #expect(await kinds(of: first) == ["operationsAhead"])
    #expect(await kinds(of: second) == ["behindBarrier", "operationsAhead"])
    #expect(await second.explanation.rootCauses.map(\.name) == ["ahead"])
    blocker.release.open()
    await second.waitUntilFinished()
  }

  @Test("A wait inside of withLentSlot is one whose slot is lent")
  func lentSlot() async {
    let (queue, missing) = (AsyncOperationQueue(maxConcurrentOperationCount: 1), AsyncOperation {})
    let operation = await queue.add { await withLentSlot { await missing.waitUntilFinished() } }
    #expect(await eventually { await kinds(of: operation) == ["executing", "waiting"] })

    guard case .waiting(for: _, isSlotLent: let isLent)? = await operation.explanation.reasons.last else { return }
    #expect(isLent)
    await queue.add(missing)
    await operation.waitUntilFinished()
  }

  @Test("A wait of a child task lends no slot, but inside of withLentSlot", arguments: [false, true], [false, true])
  func lentSlotOfChild(isLent: Bool, waitsItself: Bool) async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
    let (missing, other) = (AsyncOperation {}, AsyncOperation {})
    @Sendable func waits() async {
      async let first: Void = missing.waitUntilFinished()
      if waitsItself { await other.waitUntilFinished() }
      await first
    }
    let operation = await queue.add { if isLent { await withLentSlot(waits) } else { await waits() } }
    let expected = ["executing", "waiting"] + (waitsItself ? ["waiting"] : [])
    #expect(await eventually { await kinds(of: operation) == expected })

    let reasons = await operation.explanation.reasons
    guard case .waiting(for: let awaited, isSlotLent: let told)? = reasons.last else { return }
    #expect(awaited.first === missing)
    #expect(told == isLent)
    await AsyncOperationQueue().add(missing, other)
    await operation.waitUntilFinished()
  }

  @Test("Waits of several tasks of a body are one reason, and end with their waits")
  func severalTasks() async {
    let (queue, gate) = (AsyncOperationQueue(), Gate())
    let (one, other) = (AsyncOperation(name: "one") {}, AsyncOperation(name: "other") {})
    let operation = await queue.add {
      async let first: Void = one.waitUntilFinished()
      async let second: Void? = try other.value
      async let third: Void = one.waitUntilFinished()
      _ = try await (first, second, third)
      await gate.wait()
    }
    #expect(await eventually { await operation.explanation.rootCauses.count == 2 })
    #expect(await kinds(of: operation) == ["executing", "waiting"])

    await queue.add(one, other)

    #expect(await eventually { await kinds(of: operation) == ["executing"] })
    gate.open()
    await operation.waitUntilFinished()
  }

  @Test("Child tasks that call run, runBarrier, start and waitUntilAllOperationsAreFinished are told as waiting")
  func otherWaits() async throws {
    let held = AsyncOperationQueue(name: "held", isSuspended: true)
    let limit = ConcurrencyLimit(1)
    let started = AsyncOperation {}
    try await started.addLimit(limit)
    limit.setCount(0)
    func expect(_ expected: String, _ body: @escaping @Sendable () async throws -> Void) async {
      let operation = await AsyncOperationQueue().add {
        async let child: Void = body()
        try await child
      }
      #expect(await eventually { await kinds(of: operation) == ["executing", expected] })
      operation.cancel()
      if expected == "waitingForQueue" { await held.resume() }
      await operation.waitUntilFinished()
    }

    await expect("waiting") { try await held.run {} }
    await expect("waiting") { try await held.runBarrier {} }
    await expect("waiting") { try await started.start() }
    await held.add {}
    await expect("waitingForQueue") { await held.waitUntilAllOperationsAreFinished() }
  }

  @Test("A task that outlives its body adds nothing to it")
  func outlivingTask() async {
    let (queue, missing, begun) = (AsyncOperationQueue(), AsyncOperation {}, Gate())
    let operation = await queue.add { () -> Task<Void, Never> in
      defer { begun.open() }
      return Task { await missing.waitUntilFinished() }
    }
    await operation.waitUntilFinished()

    #expect(await kinds(of: operation) == [])
    await queue.add(missing)
    if case .success(let task) = operation.outcome { await task.value }
  }

  @Test("A callback that has not returned is told as executing alone")
  func promptCallback() async {
    let gate = Gate()
    let operation = AsyncOperation<Void> { completion in
      gate.waitBlocking()
      completion.finish()
    }
    await AsyncOperationQueue(executor: OperationThreadPool.shared).add(operation)
    #expect(await eventually { await kinds(of: operation) == ["executing"] })
    gate.open()
    await operation.waitUntilFinished()
  }

  @Test("A closure of run whose operation was cancelled is told as cancelled with its caller's task alone")
  func cancelledCall() async {
    let (queue, begun, gate) = (AsyncOperationQueue(), Gate(), Gate())
    async let call: Void = queue.run(name: "call") {
      begun.open()
      await gate.wait()
    }
    await begun.wait()
    let running = await queue.operations.first
    let before = await running?.explanation.description
    await queue.cancelAllOperations()
    let after = await running?.explanation.description
    gate.open()
    _ = try? await call

    #expect(before?.hasSuffix("executing: its body has not returned.") == true, "\(String(describing: before))")
    #expect(
      after?.hasSuffix(
        "although it was cancelled: its body, which is cancelled with its caller's task alone, has not returned.")
        == true,
      "\(String(describing: after))")
  }

  @Test("Operations whose limits are held in several queues name those that hold them")
  func limits() async throws {
    let (scarce, plenty) = (ConcurrencyLimit(1, name: "scarce"), ConcurrencyLimit(2, name: "plenty"))
    let (one, other) = (AsyncOperationQueue(name: "one"), AsyncOperationQueue(name: "other"))
    let (holder, byHand) = (Blocker(name: "holder"), Blocker(name: "by hand"))
    try await holder.operation.addLimit(plenty)
    try await byHand.operation.addLimit(plenty)
    try await byHand.operation.addLimit(scarce)
    await one.add(holder.operation)
    async let run: Void = byHand.operation.start()
    await holder.begun.wait()
    await byHand.begun.wait()

    let both = AsyncOperation(name: "both") {}
    try await both.addLimit(scarce)
    try await both.addLimit(plenty)
    await other.add(both)
    #expect(await eventually { await kinds(of: both) == ["concurrencyLimit", "concurrencyLimit"] })

    let explanation = await both.explanation
    #expect(Set(explanation.rootCauses.compactMap(\.name)) == ["holder", "by hand"])
    let limits = explanation.reasons.compactMap { reason -> (String?, Set<String>)? in
      guard case .concurrencyLimit(let limit, let holders) = reason else { return nil }
      return (limit.name, Set(holders.compactMap(\.name)))
    }
    #expect(limits.map(\.0) == ["scarce", "plenty"])
    #expect(limits.map(\.1) == [["by hand"], ["holder", "by hand"]])

    byHand.release.open()
    holder.release.open()
    await both.waitUntilFinished()
    try await run
  }

  @Test("A body that has waited and lacks its limit is explained by who has that")
  func returningToLimit() async throws {
    let limit = ConcurrencyLimit(1, name: "limit")
    let queue = AsyncOperationQueue()
    let (missing, blocker) = (AsyncOperation {}, Blocker(name: "holder"))
    let waiter = AsyncOperation(name: "waiter") { await missing.waitUntilFinished() }
    try await waiter.addLimit(limit)
    try await blocker.operation.addLimit(limit)
    await queue.add(waiter)
    #expect(await eventually { await kinds(of: waiter) == ["executing", "waiting"] })
    await queue.add(blocker.operation)
    await blocker.begun.wait()
    await queue.add(missing)

    #expect(await eventually { await kinds(of: waiter) == ["executing", "concurrencyLimit"] })
    #expect(await waiter.explanation.rootCauses.map(\.name) == ["holder"])
    blocker.release.open()
    await waiter.waitUntilFinished()
  }

  @Test("One that is skipped for a failed dependency says that it leaves")
  func failedDependency() async throws {
    let (queue, elsewhere) = (AsyncOperationQueue(isSuspended: true), AsyncOperationQueue())
    let failing = AsyncOperation<Void> { throw Failure() }
    let operation = AsyncOperation(name: "dependent") {}
    try await operation.addDependency(failing, requiring: .success)
    await queue.add(operation)
    await elsewhere.add(failing)
    await failing.waitUntilFinished()

    #expect(await kinds(of: operation) == ["leaving", "suspended"])
    #expect(await operation.explanation.description.contains("a dependency did not succeed"))
    await queue.resume()
    await operation.waitUntilFinished()
  }

  @Test("Asking is safe while operations with limits, priorities, barriers and waits come and go", arguments: 1...4)
  func asking(width: Int) async throws {
    let limits = [ConcurrencyLimit(2), ConcurrencyLimit(1)]
    let (one, two) = (
      AsyncOperationQueue(maxConcurrentOperationCount: width), AsyncOperationQueue(maxConcurrentOperationCount: 1)
    )
    let isDone = Gate()
    async let lengths = Task.detached {
      var length = 0
      // Not without end: who asks may hold up others.
      for _ in 0..<40 where !isDone.isOpen {
        for queue in [one, two] {
          let explanation = await queue.explanation
          length += explanation.description.count
          if let last = explanation.last { length += await last.operation.explanation.rootCauses.count }
        }
      }
      return length
    }.value
    for round in 0..<120 {
      let first = AsyncOperation { await Task.yield() }
      let second = AsyncOperation { await withLentSlot { await first.waitUntilFinished() } }
      let third = AsyncOperation {
        async let end: Void = first.waitUntilFinished()
        await end
      }
      try await third.addDependency(second)
      try await second.addLimit(limits[round % 2])
      if round % 5 == 0 { try await third.addLimit(limits[0], cost: 2) }
      await one.add(first, third)
      await two.add(second)
      await first.setQueuePriority(round % 2 == 0 ? .high : .normal)
      if round % 11 == 0 { await one.addBarrier(limits: [limits[1]]) {} }
      if round % 7 == 0 { second.cancel() }
      if round % 13 == 0 { await two.suspend() } else if round % 13 == 4 { await two.resume() }
      if round % 17 == 0 { limits[1].setCount(1 + round % 2) }
    }
    limits[1].setCount(1)
    await two.resume()
    await one.waitUntilAllOperationsAreFinished()
    await two.waitUntilAllOperationsAreFinished()
    isDone.open()
    _ = await lengths
    for queue in [one, two] { #expect(await queue.explanation.isEmpty) }
  }

  // MARK: Helpers

  private func place(of operation: AsyncOperation<Void>) async -> Int? {
    guard case .noSlot(_, let place, _)? = await operation.explanation.reasons.first else { return nil }
    return place
  }
}

private func kinds(of operation: any OperationProtocol) async -> [String] { await operation.explanation.kinds }

extension OperationExplanation {
  /// The reasons by name.
  var kinds: [String] {
    reasons.map { reason in
      switch reason {
      case .dependency: "dependency"
      case .notAdded: "notAdded"
      case .suspended: "suspended"
      case .limitIsZero: "limitIsZero"
      case .noSlot: "noSlot"
      case .behindBarrier: "behindBarrier"
      case .operationsAhead: "operationsAhead"
      case .concurrencyLimit: "concurrencyLimit"
      case .startRate: "startRate"
      case .beginning: "beginning"
      case .executing: "executing"
      case .waiting: "waiting"
      case .waitingForQueue: "waitingForQueue"
      case .returning: "returning"
      case .callback: "callback"
      case .leaving: "leaving"
      }
    }
  }
}
