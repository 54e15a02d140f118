import Testing

@testable import StructuredOperations

extension QueueSchedulerTests {
  /// A decision, in short.
  private enum Choice: Equatable { case skip(String), dismissCaller(Int), resume(Int), start(String), nothing }

  private static func next(of scheduler: inout Scheduler) -> Choice {
    switch scheduler.next() {
    case .skip(let id, let work):
      scheduler.finished(id)
      return .skip(work)
    case .dismissCaller(let id): return .dismissCaller(id)
    case .resume(let id): return .resume(id)
    case .start(_, let work): return .start(work)
    case .nothing: return .nothing
    }
  }

  @Test("What is skipped comes before bodies that resume, and those come before what starts")
  func order() {
    var scheduler = Self.scheduler(limit: 3)
    let waiting = [scheduler.append("a"), scheduler.append("b")]
    #expect(scheduler.startAll() == ["a", "b"])
    for id in waiting { scheduler.releaseSlot(id) }
    _ = scheduler.append("ready", priority: .veryHigh)
    _ = scheduler.append("skipped", priority: .veryLow, readiness: .skipped)
    for id in waiting { scheduler.requestSlot(id) }

    let choices = (0..<5).map { _ in Self.next(of: &scheduler) }

    #expect(choices == [.skip("skipped"), .resume(waiting[0]), .resume(waiting[1]), .start("ready"), .nothing])
  }

  @Test("A body that resumes gets the only free slot, whatever is ready")
  func resumptionBeforeStart() {
    var scheduler = Self.scheduler(limit: 1)
    let waiting = scheduler.append("waiting")
    #expect(Self.next(of: &scheduler) == .start("waiting"))
    scheduler.releaseSlot(waiting)
    scheduler.requestSlot(waiting)
    _ = scheduler.append("ready", priority: .veryHigh)

    #expect(Self.next(of: &scheduler) == .resume(waiting))
    #expect(Self.next(of: &scheduler) == .nothing)
    scheduler.finished(waiting)
    #expect(Self.next(of: &scheduler) == .start("ready"))
  }

  @Test("A suspended queue skips and starts nothing, and lets bodies resume")
  func suspended() {
    var scheduler = Self.scheduler(limit: 2)
    let waiting = scheduler.append("waiting")
    #expect(Self.next(of: &scheduler) == .start("waiting"))
    scheduler.releaseSlot(waiting)
    scheduler.suspend()
    _ = scheduler.append("skipped", readiness: .skipped)
    _ = scheduler.append("ready")
    #expect(Self.next(of: &scheduler) == .nothing)

    scheduler.requestSlot(waiting)

    #expect(Self.next(of: &scheduler) == .resume(waiting))
    #expect(Self.next(of: &scheduler) == .nothing)
    scheduler.resume()
    #expect(Self.next(of: &scheduler) == .skip("skipped"))
    #expect(Self.next(of: &scheduler) == .start("ready"))
  }

  @Test("Callers that are skipped come first, and leave a suspended queue, too", arguments: [false, true])
  func callers(isSuspended: Bool) {
    var scheduler = Self.scheduler(limit: 1, isSuspended: isSuspended)
    _ = scheduler.append("operation", readiness: .skipped)
    let caller = scheduler.add("caller", priority: .normal, readiness: .blocked, runsInCaller: true)
    #expect(Self.next(of: &scheduler) == (isSuspended ? .nothing : .skip("operation")))

    scheduler.update(caller, to: .skipped)

    #expect(Self.next(of: &scheduler) == .skip("caller"))
    #expect(Self.next(of: &scheduler) == .nothing)
  }

  @Test("A caller that is not skipped any more stays in the queue")
  func callerSkippedNoMore() {
    var scheduler = Self.scheduler(limit: 1)
    let caller = scheduler.add("caller", priority: .normal, readiness: .skipped, runsInCaller: true)
    scheduler.update(caller, to: .ready)

    #expect(Self.next(of: &scheduler) == .start("caller"))
  }

  @Test("A skipped barrier comes after skipped operations, at its turn")
  func skippedBarrier() {
    var scheduler = Self.scheduler(limit: 1)
    _ = scheduler.addBarrier("barrier", readiness: .skipped)
    _ = scheduler.append("skipped", readiness: .skipped)
    _ = scheduler.append("ready")

    let choices = (0..<4).map { _ in Self.next(of: &scheduler) }

    #expect(choices == [.skip("skipped"), .skip("barrier"), .start("ready"), .nothing])
  }

}
