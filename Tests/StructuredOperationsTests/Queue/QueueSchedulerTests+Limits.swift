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
    while case .start(let id, let work) = scheduler.next(firstInLine: scheduler.isInLine(limited) ? limited : nil) {
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
    guard case .nothing = scheduler.next(firstInLine: limited) else { throw Unexpected("begun while suspended") }
    scheduler.resume()
    scheduler.setMaxConcurrentOperationCount(0)
    guard case .nothing = scheduler.next(firstInLine: limited) else { throw Unexpected("begun without a slot") }
    scheduler.setMaxConcurrentOperationCount(1)
    guard case .start(limited, _) = scheduler.next(firstInLine: limited) else { throw Unexpected("not begun") }
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
    guard case .resume(limited) = scheduler.next(firstInLine: limited) else { throw Unexpected("not first") }
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
    guard case .start(barrier, _) = scheduler.next(firstInLine: barrier) else { throw Unexpected("not begun") }
    scheduler.finished(barrier)
    #expect(scheduler.startAll() == ["behind"])
  }

  /// Three of them, in line for their limits, of which the last has a higher priority; one more executes.
  private func sceneOfLine() -> (QueueScheduler<String>, running: Int, ids: [Int]) {
    var scheduler = Self.scheduler(limit: 1)
    let ids = ["a", "b", "c"].map { scheduler.append($0, priority: $0 == "c" ? .high : .normal) }
    while let id = scheduler.startNext()?.id { scheduler.standInLine(id) }
    let running = scheduler.append("running")
    _ = scheduler.startNext()
    return (scheduler, running, ids)
  }

  @Test("Those in line are chosen ahead by priority, then by rank; the first that is not wanted ends that, and stays")
  func prefetchedInLine() {
    var (scheduler, running, ids) = sceneOfLine()
    let items = scheduler.prefetchInLine(9) { $0.work == "b" ? nil : $0 }
    #expect(items.map(\.work) == ["a", "c"])
    #expect(items.map(\.position) == [(.normal, 0), (.high, 2)].map { QueuePosition(priority: $0, rank: $1) })
    #expect(scheduler.prefetchInLine(9) { $0 }.map(\.work) == ["b"])
    scheduler.takeBack([], [], inLine: [items[0]])
    #expect(scheduler.prefetchInLine(1) { $0 }.map(\.work) == ["a"])

    // That has the slot of the one that has finished.
    scheduler.takeBack([PrefetchedReplacement(finished: running, started: ids[0], wasInLine: true)], [])
    #expect(!scheduler.isInLine(ids[0]))
    #expect(scheduler.executingCount == 1 && scheduler.executingOperationCount == 1 && scheduler.entryCount == 3)
  }

  @Test("One that left the line is not chosen ahead; one that came back is, once, at its new place")
  func backInLine() {
    var (scheduler, _, ids) = sceneOfLine()
    scheduler.setMaxConcurrentOperationCount(9)
    for id in [ids[0], ids[1]] { scheduler.leaveLine(id) }
    scheduler.setPriority(ids[0], to: .veryHigh)
    #expect(scheduler.startNext()?.id == ids[0])
    scheduler.standInLine(ids[0])
    #expect(scheduler.startNext()?.id == ids[1])
    #expect(scheduler.prefetchInLine(9) { $0 }.map(\.work) == ["c", "a"])

    scheduler.standInLine(ids[1])
    scheduler.leaveLine(ids[1])
    _ = scheduler.startNext()
    scheduler.standInLine(ids[1])
    #expect(scheduler.prefetchInLine(9) { $0 }.map(\.work) == ["b"])
  }

  @Test("A barrier in line is not chosen ahead")
  func barrierInLine() {
    var scheduler = Self.scheduler(limit: 2)
    let barrier = scheduler.addBarrier("barrier", readiness: .ready)
    _ = scheduler.startNext()
    scheduler.standInLine(barrier)
    #expect(scheduler.prefetchInLine(9) { $0 }.isEmpty)
  }

  @Test("What has left the line takes no memory for long")
  func memoryOfLine() {
    var scheduler = Self.scheduler(limit: 1)
    for number in 0..<1_000 {
      let id = scheduler.append("\(number)")
      _ = scheduler.startNext()
      scheduler.standInLine(id)
      guard case .start(id, _) = scheduler.next(firstInLine: id) else { break }
      scheduler.finished(id)
    }
    #expect(scheduler.isEmpty && scheduler.line.itemCount < 100)
  }

  @Test("A slot is passed on where all are taken or some are free, and not where more are taken than there are")
  func passingSlotsOn() {
    var scheduler = Self.scheduler(limit: 2)
    #expect(!scheduler.passesSlotsOn)
    for limit in [2, 3, 1] {
      scheduler.setMaxConcurrentOperationCount(2)
      for work in ["a", "b"] { _ = scheduler.append(work) }
      _ = scheduler.startAll()
      scheduler.setMaxConcurrentOperationCount(limit)
      #expect(scheduler.passesSlotsOn == (limit >= 2))
    }
  }
}
