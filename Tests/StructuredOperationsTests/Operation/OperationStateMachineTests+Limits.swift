import Testing

@testable import StructuredOperations

extension OperationStateMachineTests {
  /// A machine in a queue, with limits.
  private func limited(_ needs: [LimitNeed], order: Int = 1, isEnqueued: Bool = true) -> OperationStateMachine {
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
    return scheduler.stand([], as: LimitTable.Rank(priority: 0, order: 0), of: .none, opening: .all)
  }()

  /// A machine whose body runs and has its limits.
  private func executing(_ needs: [LimitNeed]) -> OperationStateMachine {
    var machine = limited(needs)
    _ = machine.claim { _, _ in Self.demand }
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
    #expect(machine.limits?.needs == [one, other].map { LimitNeed(limit: $0, cost: 1) })
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
    _ = machine.claim { _, rank in
      #expect(rank.priority == QueuePriority.veryHigh.rawValue && rank.order == 9 && !rank.isReturning)
      return nil
    }
  }

  @Test("An operation is claimed only with its limits, and asks for them only when it is ready")
  func claimingWithLimits() {
    let needs = [LimitNeed(limit: ConcurrencyLimit(1), cost: 1)]
    var machine = limited(needs)
    let refused = machine.claim { _, _ in nil }
    #expect(refused == .limited)
    #expect(machine.unclaimedReadiness == .ready)
    #expect(machine.limitDemand == nil)
    let chosen = machine.claim { taken, _ in
      #expect(taken == needs)
      return Self.demand
    }
    #expect(chosen == .judged(.ready))
    #expect(machine.unclaimedReadiness == nil)
    #expect(machine.limitDemand == Self.demand && machine.heldLimits?.demand == Self.demand)

    var cancelled = limited(needs)
    _ = cancelled.cancel()
    let action = cancelled.claim { _, _ in
      Issue.record("A cancelled operation took limits.")
      return nil
    }
    #expect(action == .judged(.skipped))
  }

  @Test("Chosen ahead, an operation takes its limits when it begins; where it lacks one it stands in line, unclaimed")
  func limitWhenChosenAhead() throws {
    let needs = [LimitNeed(limit: ConcurrencyLimit(1), cost: 1)]
    var machine = limited(needs, order: 4)
    let refused = machine.begin(in: nil, isPrefetched: true) { asked, rank, _ in
      #expect(asked == needs && rank == LimitTable.Rank(priority: 0, order: 5))
      return (Self.demand, false)
    }
    guard case .notReady(.ready) = refused else { throw Unexpected("begun") }
    #expect(machine.unclaimedReadiness == .ready && machine.heldLimits == nil && machine.limitDemand == Self.demand)
    let inLine = machine.takeInLine()
    #expect(inLine?.needs == needs && inLine?.demand == Self.demand && machine.limitDemand == nil)

    guard case .run = machine.begin(in: nil, isPrefetched: true, takeLimits: { _, _, _ in (Self.demand, true) }) else {
      throw Unexpected("not begun")
    }
    #expect(machine.heldLimits == OperationStateMachine.HeldLimits(needs: needs, demand: Self.demand))
  }

  @Test("A ready operation may stand in line ahead of its slot; one that is not ready any more does not")
  func standingAhead() {
    let needs = [LimitNeed(limit: ConcurrencyLimit(1), cost: 1)]
    var machine = limited(needs, order: 4)
    let free = machine.standInLineAhead { asked, rank in
      #expect(asked == needs && rank == LimitTable.Rank(priority: 0, order: 5))
      return nil
    }
    #expect(free == nil && machine.limitDemand == nil)
    let place = machine.standInLineAhead { _, _ in Self.demand }
    #expect(place?.needs == needs && place?.demand == Self.demand)
    #expect(machine.limitDemand == nil && machine.unclaimedReadiness == .ready, "its queue knows of it")

    _ = machine.cancel()
    let cancelled = machine.standInLineAhead { _, _ in
      Issue.record("A cancelled operation stood in line.")
      return Self.demand
    }
    #expect(cancelled == nil)
  }

  @Test("At its end in one step an operation leaves its limits to be given back, once")
  func endedLimits() throws {
    let needs = [LimitNeed(limit: ConcurrencyLimit(1), cost: 1)]
    var machine = executing(needs)
    #expect(machine.canFinishAtOnce)

    let (first, second) = (machine.endLimits(), machine.endLimits())

    #expect(first?.needs == needs && second == nil)
    #expect(machine.heldLimits == nil && !machine.hasLimits)
  }

  @Test("A body that waits lends its limits once, and holds them again")
  func lending() throws {
    let needs = [LimitNeed(limit: ConcurrencyLimit(1), cost: 1)]
    var machine = executing(needs)
    let (first, again) = (machine.takeHeldLimits(), machine.takeHeldLimits())
    let lent = try #require(first)
    #expect(lent.needs == needs && again == nil && machine.limitDemand == nil)

    machine.hold(lent.demand)

    #expect(machine.heldLimits?.demand == lent.demand && machine.heldLimits?.needs == needs)
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
    let action = machine.claim { _, _ in nil }
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

  @Test("Chosen ahead in line, an operation begins with what its queue has taken, unless it needs other limits by now")
  func takenForIt() throws {
    let need = LimitNeed(limit: ConcurrencyLimit(1), cost: 1)
    let taken = OperationStateMachine.HeldLimits(needs: [need], demand: Self.demand)
    var machine = limited([need])
    _ = machine.admit(as: 0, rank: 0)
    var other = machine
    guard case .run = machine.begin(in: nil, isPrefetched: true, taken: taken) else { throw Unexpected("not begun") }
    #expect(machine.heldLimits == taken)

    _ = other.addLimit(LimitNeed(limit: ConcurrencyLimit(1), cost: 1)) { 1 }
    guard case .notReady(.ready) = other.begin(in: nil, isPrefetched: true, taken: taken) else {
      throw Unexpected("begun without a limit")
    }
    #expect(other.heldLimits == nil && other.limitDemand == nil)
  }
}
