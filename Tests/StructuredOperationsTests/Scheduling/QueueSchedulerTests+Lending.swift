import Testing

@testable import StructuredOperations

extension QueueSchedulerTests {
  @Test("What lends its slot makes room for another, and executes and counts as before")
  func lend() {
    var scheduler = Self.scheduler(limit: 1)
    let lender = scheduler.append("lender")
    _ = scheduler.append("other")
    #expect(scheduler.startAll() == ["lender"])
    #expect(!scheduler.isLending(lender))

    scheduler.lend(lender)

    #expect(scheduler.isLending(lender))
    #expect(scheduler.startAll() == ["other"])
    #expect(scheduler.executingCount == 1)
    #expect(scheduler.lendingCount == 1)
    #expect(scheduler.executingOperationCount == 2)
    #expect(scheduler.operations == ["lender", "other"])
  }

  @Test("What returns waits for a free slot, and gets it back once")
  func returning() {
    var scheduler = Self.scheduler(limit: 1)
    let lender = scheduler.append("lender")
    let other = scheduler.append("other")
    _ = scheduler.startNext()
    #expect(scheduler.nextReturn() == nil)
    scheduler.lend(lender)
    #expect(scheduler.nextReturn() == nil)
    #expect(scheduler.startAll() == ["other"])

    scheduler.returned(lender)

    #expect(!scheduler.isLending(lender))
    #expect(scheduler.nextReturn() == nil)
    scheduler.finished(other)
    #expect(scheduler.nextReturn() == lender)
    #expect(scheduler.nextReturn() == nil)
    #expect(scheduler.executingCount == 1)
    #expect(scheduler.lendingCount == 0)
    scheduler.finished(lender)
    #expect(scheduler.isEmpty)
    #expect(scheduler.executingOperationCount == 0)
  }

  @Test("Those that return go on in the order of their returns, whatever their priorities")
  func returnOrder() {
    var scheduler = Self.scheduler(limit: 3)
    let lenders = QueuePriority.allCases.prefix(3).map { scheduler.append("\($0)", priority: $0) }
    #expect(scheduler.startAll().count == 3)
    for id in lenders { scheduler.lend(id) }

    let order = [lenders[1], lenders[0], lenders[2]]
    for id in order { scheduler.returned(id) }

    #expect([scheduler.nextReturn(), scheduler.nextReturn(), scheduler.nextReturn()] == order)
  }

  @Test("In a suspended queue slots are given back, and nothing else")
  func returnWhileSuspended() {
    var scheduler = Self.scheduler(limit: 1)
    let lender = scheduler.append("lender")
    _ = scheduler.append("other")
    _ = scheduler.startNext()
    scheduler.lend(lender)
    scheduler.suspend()
    #expect(scheduler.startAll() == [])

    scheduler.returned(lender)

    #expect(scheduler.nextReturn() == lender)
    #expect(scheduler.startAll() == [])
  }

  @Test("Where the limit is 0, slots are given back one at a time")
  func returnAtLimitZero() {
    var scheduler = Self.scheduler(limit: 2)
    let lenders = [scheduler.append("a"), scheduler.append("b")]
    _ = scheduler.startAll()
    for id in lenders { scheduler.lend(id) }
    scheduler.setLimit(0)
    for id in lenders { scheduler.returned(id) }

    #expect(scheduler.nextReturn() == lenders[0])
    #expect(scheduler.nextReturn() == nil)
    scheduler.finished(lenders[0])
    #expect(scheduler.nextReturn() == lenders[1])
  }

  @Test("Where the limit has shrunk meanwhile, as many go on as it allows")
  func returnAtSmallerLimit() {
    var scheduler = Self.scheduler(limit: 3)
    let lenders = ["a", "b", "c"].map { scheduler.append($0) }
    _ = scheduler.startAll()
    for id in lenders { scheduler.lend(id) }
    scheduler.setLimit(2)
    for id in lenders { scheduler.returned(id) }

    #expect([scheduler.nextReturn(), scheduler.nextReturn(), scheduler.nextReturn()] == [lenders[0], lenders[1], nil])
    scheduler.lend(lenders[0])
    #expect(scheduler.nextReturn() == lenders[2])
  }

  @Test("It may lend its slot again and again")
  func lendAgain() {
    var scheduler = Self.scheduler(limit: 1)
    let lender = scheduler.append("lender")
    _ = scheduler.startNext()
    for _ in 0..<3 {
      scheduler.lend(lender)
      #expect(scheduler.lendingCount == 1)
      scheduler.returned(lender)
      #expect(scheduler.nextReturn() == lender)
    }
    scheduler.finished(lender)
    #expect(scheduler.isIdle)
  }

  @Test("A barrier waits for what has lent its slot, and lends its own")
  func barrierAndLending() {
    var scheduler = Self.scheduler(limit: 2)
    let lender = scheduler.append("lender")
    let barrier = scheduler.addBarrier("barrier", standing: .ready)
    _ = scheduler.append("behind")
    #expect(scheduler.startAll() == ["lender"])
    scheduler.lend(lender)
    #expect(scheduler.startAll() == [])
    scheduler.returned(lender)
    #expect(scheduler.nextReturn() == lender)
    scheduler.finished(lender)
    #expect(scheduler.startAll() == ["barrier"])

    scheduler.lend(barrier)

    #expect(scheduler.startAll() == [])
    #expect(scheduler.lendingCount == 1)
    #expect(scheduler.executingOperationCount == 0)
    scheduler.returned(barrier)
    #expect(scheduler.nextReturn() == barrier)
    scheduler.finished(barrier)
    #expect(scheduler.startAll() == ["behind"])
  }

  @Test("At rest is a queue in which nothing holds a slot or is about to; idle is one in which no body runs")
  func rest() {
    var scheduler = Self.scheduler(limit: 1)
    let lender = scheduler.append("lender")
    #expect(scheduler.isAtRest)
    #expect(scheduler.isIdle)
    _ = scheduler.startNext()
    #expect(!scheduler.isAtRest)
    scheduler.lend(lender)
    #expect(scheduler.isAtRest)
    #expect(!scheduler.isIdle)
    scheduler.returned(lender)
    #expect(!scheduler.isAtRest)
    _ = scheduler.nextReturn()
    #expect(!scheduler.isAtRest)
    scheduler.finished(lender)
    #expect(scheduler.isAtRest)
    #expect(scheduler.isIdle)
  }

  @Test("Neither cancellation nor another priority changes anything for what has lent its slot")
  func changesWhileLending() {
    var scheduler = Self.scheduler(limit: 1)
    let lender = scheduler.append("lender")
    _ = scheduler.startNext()
    scheduler.lend(lender)

    scheduler.update(lender, to: .leaving)
    scheduler.setPriority(lender, to: .veryHigh)

    #expect(scheduler.departAll() == [])
    #expect(scheduler.startAll() == [])
    scheduler.returned(lender)
    scheduler.update(lender, to: .leaving)
    #expect(scheduler.departAll() == [])
    #expect(scheduler.nextReturn() == lender)
  }

  @Test("Lending what is not held, returning what was not lent, and finishing without a slot stop the program")
  func misuse() async {
    await #expect(processExitsWith: .failure) {
      var scheduler = QueueScheduler<String>(limit: 1, defaultLimit: 1)
      scheduler.lend(scheduler.append("ready"))
    }
    await #expect(processExitsWith: .failure) {
      var scheduler = QueueScheduler<String>(limit: 1, defaultLimit: 1)
      let id = scheduler.append("executing")
      _ = scheduler.startNext()
      scheduler.returned(id)
    }
    await #expect(processExitsWith: .failure) {
      var scheduler = QueueScheduler<String>(limit: 1, defaultLimit: 1)
      let id = scheduler.append("lender")
      _ = scheduler.startNext()
      scheduler.lend(id)
      scheduler.finished(id)
    }
  }
}
