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
/// The lines make progress. Of all demands in line, the first one by ``Rank`` is the first in each of its lines. What it
/// lacks is held by operations that run, and wait for no limit while they hold it. So it comes back when they end or wait,
/// and that demand takes it. Demands of higher priority that keep coming may hold one of a lower priority up for ever.
///
/// A line is a queue for each owner, since owners open and close with every operation: that costs nothing for limits that
/// no other owner needs. Where few owners stand in line a step looks at the first demand of each. Where they are many these
/// are in a heap; an owner that cannot begin its first one is *passed over*: it is taken out when it comes first, and put
/// back when it opens. So a step costs O(log n) for each limit concerned, on average over many; an owner that opens or closes,
/// O(m log n) in the number m of limits in whose lines it stands together with others.
struct LimitScheduler<Owner: Hashable & Sendable>: Sendable {
  typealias LimitID = SlotMap<Limit>.ID
  typealias DemandID = SlotMap<Demand>.ID
  typealias OwnerID = SlotMap<OwnerState>.ID

  var limits = SlotMap<Limit>()
  var demands = SlotMap<Demand>()
  /// Those who have a demand.
  var owners = SlotMap<OwnerState>()
  private var ownerIDs: [Owner: OwnerID] = [:]
  /// The owner that was looked up last, which mostly is the next one, too.
  private var lastOwner: OwnerID?
  /// Owners that may have a demand now that can take its limits, each once.
  var notices: [OwnerID] = []

  /// How many owners may stand in line before it is crowded.
  private let fewOwners: Int

  /// - Parameter fewOwners: With up to so many to look at each is as fast as a heap.
  init(fewOwners: Int = 64) { self.fewOwners = fewOwners }

  // MARK: Limits

  mutating func addLimit(count: Int) -> LimitID { limits.insert(Limit(count: count, fewOwners: fewOwners)) }

  /// Nobody names the limit any more; it goes away once no demand needs it.
  mutating func removeLimit(_ id: LimitID) {
    limits[existing: id].isAbandoned = true
    removeIfUnused(id)
  }

  private mutating func removeIfUnused(_ id: LimitID) {
    guard limits[existing: id].isAbandoned, limits[existing: id].demandCount == 0 else { return }
    _ = limits.removeValue(for: id)
  }

  func count(of id: LimitID) -> Int { limits[existing: id].count }

  /// What nobody has; 0 where the count was lowered below what is in use.
  func available(of id: LimitID) -> Int { max(0, limits[existing: id].room) }

  func usage(of id: LimitID) -> (count: Int, used: Int) { (limits[existing: id].count, limits[existing: id].used) }

  mutating func setCount(_ count: Int, of id: LimitID) {
    limits[existing: id].count = count
    var affected: Set<LimitID> = [id]
    let standing = limits[existing: id].standing.filter { Self.isStanding($0, among: demands) }
    let concerned = limits[existing: id].parked.union(standing)
    // In the order in which they came, so that programs under seeds repeat.
    for demandID in concerned.sorted() {
      let demand = demands[existing: demandID]
      switch demand.phase {
      case .standing:
        if isPossible(demand.needs) { continue }
        demands[existing: demandID].phase = .parked
        park(demandID, demand.needs)
        leaveLines(for: demand.needs, of: demand.owner)
      case .parked:
        guard isPossible(demand.needs) else { continue }
        demands[existing: demandID].phase = .standing
        unpark(demandID, demand.needs)
        enterLines(Item(rank: demand.rank, demand: demandID), for: demand.needs, of: demand.owner)
      case .holding: continue
      }
      affected.formUnion(demand.needs.map(\.limit))
    }
    for id in affected.sorted() { consider(id) }
  }

  /// How many items are kept for the line of a limit: see ``Limit/itemCount``.
  func itemCount(of id: LimitID) -> Int { limits[existing: id].itemCount }

  // MARK: Demands

  /// A demand comes to wait for its limits alone.
  ///
  /// - Parameter opening: What its owner can begin now.
  mutating func stand(_ needs: Needs, as rank: Rank, of owner: Owner, opening: Opening) -> DemandID {
    let isPossible = isPossible(needs)
    let (id, owner) = insert(needs, rank, isPossible ? .standing : .parked, of: owner)
    owners[existing: owner].waitingCount += 1
    open(owner, to: opening)
    if isPossible {
      let item = Item(rank: rank, demand: id)
      enterLines(item, for: needs, of: owner)
      if isFirst(item, for: needs, of: owner) { canTake(item, of: owner) }
    } else {
      park(id, needs)
    }
    return id
  }

  /// The same, and takes the limits where it can.
  mutating func takeOrStand(
    _ needs: Needs,
    as rank: Rank,
    of owner: Owner,
    opening: Opening
  ) -> (demand: DemandID, isTaken: Bool) {
    if let demand = takeAtOnce(needs, as: rank, of: owner) {
      open(demands[existing: demand].owner, to: opening)
      return (demand, true)
    }
    let demand = stand(needs, as: rank, of: owner, opening: opening)
    return (demand, take(demand))
  }

  /// Whether demands of an owner's stand in all of the lines that another one of its demands would stand in.
  func stands(_ owner: Owner, inLinesFor needs: Needs) -> Bool {
    guard let id = id(of: owner) else { return false }
    return needs.allSatisfy { limits[existing: $0.limit].first(of: id) != nil }
  }

  /// Takes limits that have room and no line, so that nobody has to be asked.
  ///
  /// - Returns: Nil where nothing has changed.
  mutating func takeAtOnce(_ needs: Needs, as rank: Rank, of owner: Owner) -> DemandID? {
    for need in needs where limits[existing: need.limit].room < need.cost || limits[existing: need.limit].hasLine {
      return nil
    }
    for need in needs { limits[existing: need.limit].used += need.cost }
    return insert(needs, rank, .holding, of: owner).id
  }

  /// Takes all limits of a demand; its owner has the rest.
  ///
  /// - Returns: Whether it has them; if not, it stands in line as before.
  mutating func take(_ id: DemandID) -> Bool {
    guard let demand = demands[id], demand.isStanding,
      isFirst(Item(rank: demand.rank, demand: id), for: demand.needs, of: demand.owner)
    else { return false }
    hold(id, demand.needs, of: demand.owner)
    return true
  }

  /// An operation ends, and its slot goes on to the next one of the same owner: a demand that takes its limits with it, or one
  /// that does not stand in line.
  ///
  /// One step: nobody takes in between what one demand gives back and another one takes.
  ///
  /// - Parameters:
  ///   - held: What the operation has; nil where it needs nothing.
  ///   - choose: Chooses what is next; asked once, with the first demand of the owner that can take its limits then, if any, and
  ///     whether anybody stands in line for what is given back.
  /// - Returns: What was chosen.
  mutating func replace(
    _ held: DemandID?,
    of owner: Owner,
    choose: (DemandID?, _ isContested: Bool) -> Successor
  ) -> Successor {
    let needs = held.map { demands[existing: $0].needs } ?? Needs()
    for need in needs { limits[existing: need.limit].used -= need.cost }
    let owner = held.map { demands[existing: $0].owner } ?? id(of: owner)
    let candidate = owner.flatMap { firstCandidate(of: $0, roomIn: needs) }
    let successor = choose(candidate?.demand, needs.contains { limits[existing: $0.limit].hasLine })
    if successor == .unknown {
      for need in needs { limits[existing: need.limit].used += need.cost }
      return successor
    }
    var considered = Needs()
    if case .demand(let next) = successor {
      guard let owner, next == candidate?.demand else { preconditionFailure("\(next) was chosen and cannot begin") }
      considered = demands[existing: next].needs
      hold(next, considered, of: owner)
    }
    for need in needs where !considered.contains(where: { $0.limit == need.limit }) { consider(need.limit) }
    if let held, let demand = demands.removeValue(for: held) { ended(demand) }
    return successor
  }

  /// An owner says what it calls a demand of its own.
  mutating func setName(_ name: Int, of id: DemandID) { demands[existing: id].name = name }

  /// A demand leaves the lines, unless it has taken its limits.
  ///
  /// - Returns: Whether it has left.
  mutating func leave(_ id: DemandID) -> Bool {
    guard let demand = demands[id], !demand.isHolding else { return false }
    remove(id)
    return true
  }

  /// A demand gives back what it has taken, or leaves the lines.
  mutating func remove(_ id: DemandID) {
    guard let demand = demands.removeValue(for: id) else { preconditionFailure("demand \(id) was removed twice") }
    switch demand.phase {
    case .standing:
      leaveLines(for: demand.needs, of: demand.owner)
      endWaiting(demand.owner)
    case .parked:
      unpark(id, demand.needs)
      endWaiting(demand.owner)
    case .holding: for need in demand.needs { limits[existing: need.limit].used -= need.cost }
    }
    for need in demand.needs { consider(need.limit) }
    ended(demand)
  }

  // MARK: Owners

  /// An owner can begin more than before, and asks for ``nextDemand(of:)``.
  mutating func open(_ owner: Owner, to opening: Opening) {
    if let id = id(of: owner) { open(id, to: opening) }
  }

  private mutating func open(_ id: OwnerID, to opening: Opening) {
    if owners[existing: id].waitingCount == 0 || owners[existing: id].opening >= opening { return }
    owners[existing: id].opening = opening
    putBackWherePassed(id)
  }

  /// What an owner can begin has changed; without effect where none of its demands waits.
  mutating func setOpening(_ opening: Opening, of owner: Owner) {
    guard let id = id(of: owner) else { return }
    if owners[existing: id].opening <= opening { return open(id, to: opening) }
    owners[existing: id].opening = opening
    for limit in owners[existing: id].contested.sorted() { consider(limit) }
  }

  /// The first demand of an owner that can take its limits now; nil if there is none.
  mutating func nextDemand(of owner: Owner) -> DemandID? { id(of: owner).flatMap { nextDemand(of: $0) } }

  private mutating func nextDemand(of owner: OwnerID) -> DemandID? {
    owners[existing: owner].isNoticed = false
    guard let first = firstCandidate(of: owner) else { return nil }
    return owners[existing: owner].opening.includes(first.rank) ? first.demand : nil
  }

  /// Has demands take their limits whose owners need nothing besides.
  ///
  /// To be called after each change, so that whoever makes it knows what it has made possible.
  mutating func settle() -> [DemandID] {
    var settled: [DemandID] = []
    var index = notices.startIndex
    while index < notices.endIndex {
      guard owners[existing: notices[index]].opening == .atOnce else {
        index += 1
        continue
      }
      let owner = notices.remove(at: index)
      while let demand = nextDemand(of: owner), take(demand) { settled.append(demand) }
    }
    return settled
  }

  /// The owners that have to ask for ``nextDemand(of:)``; none is told again before it has asked.
  mutating func takeNotices() -> [Owner] {
    if notices.isEmpty { return [] }
    return notices.removeEach().map { owners[existing: $0].owner }
  }

  // MARK: Queries

  /// Some demands, the first in line first.
  func demandsByRank(where isWanted: (Demand) -> Bool) -> [(id: DemandID, demand: Demand)] {
    demands.elements.filter { isWanted($0.value) }.sorted { ($0.value.rank, $0.id) < ($1.value.rank, $1.id) }
      .map { ($0.id, $0.value) }
  }

  /// Whether a demand is in line, and nothing but limits keeps it from beginning.
  func keepsRoom(_ demand: Demand) -> Bool {
    demand.isStanding && owners[existing: demand.owner].opening.includes(demand.rank)
  }

  // MARK: Helpers

  private func isPossible(_ needs: Needs) -> Bool {
    needs.allSatisfy { $0.cost <= limits[existing: $0.limit].count }
  }

  private mutating func park(_ id: DemandID, _ needs: Needs) {
    for need in needs { limits[existing: need.limit].parked.insert(id) }
  }

  private mutating func unpark(_ id: DemandID, _ needs: Needs) {
    for need in needs { limits[existing: need.limit].parked.remove(id) }
  }

  /// A demand that stands in line takes its limits.
  private mutating func hold(_ id: DemandID, _ needs: Needs, of owner: OwnerID) {
    for need in needs { limits[existing: need.limit].used += need.cost }
    demands[existing: id].phase = .holding
    leaveLines(for: needs, of: owner)
    endWaiting(owner)
    for need in needs { consider(need.limit) }
  }

  private mutating func enterLines(_ item: Item, for needs: Needs, of owner: OwnerID) {
    for need in needs {
      let count = limits[existing: need.limit].firsts.count
      limits[existing: need.limit].insert(item, of: owner)
      let firsts = limits[existing: need.limit].firsts
      if firsts.count == count { continue }
      if firsts.count == 2 { owners[existing: firsts[0].owner].contested.insert(need.limit) }
      if firsts.count > 1 { owners[existing: owner].contested.insert(need.limit) }
    }
  }

  /// A demand does not stand any more, which ``demands`` says already.
  private mutating func leaveLines(for needs: Needs, of owner: OwnerID) {
    for need in needs {
      let count = limits[existing: need.limit].firsts.count
      limits[existing: need.limit].demandLeft(of: owner, among: demands)
      let firsts = limits[existing: need.limit].firsts
      if firsts.count == count { continue }
      owners[existing: owner].forget(need.limit)
      if firsts.count == 1 { owners[existing: firsts[0].owner].contested.remove(need.limit) }
    }
  }

  private func id(of owner: Owner) -> OwnerID? {
    if let last = lastOwner, owners.contains(last), owners[existing: last].owner == owner { return last }
    return ownerIDs[owner]
  }

  /// An owner has one demand more.
  private mutating func insert(
    _ needs: Needs,
    _ rank: Rank,
    _ phase: Phase,
    of owner: Owner
  ) -> (id: DemandID, owner: OwnerID) {
    let ownerID: OwnerID
    if let known = id(of: owner) {
      ownerID = known
    } else {
      ownerID = owners.insert(OwnerState(owner: owner))
      ownerIDs[owner] = ownerID
    }
    lastOwner = ownerID
    owners[existing: ownerID].demandCount += 1
    for need in needs { limits[existing: need.limit].demandCount += 1 }
    return (demands.insert(Demand(owner: ownerID, needs: needs, rank: rank, phase: phase)), ownerID)
  }

  /// A demand is gone.
  private mutating func ended(_ demand: Demand) {
    for need in demand.needs {
      limits[existing: need.limit].demandCount -= 1
      removeIfUnused(need.limit)
    }
    owners[existing: demand.owner].demandCount -= 1
    guard owners[existing: demand.owner].demandCount == 0, let owner = owners.removeValue(for: demand.owner)?.owner
    else { return }
    ownerIDs[owner] = nil
  }

  /// A demand of an owner's waits no more.
  private mutating func endWaiting(_ id: OwnerID) {
    owners[existing: id].waitingCount -= 1
    guard owners[existing: id].waitingCount == 0 else { return }
    owners[existing: id].stoppedWaiting()
    notices.removeAll { $0 == id }
  }
}
