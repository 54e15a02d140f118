import Testing

@testable import StructuredOperations

extension QueueSchedulerTests {
  @Test("One that stands in line gives its slot back, and does not count as executing")
  func standingInLine() {
    var scheduler = Self.scheduler(limit: 1)
    let limited = scheduler.append("limited")
    _ = scheduler.append("free")
    #expect(scheduler.startNext()?.id == limited)

    scheduler.standInLine(limited)

    #expect(scheduler.isInLine(limited))
    #expect(scheduler.executingCount == 0 && scheduler.executingOperationCount == 0)
    #expect(scheduler.startAll() == ["free"])
  }

  @Test(
    "One in line that can have its limits comes at its place among the ready ones: by priority, then by rank",
    arguments: [QueuePriority.low, .normal, .high])
  func placeOfLimited(priority: QueuePriority) {
    var scheduler = Self.scheduler(limit: 1)
    let limited = scheduler.append("limited", priority: priority)
    #expect(scheduler.startNext()?.id == limited)
    scheduler.standInLine(limited)
    _ = scheduler.append("free")
    let expected = priority == .low ? ["free", "limited"] : ["limited", "free"]

    var started: [String] = []
    while case .start(let id, let work) = scheduler.next(limited: scheduler.isInLine(limited) ? limited : nil) {
      started.append(work)
      scheduler.finished(id)
    }

    #expect(started == expected)
    #expect(scheduler.isEmpty)
  }

  @Test("One in line does not begin without a slot, nor in a suspended queue")
  func limitedWithoutSlot() throws {
    var scheduler = Self.scheduler(limit: 1)
    let limited = scheduler.append("limited")
    #expect(scheduler.startNext()?.id == limited)
    scheduler.standInLine(limited)

    scheduler.suspend()
    guard case .nothing = scheduler.next(limited: limited) else { throw Unexpected("begun while suspended") }
    scheduler.resume()
    scheduler.setLimit(0)
    guard case .nothing = scheduler.next(limited: limited) else { throw Unexpected("begun without a slot") }
    scheduler.setLimit(1)
    guard case .start(limited, _) = scheduler.next(limited: limited) else { throw Unexpected("not begun") }
  }

  @Test("One that leaves the line is ready at its old place, and may then be anything")
  func leavingLine() {
    var scheduler = Self.scheduler(limit: 1)
    let limited = scheduler.append("limited")
    _ = scheduler.append("later")
    #expect(scheduler.startNext()?.id == limited)
    scheduler.standInLine(limited)

    scheduler.leaveLine(limited)
    #expect(!scheduler.isInLine(limited))
    #expect(scheduler.startNext()?.id == limited)
    scheduler.standInLine(limited)
    scheduler.leaveLine(limited)
    scheduler.update(limited, to: .skipped)
    #expect(scheduler.nextSkipped()?.id == limited)
  }

  @Test("A body that resumes and lacks a limit gives its slot back, and comes before those that ask later")
  func limitedReturn() throws {
    var scheduler = Self.scheduler(limit: 1)
    let (limited, free) = (scheduler.append("limited"), scheduler.append("free"))
    #expect(scheduler.startNext()?.id == limited)
    scheduler.releaseSlot(limited)
    #expect(scheduler.startNext()?.id == free)
    scheduler.releaseSlot(free)
    scheduler.requestSlot(limited)
    guard case .resume(limited) = scheduler.next() else { throw Unexpected("not resumed") }

    scheduler.standInLine(limited)

    #expect(scheduler.executingCount == 0 && scheduler.waitingCount == 2 && scheduler.executingOperationCount == 2)
    #expect(!scheduler.isInLine(limited), "it is no ready one")
    scheduler.requestSlot(free)
    guard case .resume(limited) = scheduler.next(limited: limited) else { throw Unexpected("not first") }
    scheduler.finished(limited)
    guard case .resume(free) = scheduler.next() else { throw Unexpected("not resumed") }
  }

  @Test("A barrier stands in line once it is due")
  func limitedBarrier() throws {
    var scheduler = Self.scheduler(limit: 2)
    let barrier = scheduler.addBarrier("barrier", readiness: .ready)
    _ = scheduler.append("behind")
    #expect(scheduler.startNext()?.id == barrier)
    scheduler.standInLine(barrier)

    #expect(scheduler.startNext() == nil)
    guard case .start(barrier, _) = scheduler.next(limited: barrier) else { throw Unexpected("not begun") }
    scheduler.finished(barrier)
    #expect(scheduler.startAll() == ["behind"])
  }
}
