import Testing

@testable import StructuredOperations

@Suite("QueueScheduler")
struct QueueSchedulerTests {
  typealias Scheduler = QueueScheduler<String>

  static func scheduler(limit: Int, isSuspended: Bool = false) -> Scheduler {
    Scheduler(maxConcurrentOperationCount: limit, defaultWidth: 3, isSuspended: isSuspended)
  }

  @Test("An empty queue has nothing to start, to skip or to resume")
  func empty() {
    var scheduler = Self.scheduler(limit: 1)

    #expect(scheduler.isEmpty)
    #expect(scheduler.hasFreeSlot)
    #expect(scheduler.startNext() == nil)
    #expect(scheduler.nextSkipped() == nil)
    #expect(scheduler.nextResumption() == nil)
    #expect(scheduler.operations == [])
    #expect(scheduler.allWork.isEmpty)
  }

  @Test(
    "As many are started as the limit allows; -1 is the default, 0 starts nothing",
    arguments: [(-1, 3), (0, 0), (1, 1), (2, 2), (5, 5), (1_000_000, 6)])
  func limit(limit: Int, started: Int) {
    var scheduler = Self.scheduler(limit: limit)
    for number in 0..<6 { _ = scheduler.append("\(number)") }

    #expect(scheduler.startAll() == (0..<started).map { "\($0)" })
    #expect(scheduler.executingCount == started)
    #expect(scheduler.executingOperationCount == started)
    #expect(scheduler.entryCount == 6)
    #expect(scheduler.hasFreeSlot == (started > 5 || limit > 6))
    #expect(scheduler.maxConcurrentOperationCount == limit)
  }

  @Test("A higher limit counts at once, a lower one as soon as enough have finished (QC-05, QC-06)")
  func widthChanged() {
    var scheduler = Self.scheduler(limit: 1)
    let ids = (0..<6).map { scheduler.append("\($0)") }
    #expect(scheduler.startAll() == ["0"])

    scheduler.setMaxConcurrentOperationCount(4)
    #expect(scheduler.startAll() == ["1", "2", "3"])

    scheduler.setMaxConcurrentOperationCount(2)
    for id in ids.prefix(2) {
      scheduler.finished(id)
      #expect(scheduler.startAll() == [])
    }
    scheduler.finished(ids[2])
    #expect(scheduler.startAll() == ["4"])

    scheduler.setMaxConcurrentOperationCount(0)
    for id in ids[3...4] { scheduler.finished(id) }
    #expect(scheduler.startAll() == [])
    scheduler.setMaxConcurrentOperationCount(-1)
    #expect(scheduler.startAll() == ["5"])
  }

  @Test("A finished operation's slot goes to the next one")
  func slotReuse() {
    var scheduler = Self.scheduler(limit: 1)
    let ids = (0..<3).map { scheduler.append("\($0)") }

    for (number, id) in ids.enumerated() {
      #expect(scheduler.startAll() == ["\(number)"])
      #expect(!scheduler.hasFreeSlot)
      scheduler.finished(id)
    }

    #expect(scheduler.isEmpty)
    #expect(scheduler.hasFreeSlot)
  }

  @Test("A suspended queue starts and skips nothing; what executes is not affected (QP-02, QP-04)")
  func suspension() {
    var scheduler = Self.scheduler(limit: 2)
    let running = scheduler.append("running")
    #expect(scheduler.startAll() == ["running"])
    _ = scheduler.append("ready")
    _ = scheduler.append("cancelled", readiness: .skipped)

    scheduler.suspend()

    #expect(scheduler.isSuspended)
    #expect(!scheduler.hasFreeSlot)
    #expect(scheduler.startNext() == nil)
    #expect(scheduler.nextSkipped() == nil)
    scheduler.finished(running)
    #expect(scheduler.entryCount == 2)

    scheduler.resume()

    #expect(!scheduler.isSuspended)
    #expect(scheduler.nextSkipped()?.work == "cancelled")
    #expect(scheduler.startAll() == ["ready"])
  }

  @Test("A queue may be suspended from the beginning")
  func suspendedFromTheBeginning() {
    var scheduler = Self.scheduler(limit: 1, isSuspended: true)
    _ = scheduler.append("a")

    #expect(scheduler.startNext() == nil)
    scheduler.resume()
    #expect(scheduler.startNext()?.work == "a")
  }

  @Test("The higher priority goes first, then the order of addition (PR-03)")
  func priorities() {
    var scheduler = Self.scheduler(limit: 10)
    for number in 0..<2 {
      for level in [QueuePriority.low, .veryHigh, .normal, .veryLow, .high] {
        _ = scheduler.append("\(level) \(number)", priority: level)
      }
    }

    let order = QueuePriority.allCases.reversed().flatMap { ["\($0) 0", "\($0) 1"] }
    #expect(scheduler.startAll() == order)
  }

  @Test("The order is that of addition, not that of readiness (PR-03)")
  func orderOfAddition() {
    var scheduler = Self.scheduler(limit: 10)
    let ids = (0..<4).map { scheduler.append("\($0)", readiness: .blocked) }
    #expect(scheduler.startAll() == [])

    for id in [ids[2], ids[0], ids[3], ids[1]] { scheduler.update(id, to: .ready) }

    #expect(scheduler.startAll() == ["0", "1", "2", "3"])
  }

  @Test("An operation that is blocked again is passed over, and keeps its place (DP-09)")
  func blockedAgain() {
    var scheduler = Self.scheduler(limit: 1)
    let first = scheduler.append("first")
    let second = scheduler.append("second")
    _ = scheduler.append("third")

    scheduler.update(first, to: .blocked)
    #expect(scheduler.startAll() == ["second"])
    scheduler.update(first, to: .ready)
    scheduler.finished(second)

    #expect(scheduler.startAll() == ["first"])
  }

  @Test(
    "Changes of an operation that was chosen already have no effect",
    arguments: [OperationReadiness.blocked, .ready, .skipped])
  func updateOfExecuting(readiness: OperationReadiness) {
    var scheduler = Self.scheduler(limit: 2)
    let id = scheduler.append("a")
    #expect(scheduler.startAll() == ["a"])

    scheduler.update(id, to: readiness)
    scheduler.setPriority(id, to: .high)

    #expect(scheduler.startAll() == [])
    #expect(scheduler.nextSkipped() == nil)
    #expect(scheduler.executingCount == 1)
    scheduler.finished(id)
    #expect(scheduler.isEmpty)
  }

  @Test("Changes that are told twice do not start anything twice")
  func twice() {
    var scheduler = Self.scheduler(limit: 10)
    let id = scheduler.append("a")
    scheduler.update(id, to: .ready)
    scheduler.update(id, to: .blocked)
    scheduler.update(id, to: .ready)
    scheduler.setPriority(id, to: .high)
    scheduler.setPriority(id, to: .normal)

    #expect(scheduler.startAll() == ["a"])
  }

  @Test("Another priority moves an operation to the end of that level (PR-06)")
  func priorityChange() {
    var scheduler = Self.scheduler(limit: 10)
    let ids = ["a", "b", "c", "d"].map { scheduler.append($0) }
    _ = scheduler.append("high", priority: .high)

    scheduler.setPriority(ids[2], to: .high)
    scheduler.setPriority(ids[0], to: .low)
    scheduler.setPriority(ids[1], to: .low)
    scheduler.setPriority(ids[0], to: .normal)

    #expect(scheduler.startAll() == ["high", "c", "d", "a", "b"])
  }

  @Test("A blocked operation takes its new place, too")
  func priorityOfBlocked() {
    var scheduler = Self.scheduler(limit: 10)
    let first = scheduler.append("first", readiness: .blocked)
    let second = scheduler.append("second")
    scheduler.update(second, to: .blocked)

    scheduler.setPriority(first, to: .high)
    scheduler.setPriority(second, to: .high)
    _ = scheduler.append("third", priority: .high)
    scheduler.update(second, to: .ready)
    scheduler.update(first, to: .ready)

    #expect(scheduler.startAll() == ["first", "second", "third"])
  }

  @Test("Skipped operations need no slot and are not started; the order is that in which they became skipped")
  func skipped() {
    var scheduler = Self.scheduler(limit: 0)
    let ids = ["a", "b", "c"].map { scheduler.append($0) }
    let blocked = scheduler.append("blocked", readiness: .blocked)

    for id in [ids[2], blocked, ids[0]] { scheduler.update(id, to: .skipped) }

    #expect(scheduler.skipAll() == ["c", "blocked", "a"])
    #expect(scheduler.entryCount == 1)
    scheduler.setMaxConcurrentOperationCount(5)
    #expect(scheduler.startAll() == ["b"])
  }

  @Test("An operation that is skipped no more is not skipped, and is started in its place")
  func skippedNoMore() {
    var scheduler = Self.scheduler(limit: 10)
    let first = scheduler.append("first")
    _ = scheduler.append("second")
    let third = scheduler.append("third")
    scheduler.update(first, to: .skipped)
    scheduler.update(third, to: .skipped)
    scheduler.update(third, to: .blocked)
    scheduler.update(first, to: .ready)

    #expect(scheduler.nextSkipped() == nil)
    #expect(scheduler.startAll() == ["first", "second"])
  }

  @Test("What was chosen and put back releases its slot, and stays blocked in its place")
  func putBack() {
    var scheduler = Self.scheduler(limit: 1)
    let first = scheduler.append("first")
    let second = scheduler.append("second")
    #expect(scheduler.startNext()?.id == first)

    scheduler.putBack(first)

    #expect(scheduler.executingCount == 0)
    #expect(scheduler.executingOperationCount == 0)
    #expect(scheduler.entryCount == 2)
    #expect(scheduler.startAll() == ["second"])
    _ = scheduler.append("third")
    scheduler.update(first, to: .ready)
    scheduler.finished(second)
    #expect(scheduler.startAll() == ["first"])
  }

  @Test("The operations are listed in the order of addition, whatever their priorities and states (QI-01)")
  func operations() {
    var scheduler = Self.scheduler(limit: 2)
    let ids = (0..<5).map { scheduler.append("\($0)", priority: QueuePriority.allCases[$0 % 5]) }
    #expect(scheduler.startAll() == ["4", "3"])
    scheduler.finished(ids[3])
    scheduler.setPriority(ids[0], to: .high)
    // It takes over the identifier of the one that has finished.
    _ = scheduler.append("5", readiness: .blocked)

    #expect(scheduler.operations == ["0", "1", "2", "4", "5"])
    #expect(scheduler.allWork.map(\.work).sorted() == ["0", "1", "2", "4", "5"])
  }
}

extension QueueScheduler<String> {
  mutating func append(_ work: String, priority: QueuePriority = .normal, readiness: OperationReadiness = .ready) -> Int
  {
    add(work, priority: priority, readiness: readiness)
  }

  /// Starts all that comes before a decision of another kind.
  mutating func startAll() -> [String] {
    var started: [String] = []
    while let (_, work) = startNext() { started.append(work) }
    return started
  }

  /// Skips all that comes before a decision of another kind.
  mutating func skipAll() -> [String] {
    var skipped: [String] = []
    while let (id, work) = nextSkipped() {
      finished(id)
      skipped.append(work)
    }
    return skipped
  }
}
