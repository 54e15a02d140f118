// Who can take its limits.
extension LimitScheduler {
  /// Whether a demand is the first in all of its lines, and all of its limits have room.
  ///
  /// Whether its owner is open does not matter: that asks when it is. In crowded lines others may be passed over on the way.
  ///
  /// - Parameter known: A limit in whose line it is the first.
  mutating func isFirst(_ item: Item, for needs: Needs, of owner: OwnerID, known: LimitID? = nil) -> Bool {
    for need in needs {
      if limits[existing: need.limit].room < need.cost { return false }
      if need.limit != known, !isFirst(item, inLineFor: need.limit, of: owner) { return false }
    }
    return true
  }

  private mutating func isFirst(_ item: Item, inLineFor limit: LimitID, of owner: OwnerID) -> Bool {
    if limits[existing: limit].isCrowded {
      if limits[existing: limit].first(of: owner)?.demand != item.demand { return false }
      return earliestInCrowd(of: limit).map { item.rank <= $0.item.rank } ?? true
    }
    for first in limits[existing: limit].firsts {
      if first.owner == owner {
        if first.item.demand != item.demand { return false }
      } else if first.item.rank < item.rank, isOpen(first) {
        return false
      }
    }
    return true
  }

  /// Whether the first demand of an owner in a line lacks nothing but limits.
  private func isOpen(_ first: Limit.First) -> Bool { owners[existing: first.owner].opening.includes(first.item.rank) }

  /// Something has changed for those in line for a limit.
  mutating func consider(_ limit: LimitID) {
    // Nobody needs less than 1.
    if limits[existing: limit].room < 1 { return }
    if limits[existing: limit].isCrowded {
      // Nobody after that one is the first. The owners of those ahead of it look for themselves, when they are asked or can begin
      // more: see ``lookWherePassed(_:)``.
      if let first = earliestInCrowd(of: limit) { consider(first, in: limit) }
      return
    }
    let firsts = limits[existing: limit].firsts
    var earliest: Item?
    for first in firsts where isOpen(first) { earliest = min(earliest ?? first.item, first.item) }
    for first in firsts where first.item <= earliest ?? first.item { consider(first, in: limit) }
  }

  /// - Parameter limit: One in whose line the demand is the first.
  private mutating func consider(_ first: Limit.First, in limit: LimitID) {
    let needs = demands[existing: first.item.demand].needs
    if isFirst(first.item, for: needs, of: first.owner, known: limit) { canTake(first.item, of: first.owner) }
  }

  /// A demand can take its limits as soon as its owner has the rest.
  mutating func canTake(_ item: Item, of owner: OwnerID) {
    addCandidate(item, of: owner)
    if owners[existing: owner].opening.includes(item.rank), !owners[existing: owner].isNoticed {
      owners[existing: owner].isNoticed = true
      notices.append(owner)
    }
  }

  private mutating func addCandidate(_ item: Item, of owner: OwnerID) {
    if demands[existing: item.demand].isCandidate { return }
    demands[existing: item.demand].isCandidate = true
    owners[existing: owner].candidates.insert(item)
  }

  /// The first demand of an owner that could take its limits now, whatever the owner can begin.
  mutating func firstCandidate(of owner: OwnerID) -> Item? {
    lookWherePassed(owner)
    while let first = owners[existing: owner].candidates.first {
      let id = first.demand
      if demands.contains(id) {
        if demands[existing: id].isStanding {
          let needs = demands[existing: id].needs
          if isFirst(first, for: needs, of: owner) { return first }
          for need in needs { putBack(owner, in: need.limit) }
        }
        demands[existing: id].isCandidate = false
      }
      _ = owners[existing: owner].candidates.popFirst()
    }
    return nil
  }

  /// The first demand of an owner that can take its limits, where there is room in some that had none.
  mutating func firstCandidate(of owner: OwnerID, roomIn needs: Needs) -> Item? {
    var candidate = firstCandidate(of: owner)
    for need in needs {
      guard let first = limits[existing: need.limit].first(of: owner), candidate.map({ first < $0 }) ?? true,
        isFirst(first, for: demands[existing: first.demand].needs, of: owner)
      else { continue }
      candidate = first
    }
    return candidate
  }

  // MARK: Crowded lines

  /// The first demand in a crowded line that lacks nothing but limits; nil if there is none.
  ///
  /// Owners that cannot begin theirs are passed over on the way: they are taken out, so that nobody looks at them again until
  /// they open.
  private mutating func earliestInCrowd(of limit: LimitID) -> Limit.First? {
    while let first = limits[existing: limit].earliestInCrowd() {
      if isOpen(first) { return first }
      limits[existing: limit].takeEarliestOut()
      owners[existing: first.owner].passed.insert(limit)
      owners[existing: first.owner].unseen.insert(limit)
    }
    return nil
  }

  /// Looks for what an owner could take in lines in which it was passed over since it looked last.
  ///
  /// What it can take becomes a candidate. Elsewhere it is put back: it may be able to once something has changed.
  private mutating func lookWherePassed(_ owner: OwnerID) {
    let unseen = owners[existing: owner].unseen
    if unseen.isEmpty { return }
    owners[existing: owner].unseen = []
    for limit in unseen {
      guard let first = limits[existing: limit].first(of: owner) else { continue }
      if isFirst(first, for: demands[existing: first.demand].needs, of: owner) {
        addCandidate(first, of: owner)
      } else {
        putBack(owner, in: limit)
      }
    }
  }

  private mutating func putBack(_ owner: OwnerID, in limit: LimitID) {
    if owners[existing: owner].passed.remove(limit) == nil { return }
    limits[existing: limit].putBack(owner)
  }

  /// An owner can begin more than before: it counts again where it was passed over.
  mutating func putBackWherePassed(_ owner: OwnerID) {
    if owners[existing: owner].passed.isEmpty { return }
    lookWherePassed(owner)
    let passed = owners[existing: owner].passed
    owners[existing: owner].passed = []
    for limit in passed { limits[existing: limit].putBack(owner) }
  }
}
