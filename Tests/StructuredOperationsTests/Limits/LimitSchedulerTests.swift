import Testing

@testable import StructuredOperations

@Suite("LimitScheduler")
struct LimitSchedulerTests {
  typealias Scheduler = LimitScheduler<Int>
  typealias Need = Scheduler.Need
  typealias Rank = Scheduler.Rank

  private var scheduler = Scheduler()

  /// A demand of one that has all else that it needs.
  static func stand(
    _ scheduler: inout Scheduler,
    _ needs: [(limit: Scheduler.LimitID, cost: Int)],
    order: Int,
    priority: Int = 0,
    isReturning: Bool = false,
    of owner: Int = 0,
    opening: Scheduler.Opening = .all
  ) -> Scheduler.DemandID {
    scheduler.stand(
      Scheduler.Needs(needs.map { Need(limit: $0.limit, cost: $0.cost) }),
      as: Scheduler.Rank(isReturning: isReturning, priority: priority, order: order), of: owner, opening: opening)
  }

  /// The same, of cost 1, which takes the limit where it can.
  private static func takeOrStand(
    _ scheduler: inout Scheduler,
    _ limit: Scheduler.LimitID,
    order: Int,
    of owner: Int
  ) -> (demand: Scheduler.DemandID, isTaken: Bool) {
    scheduler.takeOrStand(
      Scheduler.Needs.one(Need(limit: limit, cost: 1)), as: Rank(priority: 0, order: order), of: owner, opening: .all)
  }

  @Test("A demand takes what there is, and gives it back")
  func taking() {
    var scheduler = scheduler
    let limit = scheduler.addLimit(count: 5)
    let one = Self.stand(&scheduler, [(limit, 3)], order: 1)
    let other = Self.stand(&scheduler, [(limit, 3)], order: 2)
    #expect(scheduler.available(of: limit) == 5)

    #expect(scheduler.take(one) == true)
    #expect(scheduler.available(of: limit) == 2)
    #expect(scheduler.take(one) == false)
    #expect(scheduler.take(other) == false)
    scheduler.remove(one)
    #expect(scheduler.available(of: limit) == 5)
    #expect(scheduler.take(other) == true)
  }

  @Test("A demand takes all of its limits or none")
  func allOrNone() {
    var scheduler = scheduler
    let (free, full) = (scheduler.addLimit(count: 1), scheduler.addLimit(count: 1))
    let holder = Self.stand(&scheduler, [(full, 1)], order: 1)
    #expect(scheduler.take(holder) == true)
    let both = Self.stand(&scheduler, [(free, 1), (full, 1)], order: 2)

    #expect(scheduler.take(both) == false)
    #expect(scheduler.available(of: free) == 1)
    scheduler.remove(holder)
    #expect(scheduler.take(both) == true)
    #expect(scheduler.available(of: free) == 0 && scheduler.available(of: full) == 0)
  }

  @Test("Returning bodies come first in a line, then the priority counts, then the order, whoever the owners are")
  func order() {
    var scheduler = scheduler
    let limit = scheduler.addLimit(count: 0)
    let expected = [(7, 0, true), (2, 4, false), (5, 4, false), (1, 0, false), (6, 0, false), (3, -4, false)]
    var demands: [Int: Scheduler.DemandID] = [:]
    for (order, priority, isReturning) in expected.shuffled() {
      demands[order] = Self.stand(
        &scheduler, [(limit, 1)], order: order, priority: priority, isReturning: isReturning, of: order % 3)
    }
    scheduler.setCount(1, of: limit)

    for (order, _, _) in expected {
      var next: [Scheduler.DemandID] = []
      for owner in 0..<3 { if let demand = scheduler.nextDemand(of: owner) { next.append(demand) } }
      #expect(next == [demands[order]])
      for demand in next {
        #expect(scheduler.take(demand) == true)
        scheduler.remove(demand)
      }
    }
  }

  @Test("Limits with room and no line are taken at once; behind a line one stands in it", arguments: [true, false])
  func takeOrStand(hasLine: Bool) {
    var scheduler = scheduler
    let (free, full) = (scheduler.addLimit(count: 2), scheduler.addLimit(count: 1))
    let holder = Self.takeOrStand(&scheduler, full, order: 1, of: 0)
    #expect(holder.isTaken && scheduler.available(of: full) == 0)
    if hasLine { _ = Self.stand(&scheduler, [(free, 1), (full, 1)], order: 2) }

    let next = Self.takeOrStand(&scheduler, free, order: 3, of: 1)

    #expect(next.isTaken == !hasLine)
    #expect(scheduler.available(of: free) == (hasLine ? 2 : 1))
    let second = Self.takeOrStand(&scheduler, full, order: 4, of: 1)
    #expect(!second.isTaken)
    #expect(scheduler.leave(second.demand) == true)
  }

  @Test("Taking limits at once tells what the owner can begin, as standing in line does")
  func openingAtOnce() {
    var scheduler = scheduler
    let (full, free) = (scheduler.addLimit(count: 1), scheduler.addLimit(count: 1))
    let holder = Self.stand(&scheduler, [(full, 1)], order: 1)
    #expect(scheduler.take(holder) == true)
    let waiting = Self.stand(&scheduler, [(full, 1)], order: 2, of: 1)
    scheduler.setOpening(.nothing, of: 1)
    _ = scheduler.takeNotices()

    let other = Self.takeOrStand(&scheduler, free, order: 3, of: 1)
    scheduler.remove(holder)

    #expect(other.isTaken)
    #expect(scheduler.takeNotices() == [1])
    #expect(scheduler.nextDemand(of: 1) == waiting)
  }

  @Test("Of several owners that are open the first one in line is told of room")
  func firstIsTold() {
    var scheduler = scheduler
    let limit = scheduler.addLimit(count: 1)
    let holder = Self.stand(&scheduler, [(limit, 1)], order: 0)
    #expect(scheduler.take(holder) == true)
    for owner in 1...3 { _ = Self.stand(&scheduler, [(limit, 1)], order: 4 - owner, of: owner) }
    _ = scheduler.takeNotices()

    scheduler.remove(holder)

    #expect(scheduler.takeNotices() == [3])
  }

  @Test("Nobody overtakes one ahead of it in a line that both stand in: room stays unused")
  func noOvertaking() {
    var scheduler = scheduler
    let (free, full) = (scheduler.addLimit(count: 2), scheduler.addLimit(count: 1))
    let holder = Self.stand(&scheduler, [(full, 1)], order: 1)
    #expect(scheduler.take(holder) == true)
    let both = Self.stand(&scheduler, [(free, 1), (full, 1)], order: 2)
    let later = Self.stand(&scheduler, [(free, 1)], order: 3, of: 1)

    #expect(scheduler.take(later) == false)
    #expect(scheduler.nextDemand(of: 1) == nil)
    scheduler.remove(both)
    let told = scheduler.takeNotices()
    #expect(told.contains(1))
    #expect(scheduler.nextDemand(of: 1) == later)
  }

  @Test("One whose owner closes is passed by, and stands at its place again when the owner opens")
  func closed() {
    var scheduler = scheduler
    let limit = scheduler.addLimit(count: 1)
    let first = Self.stand(&scheduler, [(limit, 1)], order: 1, of: 1)
    let second = Self.stand(&scheduler, [(limit, 1)], order: 2, of: 2)
    _ = scheduler.takeNotices()

    scheduler.setOpening(.returns, of: 1)
    #expect(scheduler.takeNotices() == [2])
    #expect(scheduler.nextDemand(of: 1) == nil)
    #expect(scheduler.nextDemand(of: 2) == second)
    scheduler.open(1, to: .all)
    #expect(scheduler.nextDemand(of: 2) == nil)
    #expect(scheduler.nextDemand(of: 1) == first)
  }

  @Test("One whose cost is above the count holds up nobody, and stands at its place again when the count grows")
  func parked() {
    var scheduler = scheduler
    let limit = scheduler.addLimit(count: 3)
    let dear = Self.stand(&scheduler, [(limit, 3)], order: 1)
    let cheap = Self.stand(&scheduler, [(limit, 1)], order: 2)
    #expect(scheduler.take(cheap) == false)

    scheduler.setCount(2, of: limit)
    #expect(scheduler.take(dear) == false)
    #expect(scheduler.nextDemand(of: 0) == cheap)
    scheduler.setCount(3, of: limit)
    #expect(scheduler.take(cheap) == false)
    #expect(scheduler.nextDemand(of: 0) == dear)
    #expect(scheduler.take(dear) == true)
  }

  @Test("A count below what is in use takes nothing away, and lets nobody begin before there is room")
  func lowered() {
    var scheduler = scheduler
    let limit = scheduler.addLimit(count: 3)
    let holders = (0..<3).map { Self.stand(&scheduler, [(limit, 1)], order: $0) }
    for holder in holders { #expect(scheduler.take(holder) == true) }
    let next = Self.stand(&scheduler, [(limit, 1)], order: 3)
    scheduler.setCount(1, of: limit)

    #expect(scheduler.available(of: limit) == 0)
    #expect(scheduler.usage(of: limit) == (1, 3))
    for holder in holders {
      #expect(scheduler.take(next) == false)
      scheduler.remove(holder)
    }
    #expect(scheduler.take(next) == true)
  }

  @Test("Nobody is told twice before it has asked, and nobody who cannot begin")
  func notices() {
    var scheduler = scheduler
    let limit = scheduler.addLimit(count: 2)
    let holders = (0..<2).map { Self.stand(&scheduler, [(limit, 1)], order: $0) }
    for holder in holders { #expect(scheduler.take(holder) == true) }
    _ = Self.stand(&scheduler, [(limit, 1)], order: 2, of: 1)
    _ = Self.stand(&scheduler, [(limit, 1)], order: 3, of: 2)
    scheduler.setOpening(.nothing, of: 2)
    _ = scheduler.takeNotices()

    for holder in holders { scheduler.remove(holder) }
    #expect(scheduler.takeNotices() == [1])
    #expect(scheduler.nextDemand(of: 2) == nil)
    scheduler.setCount(3, of: limit)
    #expect(scheduler.takeNotices() == [])
    _ = scheduler.nextDemand(of: 1)
    scheduler.setCount(4, of: limit)
    #expect(scheduler.takeNotices() == [1])
  }

  @Test("Who needs nothing but limits has them with the change that made room, in order, and is not told")
  func atOnce() {
    var scheduler = scheduler
    let limit = scheduler.addLimit(count: 2)
    let holder = Self.stand(&scheduler, [(limit, 2)], order: 0)
    #expect(scheduler.take(holder) == true)
    let waiting = (1...3).map { Self.stand(&scheduler, [(limit, 1)], order: 4 - $0, of: 1, opening: .atOnce) }
    #expect(scheduler.settle() == [])

    scheduler.remove(holder)

    #expect(scheduler.settle() == [waiting[2], waiting[1]])
    #expect(scheduler.takeNotices() == [])
    #expect(scheduler.available(of: limit) == 0)
    scheduler.remove(waiting[1])
    #expect(scheduler.settle() == [waiting[0]])
  }

  @Test("What one who takes at once leaves in a line is told to the next in it")
  func behindAtOnce() {
    var scheduler = scheduler
    let limit = scheduler.addLimit(count: 0)
    _ = Self.stand(&scheduler, [(limit, 1)], order: 0, of: 1, opening: .atOnce)
    let behind = Self.stand(&scheduler, [(limit, 1)], order: 1)
    scheduler.setCount(2, of: limit)

    #expect(scheduler.settle().count == 1)
    #expect(scheduler.takeNotices() == [0])
    #expect(scheduler.nextDemand(of: 0) == behind)
  }

  @Test("Leaving takes back nothing from one that has its limits")
  func leaving() {
    var scheduler = scheduler
    let limit = scheduler.addLimit(count: 1)
    let holder = Self.stand(&scheduler, [(limit, 1)], order: 1)
    let other = Self.stand(&scheduler, [(limit, 1)], order: 2)
    #expect(scheduler.take(holder) == true)

    #expect(scheduler.leave(holder) == false)
    #expect(scheduler.available(of: limit) == 0)
    #expect(scheduler.leave(other) == true)
    #expect(scheduler.leave(other) == false)
  }

  @Test("A line that many leave does not grow without end")
  func memory() {
    var scheduler = scheduler
    let limit = scheduler.addLimit(count: 0)
    scheduler.setCount(1, of: limit)
    let holder = Self.stand(&scheduler, [(limit, 1)], order: 0)
    #expect(scheduler.take(holder) == true)
    let first = Self.stand(&scheduler, [(limit, 1)], order: 1)
    for order in 2..<2_000 { scheduler.remove(Self.stand(&scheduler, [(limit, 1)], order: order)) }

    #expect(scheduler.itemCount(of: limit) < 100)
    scheduler.remove(holder)
    #expect(scheduler.nextDemand(of: 0) == first)
  }

  @Test("A line that many leave and come back to, as a count goes down and up, does not grow without end")
  func memoryOfReturning() {
    var scheduler = scheduler
    let limit = scheduler.addLimit(count: 2)
    let holder = Self.stand(&scheduler, [(limit, 2)], order: 0)
    #expect(scheduler.take(holder) == true)
    let first = Self.stand(&scheduler, [(limit, 1)], order: 1)
    let dear = (2..<12).map { Self.stand(&scheduler, [(limit, 2)], order: $0) }
    let last = Self.stand(&scheduler, [(limit, 1)], order: 12)

    for _ in 0..<1_000 {
      scheduler.setCount(1, of: limit)
      scheduler.setCount(2, of: limit)
    }

    #expect(scheduler.itemCount(of: limit) < 100)
    for demand in dear + [first] { scheduler.remove(demand) }
    scheduler.remove(holder)
    #expect(scheduler.itemCount(of: limit) == 1)
    #expect(scheduler.nextDemand(of: 0) == last)
  }
}
