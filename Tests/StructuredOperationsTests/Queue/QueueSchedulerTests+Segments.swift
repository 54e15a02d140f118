import Testing

@testable import StructuredOperations

extension QueueSchedulerTests {
  @Test("A barrier waits for all ahead of it, runs alone, and all behind wait for it (QB-01)")
  func barrier() {
    var scheduler = Self.scheduler(limit: 10)
    let ahead = [scheduler.append("a"), scheduler.append("b")]
    let barrier = scheduler.addBarrier("barrier", readiness: .ready)
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
    let barrier = scheduler.addBarrier("barrier", readiness: .ready)
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
    let barrier = scheduler.addBarrier("barrier", readiness: .ready)
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
    _ = scheduler.addBarrier("barrier", readiness: .ready)
    #expect(scheduler.startAll() == [])

    scheduler.setMaxConcurrentOperationCount(1)

    #expect(scheduler.startAll() == ["barrier"])
  }

  @Test("Several barriers have their turns one after the other, with what is between them")
  func severalBarriers() {
    var scheduler = Self.scheduler(limit: 10)
    _ = scheduler.append("a")
    _ = scheduler.addBarrier("first", readiness: .ready)
    _ = scheduler.addBarrier("second", readiness: .ready)
    _ = scheduler.append("b")
    _ = scheduler.append("c")
    _ = scheduler.addBarrier("third", readiness: .ready)
    var rounds: [[String]] = []

    while !scheduler.isEmpty, rounds.count < 10 {
      var round: [(id: Int, work: String)] = []
      while let next = scheduler.startNext() { round.append(next) }
      for (id, _) in round { scheduler.finished(id) }
      rounds.append(round.map(\.work))
    }

    #expect(rounds == [["a"], ["first"], ["second"], ["b", "c"], ["third"]])
  }

  @Test("A blocked operation holds back the barrier behind it, and a blocked barrier what is behind that")
  func blockedBeforeBarrier() {
    var scheduler = Self.scheduler(limit: 10)
    let blocked = scheduler.append("blocked", readiness: .blocked)
    let barrier = scheduler.addBarrier("barrier", readiness: .blocked)
    _ = scheduler.append("behind")
    #expect(scheduler.startAll() == [])

    scheduler.update(blocked, to: .ready)
    #expect(scheduler.startAll() == ["blocked"])
    scheduler.finished(blocked)
    #expect(scheduler.startAll() == [])
    scheduler.update(barrier, to: .ready)
    #expect(scheduler.startAll() == ["barrier"])
    scheduler.finished(barrier)
    #expect(scheduler.startAll() == ["behind"])
  }

  @Test("A cancelled barrier keeps its place, and is skipped at its turn without a slot (QB-05)")
  func cancelledBarrier() {
    var scheduler = Self.scheduler(limit: 1)
    let ahead = scheduler.append("ahead")
    let barrier = scheduler.addBarrier("barrier", readiness: .ready)
    _ = scheduler.append("behind")
    #expect(scheduler.startAll() == ["ahead"])
    scheduler.update(barrier, to: .skipped)

    #expect(scheduler.nextSkipped() == nil)
    scheduler.finished(ahead)
    scheduler.setMaxConcurrentOperationCount(0)
    #expect(scheduler.startAll() == [])
    #expect(scheduler.skipAll() == ["barrier"])
    scheduler.setMaxConcurrentOperationCount(1)
    #expect(scheduler.startAll() == ["behind"])
  }

  @Test("The caller of a cancelled barrier goes on at once, in a suspended queue too; the barrier keeps its place")
  func dismissedCaller() {
    var scheduler = Self.scheduler(limit: 1, isSuspended: true)
    let ahead = scheduler.append("ahead")
    let barrier = scheduler.addBarrier("barrier", readiness: .ready, runsInCaller: true)
    _ = scheduler.append("behind")
    scheduler.update(barrier, to: .skipped)

    guard case .dismissCaller(barrier) = scheduler.next() else {
      Issue.record("the caller waits")
      return
    }
    guard case .nothing = scheduler.next() else {
      Issue.record("something is left")
      return
    }
    scheduler.resume()
    #expect(scheduler.startAll() == ["ahead"])
    #expect(scheduler.nextSkipped() == nil)
    scheduler.finished(ahead)
    #expect(scheduler.skipAll() == ["barrier"])
    #expect(scheduler.startAll() == ["behind"])
  }

  @Test("What is ahead of a barrier is what has to finish before it, earlier barriers included")
  func workAheadOfBarrier() {
    var scheduler = Self.scheduler(limit: 1)
    _ = scheduler.append("a")
    let first = scheduler.addBarrier("first", readiness: .ready)
    _ = scheduler.append("b")
    let second = scheduler.addBarrier("second", readiness: .ready)
    _ = scheduler.append("c")
    #expect(scheduler.work(aheadOf: first) == ["a"])
    #expect(scheduler.work(aheadOf: second) == ["a", "first", "b"])
  }

  @Test("A cancelled barrier is not skipped in a suspended queue (QP-04)")
  func cancelledBarrierInSuspended() {
    var scheduler = Self.scheduler(limit: 1, isSuspended: true)
    _ = scheduler.addBarrier("barrier", readiness: .skipped)
    #expect(scheduler.nextSkipped() == nil)

    scheduler.resume()

    #expect(scheduler.skipAll() == ["barrier"])
  }

  @Test("A cancelled operation behind a barrier is skipped ahead of it (QB-08)")
  func skippedBehindBarrier() {
    var scheduler = Self.scheduler(limit: 1)
    let ahead = scheduler.append("ahead")
    _ = scheduler.addBarrier("barrier", readiness: .ready)
    let behind = scheduler.append("behind")
    #expect(scheduler.startAll() == ["ahead"])

    scheduler.update(behind, to: .skipped)

    #expect(scheduler.skipAll() == ["behind"])
    scheduler.finished(ahead)
    #expect(scheduler.startAll() == ["barrier"])
  }

  @Test("All of several cancelled barriers are skipped, one after the other, with what was cancelled between them")
  func severalCancelledBarriers() {
    var scheduler = Self.scheduler(limit: 1)
    _ = scheduler.append("a")
    _ = scheduler.addBarrier("first", readiness: .ready)
    _ = scheduler.addBarrier("second", readiness: .blocked)
    _ = scheduler.append("b", readiness: .blocked)
    _ = scheduler.addBarrier("third", readiness: .ready)

    for (id, _) in scheduler.allWork { scheduler.update(id, to: .skipped) }

    #expect(scheduler.skipAll() == ["a", "b", "first", "second", "third"])
    #expect(scheduler.isEmpty)
  }

  @Test("A barrier that was put back holds back the rest until it is ready again")
  func barrierPutBack() {
    var scheduler = Self.scheduler(limit: 2)
    let barrier = scheduler.addBarrier("barrier", readiness: .ready)
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
    let barrier = scheduler.addBarrier("barrier", readiness: .ready)
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
