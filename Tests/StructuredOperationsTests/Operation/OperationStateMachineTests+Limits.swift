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

  @Test("A limit that is added twice is one limit, with the higher cost")
  func limitTwice() {
    let (one, other) = (ConcurrencyLimit(9), ConcurrencyLimit(9))
    let machine = limited([
      LimitNeed(limit: one, cost: 2), LimitNeed(limit: other, cost: 1), LimitNeed(limit: one, cost: 5),
      LimitNeed(limit: one, cost: 3),
    ])
    #expect(machine.limits?.needs == [LimitNeed(limit: one, cost: 5), LimitNeed(limit: other, cost: 1)])
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
      return true
    }
  }

  @Test("An operation is claimed only with its limits, and asks for them only when it is ready")
  func claimingWithLimits() {
    let needs = [LimitNeed(limit: ConcurrencyLimit(1), cost: 1)]
    var machine = limited(needs)
    let refused = machine.claim { _, _ in false }
    #expect(refused == .limited)
    #expect(machine.unclaimedReadiness == .ready)
    let chosen = machine.claim { taken, _ in
      #expect(taken == needs)
      return true
    }
    #expect(chosen == .judged(.ready))
    #expect(machine.unclaimedReadiness == nil)

    var cancelled = limited(needs)
    _ = cancelled.cancel()
    let action = cancelled.claim { _, _ in
      Issue.record("A cancelled operation took limits.")
      return true
    }
    #expect(action == .judged(.skipped))
  }

  @Test("A limit that is added to an operation chosen ahead has it go back to its queue, unclaimed")
  func limitWhenChosenAhead() throws {
    var machine = limited([LimitNeed(limit: ConcurrencyLimit(1), cost: 1)])
    guard case .notReady(let readiness) = machine.begin(in: nil, isPrefetched: true) else { throw Unexpected("begun") }
    #expect(readiness == .ready)
    #expect(machine.unclaimedReadiness == .ready)
  }

  @Test("Once chosen or finished an operation takes no more limits; what it has it lets go at its end")
  func limitTooLate() throws {
    let need = LimitNeed(limit: ConcurrencyLimit(1), cost: 1)
    var machine = limited([need])
    _ = machine.claim { _, _ in true }
    _ = machine.begin(in: nil)
    #expect(!machine.canFinishAtOnce, "its queue has to give the limits back")
    guard case .tooLate = machine.addLimit(need, order: { 0 }) else { throw Unexpected("added") }

    let finish = machine.publishFinish(.cancelled)

    let (hasFollowUps, released) = (finish.hasFollowUps, finish.limits)
    #expect(hasFollowUps)
    #expect(released?.needs == [need])
    #expect(machine.limits == nil && !machine.hasLimits)
    guard case .tooLate = machine.addLimit(need, order: { 0 }) else { throw Unexpected("added") }
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
}
