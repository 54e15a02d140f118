import Testing

@testable import StructuredOperations

extension QueueSchedulerTests {
  @Test("What releases its slot makes room for another, and executes and counts as before")
  func releaseSlot() {
    var scheduler = Self.scheduler(limit: 1)
    let waiting = scheduler.append("waiting")
    _ = scheduler.append("other")
    #expect(scheduler.startAll() == ["waiting"])
    #expect(!scheduler.hasReleasedSlot(waiting))

    scheduler.releaseSlot(waiting)

    #expect(scheduler.hasReleasedSlot(waiting))
    #expect(scheduler.startAll() == ["other"])
    #expect(scheduler.executingCount == 1)
    #expect(scheduler.waitingCount == 1)
    #expect(scheduler.executingOperationCount == 2)
    #expect(scheduler.operations == ["waiting", "other"])
  }

  @Test("What requests its slot waits for a free one, and resumes once")
  func request() {
    var scheduler = Self.scheduler(limit: 1)
    let waiting = scheduler.append("waiting")
    let other = scheduler.append("other")
    _ = scheduler.startNext()
    #expect(scheduler.nextResumption() == nil)
    scheduler.releaseSlot(waiting)
    #expect(scheduler.nextResumption() == nil)
    #expect(scheduler.startAll() == ["other"])

    scheduler.requestSlot(waiting)

    #expect(!scheduler.hasReleasedSlot(waiting))
    #expect(scheduler.nextResumption() == nil)
    scheduler.finished(other)
    #expect(scheduler.nextResumption() == waiting)
    #expect(scheduler.nextResumption() == nil)
    #expect(scheduler.executingCount == 1)
    #expect(scheduler.waitingCount == 0)
    scheduler.finished(waiting)
    #expect(scheduler.isEmpty)
    #expect(scheduler.executingOperationCount == 0)
  }

  @Test("Entries resume in the order of their requests, whatever their priorities")
  func requestOrder() {
    var scheduler = Self.scheduler(limit: 3)
    let waiting = QueuePriority.allCases.prefix(3).map { scheduler.append("\($0)", priority: $0) }
    #expect(scheduler.startAll().count == 3)
    for id in waiting { scheduler.releaseSlot(id) }

    let order = [waiting[1], waiting[0], waiting[2]]
    for id in order { scheduler.requestSlot(id) }

    #expect([scheduler.nextResumption(), scheduler.nextResumption(), scheduler.nextResumption()] == order)
  }

  @Test("In a suspended queue entries resume, and nothing starts")
  func requestWhileSuspended() {
    var scheduler = Self.scheduler(limit: 1)
    let waiting = scheduler.append("waiting")
    _ = scheduler.append("other")
    _ = scheduler.startNext()
    scheduler.releaseSlot(waiting)
    scheduler.suspend()
    #expect(scheduler.startAll() == [])

    scheduler.requestSlot(waiting)

    #expect(scheduler.nextResumption() == waiting)
    #expect(scheduler.startAll() == [])
  }

  @Test("Where the limit is 0, entries resume one at a time")
  func requestAtLimitZero() {
    var scheduler = Self.scheduler(limit: 2)
    let waiting = [scheduler.append("a"), scheduler.append("b")]
    _ = scheduler.startAll()
    for id in waiting { scheduler.releaseSlot(id) }
    scheduler.setMaxConcurrentOperationCount(0)
    for id in waiting { scheduler.requestSlot(id) }

    #expect(scheduler.nextResumption() == waiting[0])
    #expect(scheduler.nextResumption() == nil)
    scheduler.finished(waiting[0])
    #expect(scheduler.nextResumption() == waiting[1])
  }

  @Test("Where the limit was lowered meanwhile, as many resume as it allows")
  func requestAtSmallerLimit() {
    var scheduler = Self.scheduler(limit: 3)
    let waiting = ["a", "b", "c"].map { scheduler.append($0) }
    _ = scheduler.startAll()
    for id in waiting { scheduler.releaseSlot(id) }
    scheduler.setMaxConcurrentOperationCount(2)
    for id in waiting { scheduler.requestSlot(id) }

    #expect(
      [scheduler.nextResumption(), scheduler.nextResumption(), scheduler.nextResumption()] == [
        waiting[0], waiting[1], nil,
      ])
    scheduler.releaseSlot(waiting[0])
    #expect(scheduler.nextResumption() == waiting[2])
  }

  @Test("A slot may be released again and again")
  func releaseAgain() {
    var scheduler = Self.scheduler(limit: 1)
    let waiting = scheduler.append("waiting")
    _ = scheduler.startNext()
    for _ in 0..<3 {
      scheduler.releaseSlot(waiting)
      #expect(scheduler.waitingCount == 1)
      scheduler.requestSlot(waiting)
      #expect(scheduler.nextResumption() == waiting)
    }
    scheduler.finished(waiting)
    #expect(scheduler.isIdle)
  }

  @Test("A barrier waits for what has released its slot, and releases its own")
  func barrierAndSlots() {
    var scheduler = Self.scheduler(limit: 2)
    let waiting = scheduler.append("waiting")
    let barrier = scheduler.addBarrier("barrier", readiness: .ready)
    _ = scheduler.append("behind")
    #expect(scheduler.startAll() == ["waiting"])
    scheduler.releaseSlot(waiting)
    #expect(scheduler.startAll() == [])
    scheduler.requestSlot(waiting)
    #expect(scheduler.nextResumption() == waiting)
    scheduler.finished(waiting)
    #expect(scheduler.startAll() == ["barrier"])

    scheduler.releaseSlot(barrier)

    #expect(scheduler.startAll() == [])
    #expect(scheduler.waitingCount == 1)
    #expect(scheduler.executingOperationCount == 0)
    scheduler.requestSlot(barrier)
    #expect(scheduler.nextResumption() == barrier)
    scheduler.finished(barrier)
    #expect(scheduler.startAll() == ["behind"])
  }

  @Test("A queue is quiescent where nothing holds a slot or requests one, and idle where no body runs")
  func quiescence() {
    var scheduler = Self.scheduler(limit: 1)
    let waiting = scheduler.append("waiting")
    #expect(scheduler.isQuiescent)
    #expect(scheduler.isIdle)
    _ = scheduler.startNext()
    #expect(!scheduler.isQuiescent)
    scheduler.releaseSlot(waiting)
    #expect(scheduler.isQuiescent)
    #expect(!scheduler.isIdle)
    scheduler.requestSlot(waiting)
    #expect(!scheduler.isQuiescent)
    _ = scheduler.nextResumption()
    #expect(!scheduler.isQuiescent)
    scheduler.finished(waiting)
    #expect(scheduler.isQuiescent)
    #expect(scheduler.isIdle)
  }

  @Test("Neither cancellation nor another priority affects what has released its slot")
  func changesWhileWaiting() {
    var scheduler = Self.scheduler(limit: 1)
    let waiting = scheduler.append("waiting")
    _ = scheduler.startNext()
    scheduler.releaseSlot(waiting)

    scheduler.update(waiting, to: .skipped)
    scheduler.setPriority(waiting, to: .veryHigh)

    #expect(scheduler.skipAll() == [])
    #expect(scheduler.startAll() == [])
    scheduler.requestSlot(waiting)
    scheduler.update(waiting, to: .skipped)
    #expect(scheduler.skipAll() == [])
    #expect(scheduler.nextResumption() == waiting)
  }

  @Test(
    "Releasing a slot that is not held, requesting one that was not released, and finishing without one stop the program"
  )
  func misuse() async {
    await #expect(processExitsWith: .failure) {
      var scheduler = QueueScheduler<String>(maxConcurrentOperationCount: 1, defaultWidth: 1)
      scheduler.releaseSlot(scheduler.append("ready"))
    }
    await #expect(processExitsWith: .failure) {
      var scheduler = QueueScheduler<String>(maxConcurrentOperationCount: 1, defaultWidth: 1)
      let id = scheduler.append("executing")
      _ = scheduler.startNext()
      scheduler.requestSlot(id)
    }
    await #expect(processExitsWith: .failure) {
      var scheduler = QueueScheduler<String>(maxConcurrentOperationCount: 1, defaultWidth: 1)
      let id = scheduler.append("waiting")
      _ = scheduler.startNext()
      scheduler.releaseSlot(id)
      scheduler.finished(id)
    }
  }
}
