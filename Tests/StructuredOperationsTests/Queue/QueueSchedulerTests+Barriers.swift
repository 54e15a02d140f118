import Testing

@testable import StructuredOperations

extension QueueSchedulerTests {
  @Test("What passes starts ahead of the barrier, which waits for it")
  func pass() {
    var scheduler = Self.scheduler(limit: 2)
    let early = scheduler.append("early", readiness: .blocked)
    let barrier = scheduler.addBarrier("barrier", readiness: .ready)
    let late = scheduler.append("late")
    _ = scheduler.append("other")
    #expect(scheduler.isHeldByBarrier(late))
    #expect(scheduler.startAll() == [])

    scheduler.pass([late])

    #expect(!scheduler.isHeldByBarrier(late))
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

  @Test("A barrier that gives its place up is let go at once; what it held back comes after what was ahead of it")
  func givingUpPlace() {
    var scheduler = Self.scheduler(limit: 10)
    let first = scheduler.append("first")
    let second = scheduler.addBarrier("second", readiness: .ready)
    _ = scheduler.append("behind second")
    let withdrawn = scheduler.addBarrier("withdrawn", readiness: .skipped)
    let behind = scheduler.append("behind withdrawn")
    let third = scheduler.addBarrier("third", readiness: .ready)
    #expect(scheduler.startAll() == ["first"])

    let moved = scheduler.giveUpPlace(withdrawn)
    scheduler.finished(withdrawn)

    #expect(moved == [behind] && [second, behind, third].allSatisfy(scheduler.isHeldByBarrier))
    #expect(scheduler.startAll() == [])
    scheduler.finished(first)
    #expect(scheduler.startAll() == ["second"])
    scheduler.finished(second)
    #expect(scheduler.startAll() == ["behind second", "behind withdrawn"])
    let last = scheduler.giveUpPlace(third)
    scheduler.finished(third)
    #expect(last == [] && !scheduler.hasBarrier && scheduler.entryCount == 2)
  }

  @Test("What passes a later barrier waits for those before that")
  func passLater() {
    var scheduler = Self.scheduler(limit: 10)
    let ahead = scheduler.append("ahead")
    let first = scheduler.addBarrier("first", readiness: .ready)
    let early = scheduler.append("early", readiness: .blocked)
    let second = scheduler.addBarrier("second", readiness: .ready)
    let late = scheduler.append("late")
    let segments = scheduler.segmentsBeforeBarriers
    #expect(scheduler.operationsBySegment == [segments.lowerBound + 1: [early], segments.lowerBound + 2: [late]])
    #expect(segments.map(scheduler.isBlocked) == [false, true])
    let held = segments.map { segment in
      [ahead, first, early, second, late].filter { scheduler.isAtOrBehindBarrier($0, after: segment) }
    }
    #expect(held == [[first, early, second, late], [second, late]])

    scheduler.pass([ahead, late], to: segments[segments.startIndex + 1])

    #expect(scheduler.startAll() == ["ahead"])
    scheduler.finished(ahead)
    #expect(scheduler.startAll() == ["first"])
    scheduler.finished(first)
    #expect(scheduler.startAll() == ["late"])
    scheduler.finished(late)
    #expect(scheduler.startAll() == [])
    scheduler.update(early, to: .ready)
    #expect(scheduler.startAll() == ["early"])
    scheduler.finished(early)
    #expect(scheduler.startAll() == ["second"])
  }

  @Test("What falls behind a barrier starts after it, in its order; what was chosen or is behind already stays")
  func fallBehind() {
    var scheduler = Self.scheduler(limit: 10)
    let chosen = scheduler.append("chosen")
    #expect(scheduler.startAll() == ["chosen"])
    let blocked = (0..<2).map { scheduler.append("blocked \($0)", readiness: .blocked) }
    let first = scheduler.addBarrier("first", readiness: .ready)
    let second = scheduler.addBarrier("second", readiness: .ready)
    let behind = scheduler.append("behind")

    let haveFallen = scheduler.fallBehind(second, [behind, blocked[1], chosen, blocked[0]])
    #expect(haveFallen)
    #expect(scheduler.fallBehind(second, [behind, chosen]) == false)

    #expect(scheduler.isHeldByBarrier(blocked[0]))
    scheduler.finished(chosen)
    #expect(scheduler.startAll() == ["first"])
    scheduler.finished(first)
    #expect(scheduler.startAll() == ["second"])
    for id in blocked { scheduler.update(id, to: .ready) }
    #expect(scheduler.startAll() == [])
    scheduler.finished(second)
    #expect(scheduler.startAll() == ["behind", "blocked 0", "blocked 1"])
  }

  @Test("The barrier that is due comes directly behind another one, and what was between both is ahead of that")
  func barrierFalls() {
    var scheduler = Self.scheduler(limit: 10)
    let ahead = scheduler.append("ahead")
    let first = scheduler.addBarrier("first", readiness: .blocked)
    _ = scheduler.append("between")
    let second = scheduler.addBarrier("second", readiness: .ready)
    let third = scheduler.addBarrier("third", readiness: .ready)
    let last = scheduler.append("last")
    #expect(scheduler.startAll() == ["ahead"])
    scheduler.finished(ahead)
    #expect(scheduler.fallBehind(first, [first]) == false)

    let hasFallen = scheduler.fallBehind(second, [first])
    #expect(hasFallen)

    #expect([first, second, third, last].allSatisfy(scheduler.isHeldByBarrier))
    #expect(scheduler.startAll() == ["between"])
    scheduler.entries.indices.filter { scheduler.entries[$0]?.phase == .executing }.forEach { scheduler.finished($0) }
    #expect(scheduler.startAll() == ["second"])
    scheduler.finished(second)
    #expect(scheduler.startAll() == [])
    scheduler.update(first, to: .ready)
    #expect(scheduler.startAll() == ["first"])
    let hasRunFallen = scheduler.fallBehind(third, [first])
    #expect(!hasRunFallen)
    scheduler.finished(first)
    #expect(scheduler.startAll() == ["third"])
    scheduler.finished(third)
    #expect(scheduler.startAll() == ["last"])
  }

  @Test("It passes all barriers there are at once")
  func passSeveral() {
    var scheduler = Self.scheduler(limit: 10)
    _ = scheduler.append("early", readiness: .blocked)
    for number in 0..<3 {
      _ = scheduler.addBarrier("barrier", readiness: .ready)
      _ = scheduler.append("between \(number)")
    }
    let late = scheduler.append("late")

    scheduler.pass([late])

    #expect(scheduler.startAll() == ["late"])
  }

  @Test("Those that pass keep their order, and what is higher goes first", arguments: [[0, 1, 2, 3], [3, 1, 0, 2]])
  func passOrder(order: [Int]) {
    var scheduler = Self.scheduler(limit: 10)
    _ = scheduler.append("early", readiness: .blocked)
    _ = scheduler.addBarrier("barrier", readiness: .ready)
    let priorities: [QueuePriority] = [.low, .normal, .high, .normal]
    let late = priorities.enumerated().map { scheduler.append("\($0)", priority: $1) }

    scheduler.pass(order.map { late[$0] })

    #expect(scheduler.startAll() == ["2", "1", "3", "0"])
  }

  @Test("What waits for no barrier, executes, or has finished is not moved")
  func passOthers() {
    var scheduler = Self.scheduler(limit: 1)
    let running = scheduler.append("running")
    let first = scheduler.append("first")
    _ = scheduler.append("second")
    _ = scheduler.addBarrier("barrier", readiness: .ready)
    _ = scheduler.startNext()

    scheduler.pass([first, running, 1_000].filter { scheduler.entries.indices.contains($0) })

    scheduler.finished(running)
    scheduler.pass([running])
    #expect(scheduler.startAll() == ["first"])
  }

  @Test("A blocked operation that passes starts when it is ready, and a skipped one is skipped")
  func passBlocked() {
    var scheduler = Self.scheduler(limit: 10)
    _ = scheduler.append("early", readiness: .blocked)
    _ = scheduler.addBarrier("barrier", readiness: .ready)
    let blocked = scheduler.append("blocked", readiness: .blocked)
    let skipped = scheduler.append("skipped", readiness: .blocked)

    scheduler.pass([blocked, skipped])

    #expect(scheduler.startAll() == [])
    scheduler.update(skipped, to: .skipped)
    #expect(scheduler.skipAll() == ["skipped"])
    scheduler.update(blocked, to: .ready)
    #expect(scheduler.startAll() == ["blocked"])
  }

  @Test("Nothing that passed runs twice when the barrier has finished")
  func passOnce() {
    var scheduler = Self.scheduler(limit: 10)
    let early = scheduler.append("early", readiness: .blocked)
    let barrier = scheduler.addBarrier("barrier", readiness: .ready)
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

  @Test("In a suspended queue, what has passed starts when the queue is resumed")
  func passWhileSuspended() {
    var scheduler = Self.scheduler(limit: 1, isSuspended: true)
    _ = scheduler.append("early", readiness: .blocked)
    _ = scheduler.addBarrier("barrier", readiness: .ready)
    let late = scheduler.append("late")
    scheduler.pass([late])
    #expect(scheduler.startAll() == [])

    scheduler.resume()

    #expect(scheduler.startAll() == ["late"])
  }

  @Test("Ahead of the next barrier are the operations before it, and that barrier alone once it is due")
  func ahead() {
    var scheduler = Self.scheduler(limit: 10)
    #expect(scheduler.aheadOfBarrier == [])
    #expect(!scheduler.hasBarrier)
    let ahead = [scheduler.append("a"), scheduler.append("b", readiness: .blocked)]
    let barrier = scheduler.addBarrier("barrier", readiness: .ready)
    let behind = scheduler.append("behind")
    #expect(scheduler.hasBarrier)
    #expect(Set(scheduler.aheadOfBarrier) == Set(ahead))
    #expect([ahead[0], barrier, behind].map(scheduler.isHeldByBarrier) == [false, true, true])

    scheduler.finished(ahead[1])
    _ = scheduler.startNext()
    scheduler.releaseSlot(ahead[0])
    #expect(scheduler.aheadOfBarrier == [ahead[0]])
    scheduler.requestSlot(ahead[0])
    _ = scheduler.nextResumption()
    scheduler.finished(ahead[0])
    #expect(scheduler.aheadOfBarrier == [barrier])
    _ = scheduler.startNext()
    #expect(scheduler.aheadOfBarrier == [barrier])
    scheduler.finished(barrier)
    #expect(scheduler.aheadOfBarrier == [behind])
    #expect(!scheduler.hasBarrier)
    #expect(!scheduler.isHeldByBarrier(behind))
  }

  @Test("A barrier that passes another stops the program")
  func barrierPasses() async {
    await #expect(processExitsWith: .failure) {
      var scheduler = QueueScheduler<String>(maxConcurrentOperationCount: 1, defaultWidth: 1)
      _ = scheduler.addBarrier("first", readiness: .ready)
      scheduler.pass([scheduler.addBarrier("second", readiness: .ready)])
    }
  }
}
