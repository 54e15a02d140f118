import Testing

@testable import StructuredOperations

extension LimitSchedulerTests {
  /// The rules by definition, without lines: everything is looked for among all demands.
  struct Reference {
    struct Demand {
      let owner: Int
      let needs: [(limit: Scheduler.LimitID, cost: Int)]
      let rank: Scheduler.Rank
      var isHolding = false
    }

    let ownerCount: Int
    var counts: [Scheduler.LimitID: Int] = [:]
    var demands: [Scheduler.DemandID: Demand] = [:]
    var openings: [Int: Scheduler.Opening] = [:]

    func used(_ limit: Scheduler.LimitID) -> Int {
      demands.values.filter(\.isHolding).flatMap(\.needs).filter { $0.limit == limit }.map(\.cost).reduce(0, +)
    }

    func isInLine(_ demand: Demand) -> Bool {
      !demand.isHolding && demand.needs.allSatisfy { $0.cost <= counts[$0.limit, default: 0] }
    }

    func stands(_ demand: Demand) -> Bool {
      isInLine(demand) && openings[demand.owner, default: .nothing].includes(demand.rank)
    }

    func hasLine(for holding: Demand) -> Bool {
      demands.values.contains { other in
        isInLine(other) && other.needs.contains { need in holding.needs.contains { $0.limit == need.limit } }
      }
    }

    /// The first demand of an owner that may take its limits.
    func next(of owner: Int) -> Scheduler.DemandID? {
      demands.filter { $0.value.owner == owner && mayTake($0.value) }.min { $0.value.rank < $1.value.rank }?.key
    }

    /// The first one if the owner could begin other things than it can.
    func next(of owner: Int, for opening: Scheduler.Opening) -> Scheduler.DemandID? {
      var other = self
      other.openings[owner] = opening
      return other.next(of: owner)
    }

    func mayTake(_ demand: Demand) -> Bool {
      guard stands(demand) else { return false }
      return demand.needs.allSatisfy { need in
        used(need.limit) + need.cost <= counts[need.limit, default: 0]
          && !demands.values.contains { other in
            other.rank < demand.rank && stands(other) && other.needs.contains { $0.limit == need.limit }
          }
      }
    }
  }

  @Test(
    "Under random demands each owner gets what the rules say, as soon as it is told, and nobody is forgotten",
    arguments: 0..<60)
  func model(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    // Many owners stand in line where they are more than few.
    var scheduler = Scheduler(fewOwners: [64, 1, 2][seed % 3])
    var reference = Reference(ownerCount: seed % 6 == 5 ? 20 : 3)
    for _ in 0..<4 {
      let count = Int.random(in: 0...4, using: &random)
      reference.counts[scheduler.addLimit(count: count)] = count
    }
    for owner in 0..<reference.ownerCount { reference.openings[owner] = .all }
    // In every other program one of the owners needs nothing but limits.
    if seed % 2 == 1 { reference.openings[2] = .atOnce }
    for step in 0..<300 {
      change(&scheduler, &reference, step: step, &random)
      settle(&scheduler, &reference)
      // Everyone who is told asks, and takes all that it may. Then nobody may take anything.
      var asking = scheduler.takeNotices()
      while let owner = asking.popLast() {
        #expect(scheduler.nextDemand(of: owner) == reference.next(of: owner))
        guard let demand = scheduler.nextDemand(of: owner) else { continue }
        #expect(scheduler.take(demand) == true)
        reference.demands[demand]?.isHolding = true
        settle(&scheduler, &reference)
        asking.append(owner)
        asking += scheduler.takeNotices().filter { !asking.contains($0) }
      }
      for owner in 0..<reference.ownerCount { #expect(reference.next(of: owner) == nil, "step \(step)") }
      for (limit, count) in reference.counts {
        #expect(scheduler.usage(of: limit) == (count, reference.used(limit)))
      }
    }
  }

  private func change(
    _ scheduler: inout Scheduler,
    _ reference: inout Reference,
    step: Int,
    _ random: inout SeededGenerator
  ) {
    let owner = Int.random(in: 0..<reference.ownerCount, using: &random)
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<5:
      let limits = reference.counts.keys.sorted().shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random))
      let needs = limits.map { (limit: $0, cost: Int.random(in: 1...3, using: &random)) }
      let rank = Scheduler.Rank(
        isReturning: Int.random(in: 0..<5, using: &random) == 0, priority: Int.random(in: -1...1, using: &random),
        order: step)
      let isForgotten = !reference.demands.values.contains { $0.owner == owner && !$0.isHolding }
      // What an owner can begin is not kept while it has no demand.
      if isForgotten, reference.openings[owner] != .atOnce { reference.openings[owner] = .all }
      let (opening, isTaking) = (reference.openings[owner] ?? .nothing, Bool.random(using: &random))
      let wanted = Scheduler.Needs(needs.map { Need(limit: $0.limit, cost: $0.cost) })
      var added = Reference.Demand(owner: owner, needs: needs, rank: rank)
      // Whoever takes limits has the rest.
      if isTaking, opening.includes(rank) {
        added.isHolding = reference.mayTake(added)
        let (demand, isTaken) = scheduler.takeOrStand(wanted, as: rank, of: owner, opening: opening)
        #expect(isTaken == added.isHolding)
        reference.demands[demand] = added
      } else {
        reference.demands[scheduler.stand(wanted, as: rank, of: owner, opening: opening)] = added
      }
    case 5..<8:
      guard let id = reference.demands.keys.sorted().randomElement(using: &random),
        let demand = reference.demands[id]
      else { return }
      if Bool.random(using: &random), reference.openings[demand.owner] != .atOnce {
        replace(demand.isHolding ? id : nil, of: demand.owner, &scheduler, &reference, &random)
        return
      }
      scheduler.remove(id)
      reference.demands[id] = nil
    case 8:
      let opening = [Scheduler.Opening.nothing, .returns, .all].randomElement(using: &random) ?? .all
      guard reference.demands.values.contains(where: { $0.owner == owner && !$0.isHolding }) else { return }
      if reference.openings[owner] == .atOnce { return }
      scheduler.setOpening(opening, of: owner)
      reference.openings[owner] = opening
      takeAll(of: owner, &scheduler, &reference)
    default:
      guard let limit = reference.counts.keys.sorted().randomElement(using: &random) else { return }
      let count = Int.random(in: 0...4, using: &random)
      scheduler.setCount(count, of: limit)
      reference.counts[limit] = count
    }
  }

  /// An operation ends, with limits or without, and whoever has its slot chooses freely what is next.
  private func replace(
    _ held: Scheduler.DemandID?,
    of owner: Int,
    _ scheduler: inout Scheduler,
    _ reference: inout Reference,
    _ random: inout SeededGenerator
  ) {
    var after = reference
    if let held { after.demands[held] = nil }
    let candidate = after.next(of: owner, for: .all)
    let choices = [.other, .unknown] + (candidate.map { [Scheduler.Successor.demand($0)] } ?? [])
    let choice = choices.randomElement(using: &random) ?? .unknown
    let successor = scheduler.replace(held, of: owner) { first, isContested in
      #expect(first == candidate)
      #expect(isContested == (held.flatMap { reference.demands[$0] }.map(reference.hasLine) ?? false))
      return choice
    }
    #expect(successor == choice)
    if choice == .unknown { return }
    reference = after
    if case .demand(let next) = choice { reference.demands[next]?.isHolding = true }
  }

  /// Those that need nothing but limits have them with the change that made room.
  private func settle(_ scheduler: inout Scheduler, _ reference: inout Reference) {
    for demand in scheduler.settle() {
      #expect(demand == reference.next(of: 2))
      reference.demands[demand]?.isHolding = true
    }
    if reference.openings[2] == .atOnce { #expect(reference.next(of: 2) == nil) }
  }

  /// An owner that can begin more asks by itself.
  private func takeAll(of owner: Int, _ scheduler: inout Scheduler, _ reference: inout Reference) {
    while let demand = scheduler.nextDemand(of: owner) {
      #expect(demand == reference.next(of: owner))
      #expect(scheduler.take(demand) == true)
      reference.demands[demand]?.isHolding = true
    }
  }
}
