import Testing

@testable import StructuredOperations

extension OperationStateMachineTests {
  // MARK: What it depends on

  /// What becomes of the readiness with a dependency that is added, and whether a queue is told.
  @Test(
    "A dependency that is added notifies the queue where the readiness changes by it",
    arguments: [
      (nil, true), (true, false), (false, true),
    ] as [(Bool?, Bool)], Stage.unclaimed)
  func adding(end: (hasSucceeded: Bool?, isChange: Bool), stage: Stage) throws {
    var machine = try machine(stage)

    let added = try #require(Self.add(AsyncOperation {}, hasSucceeded: end.hasSucceeded, to: &machine))

    #expect(added.notify === (end.isChange && stage != .idle ? queue : nil))
    #expect(machine.dependencies.count == 1)
  }

  @Test(
    "A dependency that finishes notifies the queue where the readiness changes by it",
    arguments: [(true, .ready), (false, .skipped)] as [(Bool, OperationReadiness)], Stage.unclaimed)
  func finishing(end: (hasSucceeded: Bool, readiness: OperationReadiness), stage: Stage) throws {
    var machine = try machine(.idle)
    Self.add(AsyncOperation {}, hasSucceeded: nil, to: &machine)
    try bring(&machine, to: stage)
    #expect(machine.readiness == .blocked)

    let notified = machine.dependencyFinished(0, hasSucceeded: end.hasSucceeded, toldBy: nil)

    #expect((notified?.otherQueue === queue) == (stage != .idle))
    let ready = ReadyEntry(id: 3, position: QueuePosition(priority: .normal, rank: 7))
    #expect(notified?.ready == (stage == .admitted && end.readiness == .ready ? ready : nil))
    #expect(machine.readiness == end.readiness)
    #expect(machine.dependencyFinished(0, hasSucceeded: end.hasSucceeded, toldBy: nil) == nil, "told twice")
  }

  @Test("Once it was blocked again, an operation that becomes ready does not know its place: it may have been chosen")
  func blockedAgain() throws {
    var machine = try machine(.idle)
    Self.add(AsyncOperation {}, hasSucceeded: true, to: &machine)
    try bring(&machine, to: .admitted)
    Self.add(AsyncOperation {}, hasSucceeded: nil, to: &machine)
    let notified = machine.dependencyFinished(1, hasSucceeded: true, toldBy: nil)
    #expect(notified != nil && notified?.ready == nil)
  }

  @Test("Where its place is another one by now, an operation that becomes ready does not know it")
  func moved() throws {
    let moves: [(inout Machine) -> Void] = [
      { _ = $0.setQueuePriority(.high, order: LimitTable.nextOrder) },
      { machine in
        let high = TaskPriority.high.rawValue
        _ = machine.escalate(to: high, from: 0, maySetTaskPriority: true, order: LimitTable.nextOrder)
      },
      { machine in
        for priority in [QueuePriority.high, .normal] {
          _ = machine.setQueuePriority(priority, order: LimitTable.nextOrder)
        }
      },
      { $0.forgetPosition() },
      // That of another priority.
      { $0.renewPosition(QueuePosition(priority: .high, rank: 9)) },
    ]
    for move in moves {
      var machine = try machine(.idle)
      Self.add(AsyncOperation {}, hasSucceeded: nil, to: &machine)
      try bring(&machine, to: .admitted)
      move(&machine)
      let notified = machine.dependencyFinished(0, hasSucceeded: true, toldBy: nil)
      #expect(notified != nil && notified?.ready == nil)
    }
  }

  @Test("Once its queue has said where it comes now, an operation that was moved or blocked again knows its place")
  func renewed() throws {
    var machine = try machine(.idle)
    try bring(&machine, to: .admitted)
    Self.add(AsyncOperation {}, hasSucceeded: nil, to: &machine)
    _ = machine.setQueuePriority(.high, order: LimitTable.nextOrder)
    let position = QueuePosition(priority: .high, rank: 9)

    machine.renewPosition(position)

    let news = machine.dependencyFinished(0, hasSucceeded: true, toldBy: nil)
    #expect(news?.ready == ReadyEntry(id: 3, position: position))
  }

  /// How an operation stands that is not blocked.
  enum Unblocked: CaseIterable { case ready, skipped, claimed }

  @Test("An operation that is not blocked by then is not told where it comes", arguments: Unblocked.allCases)
  func renewedLate(unblocked: Unblocked) throws {
    var machine = try machine(.idle)
    Self.add(AsyncOperation {}, hasSucceeded: nil, to: &machine)
    try bring(&machine, to: .admitted)
    _ = machine.dependencyFinished(0, hasSucceeded: unblocked != .skipped, toldBy: nil)
    if unblocked == .claimed { #expect(machine.claim() == .ready) }

    machine.renewPosition(QueuePosition(priority: .normal, rank: 9))

    #expect(machine.connections.value.position == nil)
  }

  @Test("Removing a dependency after the finish hands over strong references to the past ones")
  func removalAfterFinish() throws {
    var machine = try machine(.executing)
    let past = AsyncOperation {}
    machine.connections.change { $0.pastDependencies = [Machine.PastDependency(operation: past)] }

    let removed = machine.removeDependency(AsyncOperation {}.storage)

    #expect(removed.entry == nil)
    #expect(removed.pastDependencies.count == 1 && removed.pastDependencies.first === past)
    #expect(machine.connections.value.pastDependencies.count == 1)
  }

  @Test("Of several dependencies only the first that blocks and the last that finishes notify")
  func several() throws {
    var machine = try machine(.admitted)
    let added = [Bool?.none, nil, true].map { Self.add(AsyncOperation {}, hasSucceeded: $0, to: &machine) }
    #expect(added.map { $0?.notify != nil } == [true, false, false])

    #expect(machine.dependencyFinished(1, hasSucceeded: true, toldBy: nil) == nil)
    #expect(machine.snapshot.state == .pending)
    #expect(machine.dependencyFinished(0, hasSucceeded: true, toldBy: nil)?.otherQueue === queue)
    #expect(machine.snapshot.state == .ready)
  }

  @Test("An operation whose failed dependency is removed waits for the others again")
  func failureRemoved() throws {
    var machine = try machine(.admitted)
    let failed = AsyncOperation {}
    Self.add(AsyncOperation {}, hasSucceeded: nil, to: &machine)
    Self.add(failed, hasSucceeded: false, to: &machine)
    #expect(machine.firstFailedDependency === failed)
    #expect(machine.snapshot.state == .ready)

    let removed = machine.removeDependency(failed.storage)

    #expect(removed.entry?.operation === failed)
    #expect(removed.notify === queue)
    #expect(removed.isBlockedAgain)
    #expect(machine.readiness == .blocked)
    #expect(machine.firstFailedDependency == nil)
    #expect(machine.removeDependency(failed.storage).entry == nil, "removed twice")
  }

  @Test("Once an operation is to be skipped for good, its failed dependency stays: the outcome names it")
  func removalWhileClaimed() throws {
    var machine = try machine(.admitted)
    let failed = AsyncOperation {}
    Self.add(failed, hasSucceeded: false, to: &machine)
    #expect(machine.claimSkipped() == .skipped)

    #expect(machine.removeDependency(failed.storage).entry == nil)

    #expect(machine.firstFailedDependency === failed)
  }

  @Test("Removing what does not change the readiness notifies nobody")
  func quietRemoval() throws {
    var machine = try machine(.admitted)
    let finished = AsyncOperation {}
    Self.add(finished, hasSucceeded: true, to: &machine)
    let removed = machine.removeDependency(finished.storage)
    #expect(removed.entry != nil && removed.notify == nil && !removed.isBlockedAgain)
    #expect(machine.removeDependency(AsyncOperation {}.storage).entry == nil)
  }

  @Test(
    "What is ready once its failed dependency is removed, what waits as before, and what is cancelled, is not blocked again"
  )
  func notBlockedAgain() throws {
    var (ready, waiting, cancelled) = (try machine(.admitted), try machine(.admitted), try machine(.admitted))
    let (failed, unfinished) = (AsyncOperation {}, AsyncOperation {})
    Self.add(failed, hasSucceeded: false, to: &ready)
    Self.add(failed, hasSucceeded: nil, to: &waiting)
    Self.add(unfinished, hasSucceeded: nil, to: &waiting)
    Self.add(failed, hasSucceeded: false, to: &cancelled)
    Self.add(unfinished, hasSucceeded: nil, to: &cancelled)
    _ = cancelled.cancel()

    #expect(!ready.removeDependency(failed.storage).isBlockedAgain)
    #expect(!waiting.removeDependency(failed.storage).isBlockedAgain)
    #expect(!cancelled.removeDependency(failed.storage).isBlockedAgain)
  }

  @Test("Once an operation was cancelled no dependency changes its readiness (DP-10)")
  func dependencyOfCancelled() throws {
    var machine = try machine(.admitted)
    Self.add(AsyncOperation {}, hasSucceeded: nil, to: &machine)
    _ = machine.cancel()

    let added = try #require(Self.add(AsyncOperation {}, hasSucceeded: nil, to: &machine))
    #expect(added.notify == nil)
    #expect(machine.dependencyFinished(0, hasSucceeded: true, toldBy: nil) == nil)
    #expect(machine.readiness == .skipped)
    #expect(machine.snapshot == OperationSnapshot(state: .ready, isCancelled: true))
  }

  @Test("Dependencies are refused from the claim on (DP-08)", arguments: Stage.notUnclaimed)
  func dependencyOfClaimed(stage: Stage) throws {
    var machine = try machine(stage)
    let before = machine.snapshot

    for check in [Machine.LoopCheck.ifAwaited, .always, .done] {
      #expect(machine.checkDependency(ObjectIdentifier(AsyncOperation {}.storage), check) == .tooLate)
    }
    #expect(machine.snapshot == before)
    #expect(machine.dependencies.isEmpty)
  }

  @Test("A dependency that finishes after the claim changes nothing", arguments: Stage.claimed)
  func toldAfterClaim(stage: Stage) throws {
    var machine = try machine(.idle)
    Self.add(AsyncOperation {}, hasSucceeded: nil, to: &machine)
    _ = machine.dependencyFinished(0, hasSucceeded: true, toldBy: nil)
    try bring(&machine, to: stage)

    #expect(machine.dependencyFinished(0, hasSucceeded: false, toldBy: nil) == nil)
    #expect(machine.snapshot.state == .ready)
  }

  @Test(
    "An edge has to be checked for loops where something waits for the operation, or always",
    arguments: [
      (.ifAwaited, false, .new(0)), (.ifAwaited, true, .mayCloseLoop),
      (.always, false, .mayCloseLoop), (.always, true, .mayCloseLoop),
      (.done, false, .new(0)), (.done, true, .new(0)),
    ] as [(OperationStateMachine.LoopCheck, Bool, OperationStateMachine.DependencyCheck)])
  func loopCheck(check: Machine.LoopCheck, isAwaited: Bool, expected: Machine.DependencyCheck) throws {
    var machine = try machine(.idle)
    if isAwaited { _ = machine.addDependent(Machine.Dependent(storage: AsyncOperation {}.storage, key: 0)) }

    #expect(machine.checkDependency(ObjectIdentifier(AsyncOperation {}.storage), check) == expected)
    #expect(machine.dependencies.isEmpty)
  }

  @Test("An edge gets the key that was told, and is known from then on")
  func knownDependency() throws {
    var machine = try machine(.idle)
    let dependencies = [AsyncOperation {}, AsyncOperation {}]
    let ids = dependencies.map { ObjectIdentifier($0.storage) }

    for (key, (dependency, id)) in zip(dependencies, ids).enumerated() {
      #expect(machine.checkDependency(id, .done) == .new(key))
      Self.add(dependency, hasSucceeded: nil, to: &machine)
    }

    #expect(machine.dependencies.map(\.key) == [0, 1])
    #expect(ids.map { machine.checkDependency($0, .done) } == [.known, .known])
  }

  @Test("Whether there is an edge is not looked for in a long list before the dependency was asked")
  func longList() throws {
    var machine = try machine(.idle)
    let dependencies = (0..<9).map { _ in AsyncOperation {} }
    let ids = dependencies.map { ObjectIdentifier($0.storage) }
    for dependency in dependencies.dropLast() { Self.add(dependency, hasSucceeded: nil, to: &machine) }

    #expect(ids.map { machine.checkDependency($0, .done) } == Array(repeating: .newOrKnown(8), count: 9))
    #expect(ids.map { machine.newKey(for: $0) } == Array(repeating: nil, count: 8) + [8])
    #expect(ids.map { machine.checkDependency($0, .done) } == Array(repeating: .newOrKnown(8), count: 9))
  }

  @Test("The queue that tells of the end itself is not named", arguments: [true, false])
  func sameQueue(isSame: Bool) throws {
    var machine = try machine(.admitted)
    Self.add(AsyncOperation {}, hasSucceeded: nil, to: &machine)

    let news = machine.dependencyFinished(
      0, hasSucceeded: true, toldBy: ObjectIdentifier(isSame ? queue : FakeQueue()))

    #expect(try #require(news).otherQueue === (isSame ? nil : queue))
  }

  @Test("An added edge tells the priority that is handed on to the dependency")
  func escalatedPriority() throws {
    var machine = try machine(.idle)
    machine.escalatedPriority = TaskPriority.high.rawValue

    let added = try #require(Self.add(AsyncOperation {}, hasSucceeded: nil, to: &machine))
    #expect(added.escalatedPriority == TaskPriority.high.rawValue)
  }

  // MARK: What depends on it

  @Test("A dependent is registered until the finish, and told how it ended after it", arguments: Stage.allCases)
  func addDependent(stage: Stage) throws {
    for outcome in [Self.success, .cancelled] {
      var machine = try machine(stage == .finishing || stage == .finished ? .executing : stage)
      if Stage.ended.contains(stage) { _ = machine.publishFinish(outcome) }
      if stage == .finished { _ = machine.tellWaiters() }
      let action = machine.addDependent(Machine.Dependent(storage: AsyncOperation {}.storage, key: 0))
      switch action {
      case .registered: #expect(!Stage.ended.contains(stage))
      case .alreadyFinished(let hasSucceeded):
        #expect(Stage.ended.contains(stage))
        #expect(hasSucceeded == outcome.isSuccess)
      }
      #expect(machine.dependents.isEmpty == Stage.ended.contains(stage))
      #expect(machine.isAwaitedByOperations == !Stage.ended.contains(stage))
    }
  }

  @Test("Few dependents are known, as long as the operation has not finished", arguments: Stage.allCases)
  func hasDependent(stage: Stage) throws {
    let (dependent, other) = (AsyncOperation {}.storage, AsyncOperation {}.storage)
    var machine = try machine(.idle)
    #expect(machine.hasDependent(dependent) == false)
    _ = machine.addDependent(Machine.Dependent(storage: dependent, key: 0))
    try bring(&machine, to: stage)

    let isEnded = Stage.ended.contains(stage)
    #expect(machine.hasDependent(dependent) == (isEnded ? nil : true))
    #expect(machine.hasDependent(other) == (isEnded ? nil : false))
  }

  @Test("Many dependents are not gone through")
  func hasOneOfMany() throws {
    var machine = try machine(.idle)
    let dependents = (0..<8).map { _ in AsyncOperation {}.storage }
    for (key, dependent) in dependents.enumerated() {
      #expect(machine.hasDependent(dependent) == false)
      _ = machine.addDependent(Machine.Dependent(storage: dependent, key: key))
    }

    #expect(machine.hasDependent(dependents[0]) == nil)
  }

  @Test("A dependent is removed by its edge, once")
  func removeDependent() throws {
    var machine = try machine(.idle)
    let storage = AsyncOperation {}.storage
    for key in 0..<2 { _ = machine.addDependent(Machine.Dependent(storage: storage, key: key)) }

    #expect(machine.removeDependent(storage, key: 1)?.key == 1)
    #expect(machine.removeDependent(storage, key: 1) == nil)
    #expect(machine.dependents.map(\.key) == [0])
  }

  @Test("The list of dependents says when it is about to grow, and not again before it has doubled")
  func crowded() throws {
    var machine = try machine(.idle)
    var crowdedCounts: [Int] = []
    for key in 0..<1_000 {
      let action = machine.addDependent(Machine.Dependent(storage: AsyncOperation {}.storage, key: key))
      guard case .registered(isCrowded: true) = action else { continue }
      crowdedCounts.append(key + 1)
      let removed = machine.removeDependents { _ in false }
      #expect(removed.isEmpty)
    }

    #expect(crowdedCounts.first.map { $0 >= 8 } == true)
    #expect(zip(crowdedCounts, crowdedCounts.dropFirst()).allSatisfy { $1 >= 2 * $0 - 2 })
    let removed = machine.removeDependents { $0.key.isMultiple(of: 2) }
    #expect(removed.map(\.key) == Array(stride(from: 2, to: 1_000, by: 2)) + [0], "the list's head last")
    #expect(machine.dependents.count == 500)
  }
}
