import Testing

@testable import StructuredOperations

@Suite("QueueScheduler: how entries stand")
struct QueueSchedulerStandingsTests {
  private typealias Scheduler = QueueScheduler<Int>
  private typealias Place = Scheduler.Standing.Place

  /// A scheduler with one slot, which an operation has: work 0, entry 0.
  private func full() -> Scheduler {
    var scheduler = Scheduler(maxConcurrentOperationCount: 1, defaultWidth: 8)
    scheduler.add(0, priority: .normal, readiness: .ready)
    _ = scheduler.next()
    return scheduler
  }

  private func places(_ scheduler: Scheduler, freed: Int = 0, isRateExhausted: Bool = false) -> [Place] {
    scheduler.standings(freed: freed, isRateExhausted: isRateExhausted).compactMap { $0?.place }
  }

  @Test("The line is by priority, then by order, and blocked ones are in none")
  func line() {
    var scheduler = full()
    scheduler.add(1, priority: .low, readiness: .ready)
    scheduler.add(2, priority: .normal, readiness: .ready)
    scheduler.add(3, priority: .high, readiness: .blocked)
    scheduler.add(4, priority: .high, readiness: .ready)
    scheduler.add(5, priority: .normal, readiness: .ready)

    #expect(
      places(scheduler) == [
        .chosen, .waitingForSlot(4), .waitingForSlot(2), .none, .waitingForSlot(1), .waitingForSlot(3),
      ])
  }

  @Test("Where holders have finished, the first in line are due")
  func freed() {
    var scheduler = full()
    for work in 1...3 { scheduler.add(work, priority: .normal, readiness: .ready) }

    #expect(places(scheduler, freed: 1) == [.chosen, .due, .waitingForSlot(1), .waitingForSlot(2)])
  }

  @Test("With a slot, the start rate holds all that is ready, as many as there may be; without one each has its number")
  func rate() {
    var scheduler = Scheduler(maxConcurrentOperationCount: 2, defaultWidth: 8)
    for work in 0...2 { scheduler.add(work, priority: .normal, readiness: .ready) }

    #expect(places(scheduler, isRateExhausted: true) == [.heldByRate, .heldByRate, .heldByRate])
    #expect(places(scheduler) == [.due, .due, .waitingForSlot(1)])
    for _ in 0..<2 { _ = scheduler.next() }
    #expect(places(scheduler, isRateExhausted: true) == [.chosen, .chosen, .waitingForSlot(1)])
  }

  @Test("In a suspended queue, and where the limit is 0, nobody is in line", arguments: [true, false])
  func restrained(isSuspended: Bool) {
    var scheduler = Scheduler(
      maxConcurrentOperationCount: isSuspended ? 1 : 0, defaultWidth: 8, isSuspended: isSuspended)
    scheduler.add(0, priority: .normal, readiness: .ready)

    #expect(places(scheduler) == [.none])
  }

  @Test("Behind a barrier nobody is in line; each entry knows the barrier before it")
  func barriers() {
    var scheduler = full()
    scheduler.addBarrier(1, readiness: .ready)
    scheduler.add(2, priority: .normal, readiness: .ready)
    scheduler.addBarrier(3, readiness: .ready)
    scheduler.add(4, priority: .normal, readiness: .ready)

    let standings = scheduler.standings(freed: 0, isRateExhausted: false)
    #expect((0...4).map { standings[$0]?.barrier } == [nil, nil, 1, 1, 3])
    #expect((0...4).map { standings[$0]?.isBarrier } == [false, true, false, true, false])
    #expect(places(scheduler) == [.chosen, .none, .none, .none, .none])
  }

  @Test("What is in line for its limits counts where all slots are taken, and takes none that is free")
  func inLine() {
    var scheduler = full()
    scheduler.add(1, priority: .normal, readiness: .ready, isInLine: true)
    scheduler.add(2, priority: .normal, readiness: .ready, isInLine: true)
    scheduler.add(3, priority: .normal, readiness: .ready)

    #expect(places(scheduler) == [.chosen, .waitingForSlot(1), .waitingForSlot(2), .waitingForSlot(3)])
    #expect(places(scheduler, freed: 1) == [.chosen, .due, .due, .due])
    #expect(places(scheduler, freed: 1, isRateExhausted: true) == [.chosen, .heldByRate, .heldByRate, .heldByRate])
  }

  @Test("A body that returns is ahead of all that has not begun")
  func returning() {
    var scheduler = full()
    scheduler.add(1, priority: .normal, readiness: .ready)
    scheduler.add(2, priority: .normal, readiness: .ready)
    scheduler.releaseSlot(0)
    _ = scheduler.next()
    #expect(scheduler.standings(freed: 0, isRateExhausted: false)[0]?.hasLentSlot == true)
    scheduler.requestSlot(0)

    #expect(places(scheduler) == [.returning, .chosen, .waitingForSlot(2)])
    #expect(places(scheduler, freed: 1) == [.chosen, .chosen, .waitingForSlot(2)])
  }
}
