import Testing

@testable import StructuredOperations

// How long what the scheduler knows is kept.
extension LimitSchedulerTests {
  @Test("A limit that nobody names goes away with the last demand that needs it, in line or with it")
  func abandonedLimit() {
    var scheduler = Scheduler()
    let (limit, other) = (scheduler.addLimit(count: 1), scheduler.addLimit(count: 1))
    let unused = scheduler.addLimit(count: 1)
    let first = Self.stand(&scheduler, [(limit, 1)], order: 1)
    let second = Self.stand(&scheduler, [(limit, 1), (other, 1)], order: 2)
    let parked = Self.stand(&scheduler, [(limit, 2)], order: 3, of: 1)
    #expect(scheduler.take(first) == true)

    for limit in [unused, limit] { scheduler.removeLimit(limit) }
    #expect(scheduler.limits[unused] == nil)
    let successor = scheduler.replace(first, of: 0) { candidate, _ in candidate.map { .demand($0) } ?? .unknown }
    #expect(successor == .demand(second) && scheduler.usage(of: limit) == (1, 1))
    scheduler.remove(second)
    #expect(scheduler.limits[limit] != nil)
    scheduler.remove(parked)

    #expect(scheduler.limits[limit] == nil && scheduler.limits[other] != nil)
    #expect(scheduler.owners.isEmpty && scheduler.demands.isEmpty)
  }

  @Test("What an owner could begin is forgotten once none of its demands waits, though it has some that hold limits")
  func openingOfHolders() {
    var scheduler = Scheduler()
    let (limit, other) = (scheduler.addLimit(count: 1), scheduler.addLimit(count: 1))
    let holder = Self.stand(&scheduler, [(limit, 1)], order: 1, opening: .all)
    #expect(scheduler.take(holder) == true)
    #expect(scheduler.takeNotices() == [])
    scheduler.open(0, to: .all)

    let demand = Self.stand(&scheduler, [(other, 1)], order: 2, opening: .nothing)

    #expect(scheduler.takeNotices() == [])
    #expect(scheduler.nextDemand(of: 0) == nil)
    scheduler.setOpening(.all, of: 0)
    #expect(scheduler.nextDemand(of: 0) == demand)
  }

  @Test("An owner is found by what it is, whichever was looked up last")
  func severalOwners() {
    var scheduler = Scheduler()
    let limits = (0..<3).map { _ in scheduler.addLimit(count: 1) }
    let demands = (0..<3).map { Self.stand(&scheduler, [(limits[$0], 1)], order: $0, of: $0) }
    for owner in [0, 1, 2, 1, 0] { #expect(scheduler.nextDemand(of: owner) == demands[owner]) }
    scheduler.remove(demands[2])
    #expect(scheduler.nextDemand(of: 2) == nil)
    #expect(scheduler.nextDemand(of: 1) == demands[1])
    let again = Self.stand(&scheduler, [(limits[2], 1)], order: 9, of: 2)
    #expect(scheduler.nextDemand(of: 2) == again)
  }
}
