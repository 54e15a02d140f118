import Testing

@testable import StructuredOperations

extension QueueSchedulerTests {
  @Test("A barrier waits for all ahead of it, runs alone, and all behind wait for it (QB-01)")
  func barrier() {
    var scheduler = Self.scheduler(limit: 10)
    let ahead = [scheduler.append("a"), scheduler.append("b")]
    let barrier = scheduler.addBarrier("barrier", standing: .ready)
    _ = scheduler.append("c", priority: .veryHigh)
    #expect(scheduler.isBarrier(barrier))
    #expect(!scheduler.isBarrier(ahead[0]))

    #expect(scheduler.startAll() == ["a", "b"])
    scheduler.finished(ahead[0])
    #expect(scheduler.startAll() == [])
    scheduler.finished(ahead[1])
    #expect(scheduler.startAll() == ["barrier"])
    _ = scheduler.append("d", priority: .high)
    #expect(scheduler.startAll() == [])
    scheduler.finished(barrier)
    #expect(scheduler.startAll() == ["c", "d"])
  }

  @Test("A barrier in an empty queue runs straight away, but not in a suspended one (QB-02)")
  func barrierAlone() {
    var scheduler = Self.scheduler(limit: 1, isSuspended: true)
    let barrier = scheduler.addBarrier("barrier", standing: .ready)
    #expect(scheduler.startNext() == nil)

    scheduler.resume()

    #expect(scheduler.startNext()?.id == barrier)
    #expect(scheduler.startNext() == nil)
    scheduler.finished(barrier)
    #expect(scheduler.isEmpty)
  }

  @Test("A barrier takes a slot and is no operation (QB-03, QB-04)")
  func barrierCounts() {
    var scheduler = Self.scheduler(limit: 1)
    let barrier = scheduler.addBarrier("barrier", standing: .ready)
    _ = scheduler.append("a")
    #expect(scheduler.startAll() == ["barrier"])

    #expect(scheduler.executingCount == 1)
    #expect(scheduler.executingOperationCount == 0)
    #expect(scheduler.entryCount == 2)
    #expect(scheduler.operations == ["a"])
    #expect(Set(scheduler.allWork.map(\.work)) == ["barrier", "a"])
    #expect(!scheduler.hasFreeSlot)
    scheduler.finished(barrier)
    #expect(scheduler.executingCount == 0)
  }

  @Test("A barrier does not start while the limit is 0")
  func barrierAtLimit() {
    var scheduler = Self.scheduler(limit: 0)
    _ = scheduler.addBarrier("barrier", standing: .ready)
    #expect(scheduler.startAll() == [])

    scheduler.setLimit(1)

    #expect(scheduler.startAll() == ["barrier"])
  }

  @Test("Several barriers have their turns one after the other, with what is between them")
  func severalBarriers() {
    var scheduler = Self.scheduler(limit: 10)
    _ = scheduler.append("a")
    _ = scheduler.addBarrier("first", standing: .ready)
    _ = scheduler.addBarrier("second", standing: .ready)
    _ = scheduler.append("b")
    _ = scheduler.append("c")
    _ = scheduler.addBarrier("third", standing: .ready)
    var rounds: [[String]] = []

    while !scheduler.isEmpty, rounds.count < 10 {
      var round: [(id: Int, work: String)] = []
      while let next = scheduler.startNext() { round.append(next) }
      for (id, _) in round { scheduler.finished(id) }
      rounds.append(round.map(\.work))
    }

    #expect(rounds == [["a"], ["first"], ["second"], ["b", "c"], ["third"]])
  }

  @Test("A pending operation holds up the barrier behind it, and a pending barrier what is behind that")
  func pendingBeforeBarrier() {
    var scheduler = Self.scheduler(limit: 10)
    let pending = scheduler.append("pending", standing: .pending)
    let barrier = scheduler.addBarrier("barrier", standing: .pending)
    _ = scheduler.append("behind")
    #expect(scheduler.startAll() == [])

    scheduler.update(pending, to: .ready)
    #expect(scheduler.startAll() == ["pending"])
    scheduler.finished(pending)
    #expect(scheduler.startAll() == [])
    scheduler.update(barrier, to: .ready)
    #expect(scheduler.startAll() == ["barrier"])
    scheduler.finished(barrier)
    #expect(scheduler.startAll() == ["behind"])
  }

  @Test("A cancelled barrier keeps its place, and leaves at its turn without a slot (QB-05)")
  func cancelledBarrier() {
    var scheduler = Self.scheduler(limit: 1)
    let ahead = scheduler.append("ahead")
    let barrier = scheduler.addBarrier("barrier", standing: .ready)
    _ = scheduler.append("behind")
    #expect(scheduler.startAll() == ["ahead"])
    scheduler.update(barrier, to: .leaving)

    #expect(scheduler.nextDeparture() == nil)
    scheduler.finished(ahead)
    scheduler.setLimit(0)
    #expect(scheduler.startAll() == [])
    #expect(scheduler.departAll() == ["barrier"])
    scheduler.setLimit(1)
    #expect(scheduler.startAll() == ["behind"])
  }

  @Test("A cancelled barrier does not leave a suspended queue (QP-04)")
  func cancelledBarrierInSuspended() {
    var scheduler = Self.scheduler(limit: 1, isSuspended: true)
    _ = scheduler.addBarrier("barrier", standing: .leaving)
    #expect(scheduler.nextDeparture() == nil)

    scheduler.resume()

    #expect(scheduler.departAll() == ["barrier"])
  }

  @Test("A cancelled operation behind a barrier leaves ahead of it (QB-08)")
  func departureBehindBarrier() {
    var scheduler = Self.scheduler(limit: 1)
    let ahead = scheduler.append("ahead")
    _ = scheduler.addBarrier("barrier", standing: .ready)
    let behind = scheduler.append("behind")
    #expect(scheduler.startAll() == ["ahead"])

    scheduler.update(behind, to: .leaving)

    #expect(scheduler.departAll() == ["behind"])
    scheduler.finished(ahead)
    #expect(scheduler.startAll() == ["barrier"])
  }

  @Test("All of several cancelled barriers leave, one after the other, with what was cancelled between them")
  func severalCancelledBarriers() {
    var scheduler = Self.scheduler(limit: 1)
    _ = scheduler.append("a")
    _ = scheduler.addBarrier("first", standing: .ready)
    _ = scheduler.addBarrier("second", standing: .pending)
    _ = scheduler.append("b", standing: .pending)
    _ = scheduler.addBarrier("third", standing: .ready)

    for (id, _) in scheduler.allWork { scheduler.update(id, to: .leaving) }

    #expect(scheduler.departAll() == ["a", "b", "first", "second", "third"])
    #expect(scheduler.isEmpty)
  }

  @Test("A barrier that was put back holds up the rest until it is ready again")
  func barrierPutBack() {
    var scheduler = Self.scheduler(limit: 2)
    let barrier = scheduler.addBarrier("barrier", standing: .ready)
    _ = scheduler.append("behind")
    #expect(scheduler.startNext()?.id == barrier)

    scheduler.putBack(barrier)

    #expect(scheduler.executingCount == 0)
    #expect(scheduler.startAll() == [])
    scheduler.update(barrier, to: .ready)
    #expect(scheduler.startAll() == ["barrier"])
    #expect(scheduler.executingCount == 1)
  }

  @Test("A priority does not move an operation past a barrier, nor a barrier past anything")
  func priorityAndBarrier() {
    var scheduler = Self.scheduler(limit: 1)
    let ahead = scheduler.append("ahead")
    let barrier = scheduler.addBarrier("barrier", standing: .ready)
    let behind = scheduler.append("behind")

    scheduler.setPriority(behind, to: .veryHigh)
    scheduler.setPriority(barrier, to: .veryHigh)

    #expect(scheduler.startAll() == ["ahead"])
    scheduler.finished(ahead)
    #expect(scheduler.startAll() == ["barrier"])
    scheduler.finished(barrier)
    #expect(scheduler.startAll() == ["behind"])
  }
}
