import Testing

@testable import StructuredOperations

extension LimitSchedulerTests {
  @Suite("LimitScheduler: what is told of the lines")
  struct LinesTests {
    private var scheduler = Scheduler()

    @Test("Nobody has anything: nothing is lacking, and nothing is told")
    func empty() {
      #expect(scheduler.lines(of: []).isEmpty)
      #expect(Scheduler.Lines(count: 1, used: 0).lack(of: nil, cost: 1) == nil)
    }

    @Test("Where there is no room, the holders are told")
    mutating func room() {
      let limit = scheduler.addLimit(count: 3)
      let holders = [stand(limit, 1, order: 1), stand(limit, 1, order: 2)]
      for holder in holders { #expect(scheduler.take(holder) == true) }
      let waiting = stand(limit, 2, order: 3)

      let lines = scheduler.lines(of: [limit])[limit]
      #expect(lines?.lack(of: waiting, cost: 2) == .room(holders: holders))
      #expect(lines?.isWaiting(waiting) == true && lines?.isWaiting(holders[0]) == false)
      #expect(lines?.lack(of: nil, cost: 1) == nil)
    }

    @Test("Where the count is below the cost, that is told")
    mutating func count() {
      let limit = scheduler.addLimit(count: 3)
      let waiting = stand(limit, 3, order: 1)
      scheduler.setCount(2, of: limit)

      #expect(scheduler.lines(of: [limit])[limit]?.lack(of: waiting, cost: 3) == .count)
      #expect(scheduler.lines(of: [limit])[limit]?.isWaiting(waiting) == true)
    }

    @Test("Room that is kept for one ahead in line is told, unless its owner is closed", arguments: [true, false])
    mutating func kept(isOpen: Bool) {
      let (limit, other) = (scheduler.addLimit(count: 2), scheduler.addLimit(count: 1))
      let holder = stand(other, 1, order: 1)
      #expect(scheduler.take(holder) == true)
      let first = LimitSchedulerTests.stand(
        &scheduler, [(limit, 1), (other, 1)], order: 2, of: 7, opening: isOpen ? .all : .nothing)
      let second = stand(limit, 1, order: 3)

      #expect(scheduler.lines(of: [limit])[limit]?.lack(of: second, cost: 1) == (isOpen ? .kept(for: first) : nil))
      #expect(scheduler.lines(of: [limit])[limit]?.lack(of: first, cost: 1) == nil)
      #expect(scheduler.lines(of: [other])[other]?.lack(of: first, cost: 1) == .room(holders: [holder]))
    }

    @Test("Of other limits, and of those who need only these, nothing is told")
    mutating func others() {
      let (limit, other) = (scheduler.addLimit(count: 1), scheduler.addLimit(count: 1))
      let holder = LimitSchedulerTests.stand(&scheduler, [(limit, 1)], order: 1, of: 1)
      #expect(scheduler.take(holder) == true)
      let foreign = LimitSchedulerTests.stand(&scheduler, [(other, 1)], order: 2, of: 2)
      #expect(scheduler.take(foreign) == true)

      let lines = scheduler.lines(of: [limit])
      #expect(lines.count == 1)
      #expect(lines[limit]?.owners == [1])
      #expect(lines[limit]?.demands == [holder])
    }

    @Test("Owners are told once each, in the order of their first demands")
    mutating func owners() {
      let limit = scheduler.addLimit(count: 1)
      for order in 1...40 {
        _ = LimitSchedulerTests.stand(&scheduler, [(limit, 1)], order: order, of: order % 20)
      }
      #expect(scheduler.lines(of: [limit])[limit]?.owners == Array(1...19) + [0])
    }

    private mutating func stand(_ limit: Scheduler.LimitID, _ cost: Int, order: Int) -> Scheduler.DemandID {
      LimitSchedulerTests.stand(&scheduler, [(limit, cost)], order: order)
    }
  }
}
