extension LimitScheduler {
  /// How a limit stands: who has it, and who waits for it.
  struct Lines: Sendable {
    let count: Int
    let used: Int
    /// Those who have it, or wait for it, each once: in the order of the ranks of their first demands, so that programs
    /// under seeds repeat.
    private(set) var owners: [Owner] = []
    private var ownerSet: Set<Owner> = []
    fileprivate var holders: [DemandID] = []
    /// The first in line, where nobody behind it may take what it needs.
    fileprivate var first: (demand: DemandID, rank: Rank)?
    fileprivate var ranks: [DemandID: Rank] = [:]

    /// Why a demand cannot have the limit.
    enum Lack: Equatable, Sendable {
      /// The count is below the cost.
      case count
      /// Others have it.
      case room(holders: [DemandID])
      /// There is room, which is kept for one ahead in line.
      case kept(for: DemandID)
    }

    init(count: Int, used: Int) {
      self.count = count
      self.used = used
    }

    /// The demands that have the limit, or wait for it.
    var demands: [DemandID] { holders + ranks.keys }

    /// Whether a demand stands in line, or waits until the count grows.
    func isWaiting(_ demand: DemandID) -> Bool { ranks[demand] != nil }

    /// Demands are added by their ranks.
    fileprivate mutating func add(_ id: DemandID, _ demand: Demand, of owner: Owner, keepsRoom: Bool) {
      if ownerSet.insert(owner).inserted { owners.append(owner) }
      if demand.isHolding { holders.append(id) } else { ranks[id] = demand.rank }
      if keepsRoom, first == nil { first = (id, demand.rank) }
    }

    /// Why a demand cannot have the limit; nil if it can.
    func lack(of demand: DemandID?, cost: Int) -> Lack? {
      if cost > count { return .count }
      if cost > count - used { return .room(holders: holders) }
      guard let first, let own = demand.flatMap({ ranks[$0] }), first.rank < own else { return nil }
      return .kept(for: first.demand)
    }
  }

  /// How some limits stand.
  ///
  /// O(n) in the number of all demands, O(n log n) in that of those concerned.
  func lines(of limits: Set<LimitID>) -> [LimitID: Lines] {
    var lines: [LimitID: Lines] = [:]
    for limit in limits {
      let (count, used) = usage(of: limit)
      lines[limit] = Lines(count: count, used: used)
    }
    for (id, demand) in demandsByRank(where: { $0.needs.contains { limits.contains($0.limit) } }) {
      let (owner, keepsRoom) = (owners[existing: demand.owner].owner, keepsRoom(demand))
      for need in demand.needs { lines[need.limit]?.add(id, demand, of: owner, keepsRoom: keepsRoom) }
    }
    return lines
  }
}
