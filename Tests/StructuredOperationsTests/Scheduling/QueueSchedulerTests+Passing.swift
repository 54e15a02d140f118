import Testing

@testable import StructuredOperations

extension QueueSchedulerTests {
  @Test("What passes begins ahead of the barrier, which waits for it")
  func pass() {
    var scheduler = Self.scheduler(limit: 2)
    let early = scheduler.append("early", standing: .pending)
    let barrier = scheduler.addBarrier("barrier", standing: .ready)
    let late = scheduler.append("late")
    _ = scheduler.append("other")
    #expect(scheduler.isHeld(late))
    #expect(scheduler.startAll() == [])

    scheduler.pass([late])

    #expect(!scheduler.isHeld(late))
    #expect(scheduler.startAll() == ["late"])
    scheduler.update(early, to: .ready)
    #expect(scheduler.startAll() == ["early"])
    scheduler.finished(early)
    #expect(scheduler.startAll() == [])
    scheduler.finished(late)
    #expect(scheduler.startAll() == ["barrier"])
    scheduler.finished(barrier)
    #expect(scheduler.startAll() == ["other"])
  }

  @Test("It passes all barriers there are at once")
  func passSeveral() {
    var scheduler = Self.scheduler(limit: 10)
    _ = scheduler.append("early", standing: .pending)
    for number in 0..<3 {
      _ = scheduler.addBarrier("barrier", standing: .ready)
      _ = scheduler.append("between \(number)")
    }
    let late = scheduler.append("late")

    scheduler.pass([late])

    #expect(scheduler.startAll() == ["late"])
  }

  @Test("Those that pass keep their order, and what is higher goes first", arguments: [[0, 1, 2, 3], [3, 1, 0, 2]])
  func passOrder(order: [Int]) {
    var scheduler = Self.scheduler(limit: 10)
    _ = scheduler.append("early", standing: .pending)
    _ = scheduler.addBarrier("barrier", standing: .ready)
    let priorities: [QueuePriority] = [.low, .normal, .high, .normal]
    let late = priorities.enumerated().map { scheduler.append("\($0)", priority: $1) }

    scheduler.pass(order.map { late[$0] })

    #expect(scheduler.startAll() == ["2", "1", "3", "0"])
  }

  @Test("What waits for no barrier, has begun, or is gone is not moved")
  func passOthers() {
    var scheduler = Self.scheduler(limit: 1)
    let running = scheduler.append("running")
    let first = scheduler.append("first")
    _ = scheduler.append("second")
    _ = scheduler.addBarrier("barrier", standing: .ready)
    _ = scheduler.startNext()

    scheduler.pass([first, running, 1_000].filter { scheduler.entries.indices.contains($0) })

    scheduler.finished(running)
    scheduler.pass([running])
    #expect(scheduler.startAll() == ["first"])
  }

  @Test("A pending one that passes begins when it is ready, and one that leaves does so")
  func passPending() {
    var scheduler = Self.scheduler(limit: 10)
    _ = scheduler.append("early", standing: .pending)
    _ = scheduler.addBarrier("barrier", standing: .ready)
    let pending = scheduler.append("pending", standing: .pending)
    let leaving = scheduler.append("leaving", standing: .pending)

    scheduler.pass([pending, leaving])

    #expect(scheduler.startAll() == [])
    scheduler.update(leaving, to: .leaving)
    #expect(scheduler.departAll() == ["leaving"])
    scheduler.update(pending, to: .ready)
    #expect(scheduler.startAll() == ["pending"])
  }

  @Test("Nothing that passed runs twice when the barrier has finished")
  func passOnce() {
    var scheduler = Self.scheduler(limit: 10)
    let early = scheduler.append("early", standing: .pending)
    let barrier = scheduler.addBarrier("barrier", standing: .ready)
    let late = scheduler.append("late")
    scheduler.pass([late])
    #expect(scheduler.startAll() == ["late"])
    scheduler.finished(late)
    // It takes over the identifier, behind the barrier.
    #expect(scheduler.append("new") == late)
    scheduler.update(early, to: .ready)
    #expect(scheduler.startAll() == ["early"])
    scheduler.finished(early)
    #expect(scheduler.startAll() == ["barrier"])
    scheduler.finished(barrier)
    #expect(scheduler.startAll() == ["new"])
  }

  @Test("In a suspended queue, what has passed begins when it is resumed")
  func passWhileSuspended() {
    var scheduler = Self.scheduler(limit: 1, isSuspended: true)
    _ = scheduler.append("early", standing: .pending)
    _ = scheduler.addBarrier("barrier", standing: .ready)
    let late = scheduler.append("late")
    scheduler.pass([late])
    #expect(scheduler.startAll() == [])

    scheduler.resume()

    #expect(scheduler.startAll() == ["late"])
  }

  @Test("The front is what is ahead of the next barrier, and that barrier alone once it is its turn")
  func front() {
    var scheduler = Self.scheduler(limit: 10)
    #expect(scheduler.front == [])
    #expect(!scheduler.hasBarrier)
    let ahead = [scheduler.append("a"), scheduler.append("b", standing: .pending)]
    let barrier = scheduler.addBarrier("barrier", standing: .ready)
    let behind = scheduler.append("behind")
    #expect(scheduler.hasBarrier)
    #expect(Set(scheduler.front) == Set(ahead))
    #expect([ahead[0], barrier, behind].map(scheduler.isHeld) == [false, true, true])

    scheduler.finished(ahead[1])
    _ = scheduler.startNext()
    scheduler.lend(ahead[0])
    #expect(scheduler.front == [ahead[0]])
    scheduler.returned(ahead[0])
    _ = scheduler.nextReturn()
    scheduler.finished(ahead[0])
    #expect(scheduler.front == [barrier])
    _ = scheduler.startNext()
    #expect(scheduler.front == [barrier])
    scheduler.finished(barrier)
    #expect(scheduler.front == [behind])
    #expect(!scheduler.hasBarrier)
    #expect(!scheduler.isHeld(behind))
  }

  @Test("A barrier that passes another stops the program")
  func barrierPasses() async {
    await #expect(processExitsWith: .failure) {
      var scheduler = QueueScheduler<String>(limit: 1, defaultLimit: 1)
      _ = scheduler.addBarrier("first", standing: .ready)
      scheduler.pass([scheduler.addBarrier("second", standing: .ready)])
    }
  }
}
