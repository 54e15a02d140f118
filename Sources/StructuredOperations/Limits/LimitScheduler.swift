/// Decides who gets what of the concurrency limits, and in which order; takes no lock, and wakes nobody.
///
/// A demand is what one operation needs: a cost of each of its limits. Its owner is whoever gives what the operation
/// needs besides, a queue that gives it a slot. A demand takes all of its limits in one step, when its owner says that the
/// rest is there, or none: so nobody holds one limit while it waits for another.
///
/// Each limit has a line. A demand takes its limits where it is the first in the lines of all of them, and all have room.
/// The demands of an owner stand in line only while the owner is open: otherwise they need more than limits, and those
/// behind them go ahead. A demand whose cost is above the count of a limit is parked: it stands in no line.
///
/// Nobody waits for ever. Of all demands in line, the first one by ``Rank`` is the first in each of its lines. What it
/// lacks is held by operations that run, and wait for no limit while they hold it. So it comes back, and that demand
/// takes it.
///
/// A line is a heap for each owner, since owners open and close with every operation: that costs nothing for limits that
/// no other owner needs. Each step costs O(log n), and looks at the first demand of each owner of the limits concerned.
struct LimitScheduler<Owner: Hashable & Sendable>: Sendable {
  typealias LimitID = Int
  typealias DemandID = Int

  private var limits: [LimitID: Limit] = [:]
  private var demands: [DemandID: Demand] = [:]
  /// Those who have a demand that stands in line or is parked.
  private var owners: [Owner: OwnerState] = [:]
  private var nextLimit = 0
  private var nextDemand = 0
  /// Owners that may have a demand now that can take its limits, each once.
  private var notices: [Owner] = []

  // MARK: Limits

  mutating func addLimit(count: Int) -> LimitID {
    defer { nextLimit += 1 }
    limits[nextLimit] = Limit(count: count)
    return nextLimit
  }

  /// Nobody needs the limit any more.
  mutating func removeLimit(_ id: LimitID) { limits[id] = nil }

  func count(of id: LimitID) -> Int { self[id].count }

  /// What nobody has; 0 where the count was lowered below what is in use.
  func available(of id: LimitID) -> Int { max(0, self[id].room) }

  func usage(of id: LimitID) -> (count: Int, used: Int) { (self[id].count, self[id].used) }

  mutating func setCount(_ count: Int, of id: LimitID) {
    self[id].count = count
    var affected: Set<LimitID> = [id]
    // In the order of their numbers, so that programs under seeds repeat.
    for number in demands.keys.sorted() {
      guard let demand = demands[number], demand.needs.contains(where: { $0.limit == id }) else { continue }
      switch demand.phase {
      case .standing:
        if isPossible(demand.needs) { continue }
        demands[number]?.phase = .parked
        leaveLines(demand)
      case .parked:
        guard isPossible(demand.needs) else { continue }
        demands[number]?.phase = .standing
        enterLines(number, demand)
      case .holding: continue
      }
      affected.formUnion(demand.needs.map(\.limit))
    }
    for id in affected.sorted() { consider(id) }
  }

  /// How many items the line of a limit holds, of demands that have left, too.
  func itemCount(of id: LimitID) -> Int { self[id].lines.map(\.itemCount).reduce(0, +) }

  // MARK: Demands

  /// A demand comes to wait for its limits alone.
  ///
  /// - Parameter opening: What its owner can begin now.
  mutating func stand(_ needs: [Need], as rank: Rank, of owner: Owner, opening: Opening) -> DemandID {
    let id = nextDemand
    nextDemand += 1
    owners[owner, default: OwnerState()].waitingCount += 1
    open(owner, to: opening)
    let demand = Demand(owner: owner, needs: needs, rank: rank, phase: isPossible(needs) ? .standing : .parked)
    demands[id] = demand
    if demand.phase == .standing {
      enterLines(id, demand)
      consider(id, demand)
    }
    return id
  }

  /// Takes all limits of a demand; its owner has the rest.
  ///
  /// - Returns: Whether it has them; if not, it stands in line as before.
  mutating func take(_ id: DemandID) -> Bool {
    guard let demand = demands[id], demand.phase == .standing, isFirst(id, demand) else { return false }
    for need in demand.needs { self[need.limit].used += need.cost }
    demands[id]?.phase = .holding
    leaveLines(demand)
    endWaiting(demand.owner)
    for need in demand.needs { consider(need.limit) }
    return true
  }

  /// A demand leaves the lines, unless it has taken its limits.
  ///
  /// - Returns: Whether it has left.
  mutating func leave(_ id: DemandID) -> Bool {
    guard let phase = demands[id]?.phase, phase != .holding else { return false }
    remove(id)
    return true
  }

  /// A demand gives back what it has taken, or leaves the lines.
  mutating func remove(_ id: DemandID) {
    guard let demand = demands.removeValue(forKey: id) else { preconditionFailure("demand \(id) was removed twice") }
    switch demand.phase {
    case .standing:
      leaveLines(demand)
      endWaiting(demand.owner)
    case .parked: endWaiting(demand.owner)
    case .holding: for need in demand.needs { self[need.limit].used -= need.cost }
    }
    for need in demand.needs { consider(need.limit) }
  }

  // MARK: Owners

  /// An owner can begin more than before, and asks for ``nextDemand(of:)``.
  mutating func open(_ owner: Owner, to opening: Opening) {
    if let old = owners[owner]?.opening, old < opening { owners[owner]?.opening = opening }
  }

  /// What an owner can begin has changed; without effect where none of its demands waits.
  mutating func setOpening(_ opening: Opening, of owner: Owner) {
    guard let old = owners[owner]?.opening, old != opening else { return }
    owners[owner]?.opening = opening
    // Where it opens it asks for itself.
    if opening < old { for id in owners[owner]?.contested.sorted() ?? [] { consider(id) } }
  }

  /// The first demand of an owner that can take its limits now; nil if there is none.
  mutating func nextDemand(of owner: Owner) -> DemandID? {
    owners[owner]?.isNoticed = false
    while let first = owners[owner]?.candidates.first {
      if let demand = demands[first.demand], demand.phase == .standing, isFirst(first.demand, demand) {
        return owners[owner]?.opening.includes(first.rank) == true ? first.demand : nil
      }
      _ = owners[owner]?.candidates.popFirst()
      demands[first.demand]?.isCandidate = false
    }
    return nil
  }

  /// Has demands take their limits whose owners need nothing besides.
  ///
  /// To be called after each change, so that whoever makes it knows what it has made possible.
  mutating func settle() -> [DemandID] {
    var settled: [DemandID] = []
    var index = notices.startIndex
    while index < notices.endIndex {
      guard owners[notices[index]]?.opening == .atOnce else {
        index += 1
        continue
      }
      let owner = notices.remove(at: index)
      while let demand = nextDemand(of: owner), take(demand) { settled.append(demand) }
    }
    return settled
  }

  /// The owners that have to ask for ``nextDemand(of:)``; none is told again before it has asked.
  mutating func takeNotices() -> [Owner] { notices.removeEach() }

  // MARK: Queries

  /// Some demands, the first in line first.
  func demandsByRank(where isWanted: (Demand) -> Bool) -> [(id: DemandID, demand: Demand)] {
    demands.filter { isWanted($0.value) }.map { ($0.key, $0.value) }.sorted { ($0.1.rank, $0.0) < ($1.1.rank, $1.0) }
  }

  /// What an owner can begin; nothing where none of its demands waits.
  func opening(of owner: Owner) -> Opening { owners[owner]?.opening ?? .nothing }

  // MARK: Helpers

  private subscript(id: LimitID) -> Limit {
    get {
      guard let limit = limits[id] else { preconditionFailure("limit \(id) is gone") }
      return limit
    }
    _modify {
      guard let index = limits.index(forKey: id) else { preconditionFailure("limit \(id) is gone") }
      yield &limits.values[index]
    }
  }

  private func isPossible(_ needs: [Need]) -> Bool { needs.allSatisfy { $0.cost <= self[$0.limit].count } }

  /// Whether the demand is the first in all of its lines, and all of its limits have room.
  ///
  /// Whether its owner is open does not matter: that asks when it is.
  private mutating func isFirst(_ id: DemandID, _ demand: Demand) -> Bool {
    for need in demand.needs {
      if self[need.limit].room < need.cost { return false }
      for index in self[need.limit].lines.indices {
        guard let first = first(in: need.limit, at: index) else { continue }
        let owner = self[need.limit].lines[index].owner
        if owner == demand.owner {
          if first.demand != id { return false }
        } else if first.rank < demand.rank, owners[owner]?.opening.includes(first.rank) == true {
          return false
        }
      }
    }
    return true
  }

  /// The first demand of one owner in the line of a limit.
  private mutating func first(in limit: LimitID, at index: Int) -> Item? {
    while let item = self[limit].lines[index].first {
      if demands[item.demand]?.phase == .standing { return item }
      self[limit].lines[index].popStale()
    }
    return nil
  }

  /// Something has changed for those in line for a limit.
  private mutating func consider(_ limit: LimitID) {
    for index in self[limit].lines.indices {
      if let first = first(in: limit, at: index), let demand = demands[first.demand] { consider(first.demand, demand) }
    }
  }

  private mutating func consider(_ id: DemandID, _ demand: Demand) {
    guard isFirst(id, demand), var owner = owners[demand.owner] else { return }
    owners[demand.owner] = nil
    if !demand.isCandidate {
      demands[id]?.isCandidate = true
      owner.candidates.insert(Item(rank: demand.rank, demand: id))
    }
    if owner.opening.includes(demand.rank), !owner.isNoticed {
      owner.isNoticed = true
      notices.append(demand.owner)
    }
    owners[demand.owner] = owner
  }

  private mutating func enterLines(_ id: DemandID, _ demand: Demand) {
    for need in demand.needs {
      let index = self[need.limit].index(of: demand.owner) ?? self[need.limit].lines.endIndex
      let isNew = index == self[need.limit].lines.endIndex
      if isNew { self[need.limit].lines.append(Line(owner: demand.owner)) }
      self[need.limit].lines[index].insert(Item(rank: demand.rank, demand: id))
      if isNew { contentionChanged(for: need.limit) }
    }
  }

  /// A demand does not stand any more, which ``demands`` says already.
  private mutating func leaveLines(_ demand: Demand) {
    let demands = demands
    for need in demand.needs {
      guard let index = self[need.limit].index(of: demand.owner) else {
        preconditionFailure("a demand left a line in which it did not stand")
      }
      self[need.limit].lines[index].itemBecameStale { demands[$0.demand]?.phase != .standing }
      guard self[need.limit].lines[index].isEmpty else { continue }
      self[need.limit].lines.remove(at: index)
      owners[demand.owner]?.contested.remove(need.limit)
      contentionChanged(for: need.limit)
    }
  }

  /// The owners in the line of a limit are others than before.
  private mutating func contentionChanged(for limit: LimitID) {
    let lines = self[limit].lines
    for line in lines {
      if lines.count > 1 {
        owners[line.owner]?.contested.insert(limit)
      } else {
        owners[line.owner]?.contested.remove(limit)
      }
    }
  }

  private mutating func endWaiting(_ owner: Owner) {
    guard let count = owners[owner]?.waitingCount else { preconditionFailure("an owner is gone before its demands") }
    if count > 1 {
      owners[owner]?.waitingCount = count - 1
    } else {
      owners[owner] = nil
      notices.removeAll { $0 == owner }
    }
  }
}
