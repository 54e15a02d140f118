import Testing

@testable import StructuredOperations

extension OperationStateMachineTests {
  /// A machine in a queue, with limits.
  private func limited(_ needs: LimitNeeds, order: Int = 1, isEnqueued: Bool = true) -> OperationStateMachine {
    var machine = OperationStateMachine(body: .start {}, queuePriority: .normal)
    for need in needs { _ = machine.addLimit(need) { order } }
    if isEnqueued {
      _ = machine.enqueue(
        OperationStateMachine.Assignment(AsyncOperation {}, in: FakeQueue()), order: { order + 1 },
        stand: { _, _ in nil })
    }
    return machine
  }

  /// A demand of a table of its own.
  private static let demand: LimitTable.DemandID = {
    var scheduler = LimitTable.Scheduler()
    let rank = LimitTable.Rank(priority: 0, order: 0)
    return scheduler.stand(LimitTable.Scheduler.Needs(), as: rank, of: .none, opening: .all)
  }()

  /// A machine whose body runs and has its limits.
  private func executing(_ needs: LimitNeeds) -> OperationStateMachine {
    var machine = limited(needs)
    _ = machine.claim { _, _, _ in (Self.demand, true) }
    _ = machine.begin(in: nil)
    return machine
  }

  @Test("A limit that is added twice is one limit, with the higher cost")
  func limitTwice() {
    let (one, other) = (ConcurrencyLimit(9), ConcurrencyLimit(9))
    let machine = limited([
      LimitNeed(limit: one, cost: 2), LimitNeed(limit: other, cost: 1), LimitNeed(limit: one, cost: 5),
      LimitNeed(limit: one, cost: 3),
    ])
    #expect(machine.limits?.needs == [LimitNeed(limit: one, cost: 5), LimitNeed(limit: other, cost: 1)])
  }

  @Test("Made with the same limit twice, an operation has it once")
  func madeWithLimitTwice() {
    let (one, other) = (ConcurrencyLimit(9), ConcurrencyLimit(9))
    var machine = OperationStateMachine(body: .start {}, queuePriority: .normal)
    machine.setLimits([one, other, one])
    #expect(machine.limits?.needs == [LimitNeed(limit: one, cost: 1), LimitNeed(limit: other, cost: 1)])
  }

  @Test("The place in line is that of the adding to a queue, and moves with the priority")
  func placeInLine() {
    var machine = limited([LimitNeed(limit: ConcurrencyLimit(1), cost: 1)])
    #expect(machine.limits?.order == 2)

    _ = machine.setQueuePriority(.high) { 7 }
    #expect(machine.limits?.order == 7)
    _ = machine.setQueuePriority(.high) { 8 }
    #expect(machine.limits?.order == 7)
    _ = machine.escalate(to: TaskPriority.high.rawValue, from: 0, maySetTaskPriority: false) { 9 }
    #expect(machine.limits?.order == 9)
    _ = machine.claim { _, rank, _ in
      #expect(rank.priority == QueuePriority.veryHigh.rawValue && rank.order == 9 && !rank.isReturning)
      return (Self.demand, false)
    }
  }

  @Test("An operation is claimed only with its limits, and asks for them only when it is ready")
  func claimingWithLimits() {
    let needs: LimitNeeds = [LimitNeed(limit: ConcurrencyLimit(1), cost: 1)]
    var machine = limited(needs)
    let refused = machine.claim { _, _, known in
      #expect(known == nil)
      return (Self.demand, false)
    }
    #expect(refused == .lacksLimits)
    #expect(machine.unclaimedReadiness == .ready)
    #expect(machine.limitDemand == nil)
    let chosen = machine.claim { taken, _, known in
      #expect(taken == needs && known == Self.demand)
      return (Self.demand, true)
    }
    #expect(chosen == .judged(.ready))
    #expect(machine.unclaimedReadiness == nil)
    #expect(machine.limitDemand == Self.demand && machine.heldLimits == Self.demand)

    var cancelled = limited(needs)
    _ = cancelled.cancel()
    let action = cancelled.claim { _, _, _ in
      Issue.record("A cancelled operation took limits.")
      return (Self.demand, true)
    }
    #expect(action == .judged(.skipped))
  }

  @Test("Chosen ahead, an operation takes its limits when it begins; where it lacks one it stands in line, unclaimed")
  func limitWhenChosenAhead() throws {
    let needs: LimitNeeds = [LimitNeed(limit: ConcurrencyLimit(1), cost: 1)]
    var machine = limited(needs, order: 4)
    let refused = machine.begin(in: nil, isPrefetched: true) { asked, rank, _ in
      #expect(asked == needs && rank == LimitTable.Rank(priority: 0, order: 5))
      return (Self.demand, false)
    }
    guard case .notReady(.ready, taken: nil) = refused else { throw Unexpected("begun") }
    #expect(machine.unclaimedReadiness == .ready && machine.heldLimits == nil && machine.limitDemand == Self.demand)
    let inLine = machine.takeInLine()
    #expect(inLine?.rank == LimitTable.Rank(priority: 0, order: 5) && inLine?.demand == Self.demand)
    #expect(machine.limitDemand == nil)

    guard case .run = machine.begin(in: nil, isPrefetched: true, takeLimits: { _, _, _ in (Self.demand, true) }) else {
      throw Unexpected("not begun")
    }
    #expect(machine.heldLimits == Self.demand)
  }

  @Test("A ready operation may stand in line ahead of its slot; one that is not ready any more does not")
  func standingAhead() {
    let needs: LimitNeeds = [LimitNeed(limit: ConcurrencyLimit(1), cost: 1)]
    var machine = limited(needs, order: 4)
    let free = machine.standInLineAhead { asked, rank in
      #expect(asked == needs && rank == LimitTable.Rank(priority: 0, order: 5))
      return nil
    }
    #expect(free == nil && machine.limitDemand == nil)
    let place = machine.standInLineAhead { _, _ in Self.demand }
    #expect(place == OperationStateMachine.InLine(demand: Self.demand, rank: LimitTable.Rank(priority: 0, order: 5)))
    #expect(machine.limitDemand == nil && machine.unclaimedReadiness == .ready, "its queue knows of it")

    _ = machine.cancel()
    let cancelled = machine.standInLineAhead { _, _ in
      Issue.record("A cancelled operation stood in line.")
      return Self.demand
    }
    #expect(cancelled == nil)
  }

  @Test("At its end in one step an operation leaves its limits to be freed, once")
  func endedLimits() throws {
    let needs: LimitNeeds = [LimitNeed(limit: ConcurrencyLimit(1), cost: 1)]
    var machine = executing(needs)
    #expect(machine.canFinishAtOnce)

    let (first, second) = (machine.endLimits(), machine.endLimits())

    #expect(first == needs && second == nil)
    #expect(machine.heldLimits == nil && !machine.hasLimits)
  }

  @Test("A body that waits lends its limits once, and holds them again")
  func lending() throws {
    let needs: LimitNeeds = [LimitNeed(limit: ConcurrencyLimit(1), cost: 1)]
    var machine = executing(needs)
    let (first, again) = (machine.takeHeldLimits(), machine.takeHeldLimits())
    let lent = try #require(first)
    #expect(again == nil && machine.limitDemand == nil)

    machine.hold(lent)

    #expect(machine.heldLimits == lent)
  }

  @Test("Once chosen or finished an operation takes no more limits; what it has it lets go at its end")
  func limitTooLate() throws {
    let need = LimitNeed(limit: ConcurrencyLimit(1), cost: 1)
    var machine = executing([need])
    let held = try #require(machine.heldLimits)
    guard case .tooLate = machine.addLimit(need, order: { 0 }) else { throw Unexpected("added") }

    let finish = machine.publishFinish(.cancelled)

    let (hasFollowUps, onlyLimitsFollow, released) = (finish.hasFollowUps, finish.onlyLimitsFollow, finish.limits)
    #expect(hasFollowUps && onlyLimitsFollow)
    #expect(released?.needs == [need])
    let (first, second) = (machine.takeFollowUps(of: AsyncOperation {}), machine.takeFollowUps(of: AsyncOperation {}))
    #expect(first.heldLimits == held && second.heldLimits == nil)
    #expect(machine.limits == nil && !machine.hasLimits)
    guard case .tooLate = machine.addLimit(need, order: { 0 }) else { throw Unexpected("added") }
  }

  @Test("What goes unrun holds no limits, and more follows from its end: its queue forgets its place in line")
  func unrunLimits() throws {
    var machine = limited([LimitNeed(limit: ConcurrencyLimit(1), cost: 1)])
    _ = machine.cancel()
    let action = machine.claim { _, _, _ in (Self.demand, false) }
    #expect(action == .judged(.skipped))

    let finish = machine.publishFinish(.cancelled)

    let (hasFollowUps, onlyLimitsFollow) = (finish.hasFollowUps, finish.onlyLimitsFollow)
    #expect(hasFollowUps && !onlyLimitsFollow)
  }

  @Test("Cancelled while a start by hand waits for limits, that is to be ended")
  func cancelledStart() throws {
    var machine = limited([LimitNeed(limit: ConcurrencyLimit(1), cost: 1)], isEnqueued: false)
    let action = machine.start()
    #expect(action == .run)
    guard let (start, _) = machine.startTakingLimits(for: AsyncOperation {}, order: { 3 }) else {
      throw Unexpected("no limits to take")
    }
    guard case .endStart(let ended) = machine.cancel() else { throw Unexpected("nothing to end") }
    #expect(ended === start)
    _ = machine.publishFinish(.cancelled)
  }

  @Test("Its level can be changed while a start by hand takes its limits, and moves it to the end of the new one")
  func movedStart() throws {
    var machine = limited([LimitNeed(limit: ConcurrencyLimit(1), cost: 1)], isEnqueued: false)
    #expect(machine.placeOfStart == nil)
    #expect(machine.start() == .run)
    _ = machine.setQueuePriority(.low) { 0 }
    #expect(machine.queuePriority == .low && machine.placeOfStart == nil, "it does not stand in line yet")
    let taking = machine.startTakingLimits(for: AsyncOperation {}, order: { 3 })
    let (start, rank) = try #require(taking)
    #expect(rank == LimitTable.Rank(priority: QueuePriority.low.rawValue, order: 3))
    let notified = machine.setQueuePriority(.high) { 4 }
    #expect(notified == nil)
    let place = try #require(machine.placeOfStart)
    #expect(place.0 === start && place.1 == LimitTable.Rank(priority: QueuePriority.high.rawValue, order: 4))
    _ = machine.setQueuePriority(.high) { 5 }
    #expect(machine.placeOfStart?.1 == place.1, "it is at that level already")
    _ = machine.publishFinish(.cancelled)
    #expect(machine.placeOfStart == nil)
  }

  @Test("Chosen ahead in line, an operation begins with what its queue has taken, unless it needs other limits by now")
  func takenForIt() throws {
    let need = LimitNeed(limit: ConcurrencyLimit(1), cost: 1)
    var machine = limited([need])
    _ = machine.admit(as: 0, rank: 0)
    _ = machine.standInLineAhead { _, _ in Self.demand }
    _ = machine.addLimit(need) { 1 }
    var (other, cancelled) = (machine, machine)
    guard case .run = machine.begin(in: nil, isPrefetched: true, hasTaken: true) else { throw Unexpected("not begun") }
    #expect(machine.heldLimits == Self.demand)

    _ = other.addLimit(LimitNeed(limit: ConcurrencyLimit(1), cost: 1)) { 1 }
    guard case .notReady(.ready, let taken) = other.begin(in: nil, isPrefetched: true, hasTaken: true) else {
      throw Unexpected("begun without a limit")
    }
    #expect(taken == Self.demand && other.heldLimits == nil && other.limitDemand == nil)

    _ = cancelled.cancel()
    guard case .notReady(.skipped, let back) = cancelled.begin(in: nil, isPrefetched: true, hasTaken: true) else {
      throw Unexpected("begun though it was cancelled")
    }
    #expect(back == Self.demand && cancelled.heldLimits == nil)
  }
}
