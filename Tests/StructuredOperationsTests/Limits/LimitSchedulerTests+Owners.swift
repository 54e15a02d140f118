import Testing

@testable import StructuredOperations

extension LimitSchedulerTests {
  @Suite("LimitScheduler: several owners in the line of a limit")
  struct OwnersTests {
    private var scheduler = Scheduler()
    private var limit: Scheduler.LimitID

    init() { limit = scheduler.addLimit(count: 1) }

    /// Begins with a line that is crowded from so many owners on.
    private mutating func start(fewOwners: Int) {
      scheduler = Scheduler(fewOwners: fewOwners)
      limit = scheduler.addLimit(count: 1)
    }

    /// Lets the demands in line know that there is room.
    private mutating func makeRoom() {
      let holder = stand(limit, order: -1, of: -1)
      #expect(scheduler.take(holder) == true)
      scheduler.remove(holder)
    }

    private mutating func stand(
      _ limit: Scheduler.LimitID, order: Int, of owner: Int, opening: Scheduler.Opening = .all
    ) -> Scheduler.DemandID {
      LimitSchedulerTests.stand(&scheduler, [(limit, 1)], order: order, of: owner, opening: opening)
    }

    @Test("An owner that others were let ahead of has its place again when it opens", arguments: [1, 64])
    mutating func reopening(fewOwners: Int) {
      start(fewOwners: fewOwners)
      let first = stand(limit, order: 0, of: 0, opening: .nothing)
      let others = (1..<5).map { stand(limit, order: $0, of: $0) }
      makeRoom()
      #expect(scheduler.takeNotices() == [1])
      #expect(scheduler.nextDemand(of: 1) == others[0])

      scheduler.setOpening(.all, of: 0)
      #expect(scheduler.nextDemand(of: 1) == nil)
      #expect(scheduler.nextDemand(of: 0) == first)
      #expect(scheduler.take(first) == true)
      scheduler.remove(first)
      #expect(scheduler.takeNotices() == [1])
    }

    @Test(
      "An owner that others were let ahead of, and that is closed still, gives its slot to its first demand",
      arguments: [1, 64])
    mutating func replacing(fewOwners: Int) {
      start(fewOwners: fewOwners)
      let other = scheduler.addLimit(count: 1)
      let running = stand(other, order: 0, of: 0)
      #expect(scheduler.take(running) == true)
      let first = stand(limit, order: 1, of: 0, opening: .nothing)
      scheduler.setOpening(.nothing, of: 0)
      _ = stand(limit, order: 2, of: 1)
      makeRoom()
      #expect(scheduler.takeNotices() == [1])

      let successor = scheduler.replace(running, of: 0) { demand, _ in demand.map { .demand($0) } ?? .other }
      #expect(successor == .demand(first))
    }

    @Test("A body that returns has the first place of an owner that begins nothing else", arguments: [1, 64])
    mutating func returning(fewOwners: Int) {
      start(fewOwners: fewOwners)
      _ = stand(limit, order: 0, of: 0, opening: .returns)
      let other = stand(limit, order: 1, of: 1)
      makeRoom()
      #expect(scheduler.takeNotices() == [1])
      let returning = LimitSchedulerTests.stand(
        &scheduler, [(limit, 1)], order: 2, isReturning: true, of: 0, opening: .returns)

      #expect(scheduler.take(other) == false)
      #expect(scheduler.nextDemand(of: 0) == returning)
    }

    @Test(
      "A limit that an owner has left, and that is gone, is not looked at when the owner opens or closes",
      arguments: [1, 64], [Scheduler.Opening.all, .nothing])
    mutating func leaving(fewOwners: Int, opening: Scheduler.Opening) {
      start(fewOwners: fewOwners)
      let other = scheduler.addLimit(count: 1)
      let initial: Scheduler.Opening = opening == .all ? .nothing : .all
      let kept = stand(other, order: 1, of: 0, opening: initial)
      let left = stand(limit, order: 0, of: 0, opening: initial)
      let behind = stand(limit, order: 2, of: 1)
      makeRoom()
      #expect(scheduler.takeNotices() == [opening == .all ? 1 : 0])
      for demand in [left, behind] { scheduler.remove(demand) }
      scheduler.removeLimit(limit)

      scheduler.setOpening(opening, of: 0)
      #expect(scheduler.nextDemand(of: 0) == (opening == .all ? kept : nil))
    }

    @Test("What an owner that was passed over could not take when it looked it takes later, when others have left")
    mutating func lookingAgain() {
      start(fewOwners: 1)
      let other = scheduler.addLimit(count: 1)
      let holder = stand(other, order: 0, of: 3)
      #expect(scheduler.take(holder) == true)
      // The owner has the first place for the limit, and lacks the other one.
      let first = LimitSchedulerTests.stand(
        &scheduler, [(limit, 1), (other, 1)], order: 1, of: 0, opening: .nothing)
      _ = stand(limit, order: 2, of: 1)
      makeRoom()
      #expect(scheduler.takeNotices() == [1])
      #expect(scheduler.nextDemand(of: 0) == nil)

      scheduler.remove(holder)
      scheduler.setOpening(.all, of: 0)
      #expect(scheduler.nextDemand(of: 0) == first)
      #expect(scheduler.nextDemand(of: 1) == nil)
    }

    @Test("What an owner that was passed over could take, until another one came ahead, it takes when that has left")
    mutating func comingAhead() {
      start(fewOwners: 1)
      let other = scheduler.addLimit(count: 1)
      let running = stand(other, order: 0, of: 0)
      #expect(scheduler.take(running) == true)
      let first = stand(limit, order: 2, of: 0, opening: .nothing)
      scheduler.setOpening(.nothing, of: 0)
      _ = stand(limit, order: 3, of: 1)
      makeRoom()
      #expect(candidate(of: 0, after: running) == first)
      let ahead = stand(limit, order: 1, of: 2)
      #expect(candidate(of: 0, after: running) == nil)

      scheduler.remove(ahead)
      #expect(candidate(of: 0, after: running) == first)
    }

    /// What an end would go on with.
    private mutating func candidate(of owner: Int, after held: Scheduler.DemandID) -> Scheduler.DemandID? {
      var candidate: Scheduler.DemandID?
      _ = scheduler.replace(held, of: owner) { demand, _ in
        candidate = demand
        return .unknown
      }
      return candidate
    }

    @Test("A line in which owners have another first demand again and again does not grow", arguments: [1, 64])
    mutating func memory(fewOwners: Int) {
      start(fewOwners: fewOwners)
      let demands = (0..<2).map { stand(limit, order: 1_000 * $0, of: $0) }
      for order in 1..<1_000 { scheduler.remove(stand(limit, order: order, of: 1)) }

      #expect(scheduler.itemCount(of: limit) < 100)
      #expect(scheduler.nextDemand(of: 0) == demands[0])
    }

    @Test("A line that nearly all of many owners leave keeps nothing of them")
    mutating func emptying() {
      start(fewOwners: 1)
      let holder = stand(limit, order: 0, of: 0)
      #expect(scheduler.take(holder) == true)
      let demands = (1...1_000).map { stand(limit, order: $0, of: $0) }
      for demand in demands.dropLast(2) { scheduler.remove(demand) }

      #expect(scheduler.itemCount(of: limit) < 100)
      scheduler.remove(holder)
      #expect(scheduler.takeNotices() == [999])
    }
  }
}
