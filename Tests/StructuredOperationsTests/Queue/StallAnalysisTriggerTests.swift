import Testing

@testable import StructuredOperations

@Suite("StallAnalysisTrigger")
struct StallAnalysisTriggerTests {
  private let awaited = AsyncOperation {}
  private let other = AsyncOperation {}
  private var needs: StallAnalysis.Needs { StallAnalysis.Needs([awaited.storage]) }

  /// What is due.
  private struct Due: Equatable {
    var passing = false
    var quiescence = false
  }

  private func due(_ trigger: StallAnalysisTrigger) -> Due {
    Due(passing: trigger.isPassingDue, quiescence: trigger.isQuiescenceDue)
  }

  @Test("In a new queue nothing is due, and nothing was analysed")
  func new() {
    let trigger = StallAnalysisTrigger()
    #expect(due(trigger) == Due())
    #expect(!trigger.isInUse)
  }

  @Test("A change of the graph matters to passing and to a quiescent queue")
  func graphChanged() {
    var trigger = StallAnalysisTrigger()
    trigger.graphChanged()
    #expect(due(trigger) == Due(passing: true, quiescence: true))
  }

  @Test("An operation that finishes or waits matters to a quiescent queue alone")
  func operationsChanged() {
    var trigger = StallAnalysisTrigger()
    trigger.operationsChanged()
    #expect(due(trigger) == Due(passing: false, quiescence: true))
  }

  @Test(
    "After an analysis nothing is due, except quiescence where the queue was not quiescent", arguments: [false, true])
  func analysed(isQuiescent: Bool) {
    var trigger = StallAnalysisTrigger()
    trigger.graphChanged()

    trigger.analysed(isQuiescent: isQuiescent, needs: needs)

    #expect(due(trigger) == Due(passing: false, quiescence: !isQuiescent))
    #expect(trigger.isInUse)
  }

  @Test("An added operation matters where the last analysis found it awaited")
  func added() {
    var trigger = StallAnalysisTrigger()
    trigger.added(awaited.storage, isAwaited: true)
    #expect(due(trigger) == Due(), "there was no analysis")

    trigger.analysed(isQuiescent: true, needs: needs)
    trigger.added(other.storage, isAwaited: true)
    #expect(due(trigger) == Due())
    trigger.added(awaited.storage, isAwaited: false)
    #expect(due(trigger) == Due(passing: true, quiescence: true))

    trigger.analysed(isQuiescent: true, needs: StallAnalysis.Needs())
    trigger.added(awaited.storage, isAwaited: true)
    #expect(due(trigger) == Due(), "the last analysis counts")
  }

  @Test("Of what was awaited nothing is kept once the queue can stall no longer")
  func stopped() {
    var trigger = StallAnalysisTrigger()
    trigger.analysed(isQuiescent: true, needs: needs, isHoldKnown: true)
    trigger.graphChanged()
    trigger.stopped()
    #expect(due(trigger) == Due())
    #expect(!trigger.isInUse && !trigger.mayHoldBeKnown)
    trigger.added(awaited.storage, isAwaited: true)
    #expect(due(trigger) == Due())
  }

  @Test("Where what is awaited cannot be told, any added operation matters that anything waits for")
  func openEnded() {
    var trigger = StallAnalysisTrigger()
    trigger.analysed(isQuiescent: true, needs: StallAnalysis.Needs(isOpenEnded: true))
    trigger.added(other.storage, isAwaited: false)
    #expect(due(trigger) == Due())
    trigger.added(other.storage, isAwaited: true)
    #expect(due(trigger) == Due(passing: true, quiescence: true))
  }

  @Test("What the graph knows of the barrier is outdated once anything matters to a quiescent queue")
  func outdatedHold() {
    var trigger = StallAnalysisTrigger()
    trigger.operationsChanged()
    #expect(!trigger.isHoldOutdated)
    trigger.analysed(isQuiescent: true, needs: needs, isHoldKnown: true)
    #expect(trigger.mayHoldBeKnown && !trigger.isHoldOutdated)
    trigger.operationsChanged()
    #expect(trigger.isHoldOutdated)
    trigger.holdRemoved()
    #expect(!trigger.mayHoldBeKnown && !trigger.isHoldOutdated)
  }
}
