import Testing

@testable import StructuredOperations

// An operation ends, and another one of its owner's has its slot.
extension LimitSchedulerTests {
  /// Two limits for one; someone holds the first one, and the numbers stand in line for it, in this order, of the owners.
  private func scene(
    owners: [Int]
  ) -> (Scheduler, limits: [Scheduler.LimitID], held: Scheduler.DemandID, [Scheduler.DemandID]) {
    var scheduler = Scheduler()
    let limits = [scheduler.addLimit(count: 1), scheduler.addLimit(count: 1)]
    let held = Self.stand(&scheduler, [(limits[0], 1)], order: 0)
    _ = scheduler.take(held)
    let demands = owners.enumerated().map { Self.stand(&scheduler, [(limits[0], 1)], order: 1 + $0, of: $1) }
    _ = scheduler.takeNotices()
    return (scheduler, limits, held, demands)
  }

  @Test("What one demand gives back the first of the same owner takes, where it is the first of all")
  func replaced() {
    var (scheduler, limits, held, demands) = scene(owners: [0, 1, 0])
    let successor = scheduler.replace(held, of: 0) { candidate, isContested in
      #expect(candidate == demands[0] && isContested)
      return .demand(demands[0])
    }
    #expect(successor == .demand(demands[0]) && scheduler.usage(of: limits[0]) == (1, 1))
    #expect(scheduler.takeNotices().isEmpty && !scheduler.take(demands[0]))

    // The next one is of another owner, which has to ask for itself.
    for successor in [Scheduler.Successor.unknown, .other] {
      _ = scheduler.replace(demands[0], of: 0) { candidate, isContested in
        #expect(candidate == nil && isContested)
        return successor
      }
      #expect(scheduler.available(of: limits[0]) == (successor == .other ? 1 : 0))
      #expect(scheduler.takeNotices() == (successor == .other ? [1] : []))
    }
    #expect(scheduler.nextDemand(of: 1) == demands[1])
  }

  @Test("An owner stands in all lines for what is needed where it has a demand in each")
  func inAllLines() {
    var (scheduler, limits, held, demands) = scene(owners: [0])
    let needs = Scheduler.Needs(limits.map { Need(limit: $0, cost: 1) })
    let one = Scheduler.Needs.one(needs[0])
    #expect(scheduler.stands(0, inLinesFor: one) && !scheduler.stands(0, inLinesFor: needs))
    #expect(!scheduler.stands(1, inLinesFor: one))
    let both = Self.stand(&scheduler, limits.map { ($0, 1) }, order: 9, of: 0)
    #expect(scheduler.stands(0, inLinesFor: needs) && !scheduler.stands(1, inLinesFor: needs))
    scheduler.remove(demands[0])
    #expect(scheduler.stands(0, inLinesFor: needs))
    scheduler.remove(held)
    #expect(scheduler.take(both) && !scheduler.stands(0, inLinesFor: one))
  }

  @Test("Whoever chooses is told whether anybody stands in line for what is given back")
  func contested() {
    var (scheduler, limits, held, demands) = scene(owners: [1])
    let (free, second) = (Self.stand(&scheduler, [(limits[1], 1)], order: 9), limits[1])
    _ = scheduler.take(free)
    let waiting = Self.stand(&scheduler, [(second, 1)], order: 10)
    for (held, expected) in [(held, true), (free, true), (nil, false)] {
      _ = scheduler.replace(held, of: 0) { _, isContested in
        #expect(isContested == expected)
        return .unknown
      }
    }
    for demand in [waiting] + demands { scheduler.remove(demand) }
    _ = scheduler.replace(held, of: 0) { candidate, isContested in
      #expect(candidate == nil && !isContested)
      return .other
    }
    #expect(scheduler.available(of: limits[0]) == 1)
  }

  @Test("An end without limits leaves the slot to the first that could have its limits all along")
  func candidateWithoutLimits() {
    var (scheduler, limits, _, _) = scene(owners: [0])
    // It has no slot yet.
    let waiting = Self.stand(&scheduler, [(limits[1], 1)], order: 5, opening: .nothing)
    let successor = scheduler.replace(nil, of: 0) { candidate, _ in
      #expect(candidate == waiting)
      return .demand(waiting)
    }
    #expect(successor == .demand(waiting) && scheduler.available(of: limits[1]) == 0)
  }

  @Test("Of one that could begin all along and one that can by the end the first by rank is next", arguments: [1, 9])
  func earlierCandidate(order: Int) {
    var (scheduler, limits, held, demands) = scene(owners: [0])
    scheduler.remove(demands[0])
    let by = Self.stand(&scheduler, [(limits[0], 1)], order: 5)
    let allAlong = Self.stand(&scheduler, [(limits[1], 1)], order: order)
    _ = scheduler.replace(held, of: 0) { candidate, _ in
      #expect(candidate == (order == 1 ? allAlong : by))
      return .demand(order == 1 ? allAlong : by)
    }
    #expect(scheduler.available(of: limits[0]) == (order == 1 ? 1 : 0))
    // The other one can begin, too, as soon as there is a slot.
    #expect(scheduler.nextDemand(of: 0) == (order == 1 ? by : allAlong))
  }

  @Test("One that needs more than is given back is next only where it can have all of it")
  func needsMore() {
    var (scheduler, limits, held, demands) = scene(owners: [0])
    scheduler.remove(demands[0])
    let both = Self.stand(&scheduler, [(limits[0], 1), (limits[1], 1)], order: 5)
    let other = Self.stand(&scheduler, [(limits[1], 1)], order: 1, of: 1)
    _ = scheduler.replace(held, of: 0) { candidate, _ in
      #expect(candidate == nil)
      return .unknown
    }
    scheduler.remove(other)
    let successor = scheduler.replace(held, of: 0) { candidate, _ in
      #expect(candidate == both)
      return .demand(both)
    }
    #expect(successor == .demand(both) && limits.allSatisfy { scheduler.available(of: $0) == 0 })
  }
}
