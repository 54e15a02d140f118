import Testing

@testable import StructuredOperations

extension QueueSchedulerTests {
  @Test("While starts are held nothing starts, and what starts afterwards does so in its order")
  func heldStarts() {
    var scheduler = Self.scheduler(limit: 2)
    for name in ["first", "second"] { _ = scheduler.append(name) }
    _ = scheduler.append("urgent", priority: .high)

    scheduler.startsAreHeld = true
    #expect(scheduler.startAll() == [])
    for _ in 0..<3 { #expect(scheduler.isStartHeld() == true) }
    #expect(scheduler.executingCount == 0)

    scheduler.startsAreHeld = false
    #expect(scheduler.isStartHeld() == false)
    #expect(scheduler.startAll() == ["urgent", "first"])
  }

  @Test("While starts are held bodies resume, and what is skipped leaves")
  func othersGoOn() {
    var scheduler = Self.scheduler(limit: 1)
    let waiting = scheduler.append("waiting")
    #expect(scheduler.startAll() == ["waiting"])
    scheduler.releaseSlot(waiting)
    scheduler.requestSlot(waiting)
    let cancelled = scheduler.append("cancelled")
    scheduler.startsAreHeld = true
    scheduler.update(cancelled, to: .skipped)

    let skipped = scheduler.nextSkipped()
    #expect(skipped?.work == "cancelled")
    scheduler.finished(cancelled)
    #expect(scheduler.nextResumption() == waiting)
  }

  @Test("A start is held only where there is a slot for something that is ready")
  func nothingHeld() {
    var scheduler = Self.scheduler(limit: 1)
    scheduler.startsAreHeld = true
    #expect(scheduler.isStartHeld() == false)
    let blocked = scheduler.append("blocked", readiness: .blocked)
    #expect(scheduler.isStartHeld() == false)
    scheduler.update(blocked, to: .ready)
    #expect(scheduler.isStartHeld() == true)
    scheduler.suspend()
    #expect(scheduler.isStartHeld() == false)
    scheduler.resume()
    scheduler.setMaxConcurrentOperationCount(0)
    #expect(scheduler.isStartHeld() == false)
  }

  @Test("A barrier is held, too, once it is due")
  func heldBarrier() {
    var scheduler = Self.scheduler(limit: 1)
    let ahead = scheduler.append("ahead", readiness: .blocked)
    _ = scheduler.addBarrier("barrier", readiness: .ready)
    _ = scheduler.append("behind")
    scheduler.startsAreHeld = true
    #expect(scheduler.isStartHeld() == false)

    scheduler.update(ahead, to: .skipped)
    let skipped = scheduler.nextSkipped()
    #expect(skipped?.work == "ahead")
    scheduler.finished(ahead)
    #expect(scheduler.isStartHeld() == true)
    #expect(scheduler.startAll() == [])
    scheduler.startsAreHeld = false
    #expect(scheduler.startAll() == ["barrier"])
  }

  @Test("A queue whose starts are held is not quiescent")
  func heldIsNotQuiescent() {
    var scheduler = Self.scheduler(limit: 1)
    #expect(scheduler.isQuiescent)
    scheduler.startsAreHeld = true
    #expect(!scheduler.isQuiescent)
  }
}
