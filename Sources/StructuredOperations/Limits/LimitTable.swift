import Synchronization

/// The concurrency limits of the program behind one lock, so that all limits of an operation are taken in one step.
///
/// Its lock may be taken under an operation's, a queue's or a ``LimitedStart``'s, and takes no other. ``LimitScheduler`` decides. What a
/// change makes possible is returned as those to be told, which the caller does once it holds no lock.
enum LimitTable {
  typealias Scheduler = LimitScheduler<LimitOwnerKey>
  typealias LimitID = Scheduler.LimitID
  typealias DemandID = Scheduler.DemandID
  typealias Rank = Scheduler.Rank
  typealias Opening = Scheduler.Opening

  private struct State: Sendable {
    var scheduler = Scheduler()
    /// Those that belong to no queue, in line or with their limits.
    var takers: [DemandID: any LimitTaker] = [:]
  }

  private static let state = Guarded(State())
  private static let order = Atomic(0)

  /// The next place in the order of addition.
  static func nextOrder() -> Int { order.add(1, ordering: .relaxed).newValue }

  // MARK: Limits

  static func addLimit(count: Int) -> LimitID { state.withLock { $0.scheduler.addLimit(count: count) } }

  static func removeLimit(_ id: LimitID) { state.withLock { $0.scheduler.removeLimit(id) } }

  static func count(of id: LimitID) -> Int { state.withLock { $0.scheduler.count(of: id) } }

  static func available(of id: LimitID) -> Int { state.withLock { $0.scheduler.available(of: id) } }

  static func usage(of id: LimitID) -> (count: Int, used: Int) { state.withLock { $0.scheduler.usage(of: id) } }

  static func setCount(_ count: Int, of id: LimitID) { change { $0.scheduler.setCount(count, of: id) }.notices.tell() }

  // MARK: Demands

  /// An operation waits for nothing but its limits: takes them, or stands in line.
  static func takeOrStand(
    _ needs: LimitNeeds,
    as rank: Rank,
    of owner: any LimitOwner,
    opening: Opening
  ) -> (demand: DemandID, isTaken: Bool, notices: Notices) {
    let owner = LimitOwnerKey(owner)
    let needs = needs.inScheduler
    let (result, notices) = change(by: owner) { state in
      state.scheduler.takeOrStand(needs, as: rank, of: owner, opening: opening)
    }
    return (result.demand, result.isTaken, notices)
  }

  /// An operation that belongs to no queue takes its limits, or stands in line until it is told that it has them.
  static func takeOrStand(
    _ needs: LimitNeeds,
    as rank: Rank,
    for taker: any LimitTaker
  ) -> (demand: DemandID, isTaken: Bool, notices: Notices) {
    let needs = needs.inScheduler
    let (result, notices) = change { state in
      let result = state.scheduler.takeOrStand(needs, as: rank, of: .none, opening: .atOnce)
      state.takers[result.demand] = taker
      return result
    }
    return (result.demand, result.isTaken, notices)
  }

  /// - Returns: Whether the demand has its limits now.
  static func take(_ demand: DemandID, of owner: any LimitOwner) -> (isTaken: Bool, notices: Notices) {
    let (isTaken, notices) = change(by: LimitOwnerKey(owner)) { $0.scheduler.take(demand) }
    return (isTaken, notices)
  }

  /// An operation comes to wait for its limits alone, in an owner that will ask for them.
  ///
  /// Called under the operation's lock. Nobody is told, and nothing that a notice holds is freed here: a new demand makes
  /// something possible for its owner alone, which is left out, so the notices are empty.
  static func stand(_ needs: LimitNeeds, as rank: Rank, of owner: any LimitOwner) -> DemandID {
    let owner = LimitOwnerKey(owner)
    let needs = needs.inScheduler
    return change(by: owner) { $0.scheduler.stand(needs, as: rank, of: owner, opening: .all) }.result
  }

  /// An operation would be chosen ahead, and others of its owner's stand in line for all of its limits, so that it would find these lines
  /// when it begins: stands in line, too, though its owner can begin nothing now.
  ///
  /// Nothing changes for other owners, so that nobody is to be told: each of these lines is one already, with the same owner in it.
  /// Called under the operation's lock.
  ///
  /// - Returns: Nil where it does not stand in line.
  static func standBesideOwn(_ needs: LimitNeeds, as rank: Rank, of owner: any LimitOwner) -> DemandID? {
    let owner = LimitOwnerKey(owner)
    let needs = needs.inScheduler
    return state.withLock { state in
      guard state.scheduler.stands(owner, inLinesFor: needs) else { return nil }
      return state.scheduler.stand(needs, as: rank, of: owner, opening: .nothing)
    }
  }

  /// An operation is about to begin that was chosen ahead: takes its limits where they have room and no line, or stands in
  /// line.
  ///
  /// Called under the operation's lock, and nobody is told, as in ``stand(_:as:of:)``.
  static func takeAtOnceOrStand(
    _ needs: LimitNeeds,
    as rank: Rank,
    of owner: any LimitOwner
  ) -> (demand: DemandID, isTaken: Bool) {
    let owner = LimitOwnerKey(owner)
    let needs = needs.inScheduler
    return change(by: owner) { state in
      if let demand = state.scheduler.takeAtOnce(needs, as: rank, of: owner) { return (demand, true) }
      return (state.scheduler.stand(needs, as: rank, of: owner, opening: .all), false)
    }.result
  }

  /// A demand gives back what it has taken, or leaves the lines.
  ///
  /// - Parameter owner: Who does it, and need not be told of what follows.
  static func remove(_ demand: DemandID, by owner: (any LimitOwner)?) -> Notices {
    // The taker is freed outside of the lock.
    change(by: owner.map(LimitOwnerKey.init)) { state in
      state.scheduler.remove(demand)
      return state.takers.isEmpty ? nil : state.takers.removeValue(forKey: demand)
    }.notices
  }

  /// A demand that belongs to no queue takes another place in the lines, unless it has taken its limits.
  ///
  /// - Returns: What stands there now; nil if it has taken them.
  static func move(
    _ demand: DemandID,
    _ needs: LimitNeeds,
    to rank: Rank,
    for taker: any LimitTaker
  ) -> (moved: (demand: DemandID, isTaken: Bool)?, notices: Notices) {
    let needs = needs.inScheduler
    let (moved, notices) = change { state -> (demand: DemandID, isTaken: Bool)? in
      guard state.scheduler.leave(demand) else { return nil }
      // The caller holds the taker.
      state.takers[demand] = nil
      let result = state.scheduler.takeOrStand(needs, as: rank, of: .none, opening: .atOnce)
      state.takers[result.demand] = taker
      return result
    }
    return (moved, notices)
  }

  /// A demand that belongs to no queue leaves the lines, unless it has taken its limits.
  ///
  /// - Returns: Who has left; nil if it has taken them.
  static func leave(_ demand: DemandID) -> (taker: (any LimitTaker)?, notices: Notices) {
    let (taker, notices) = change { state -> (any LimitTaker)? in
      guard state.scheduler.leave(demand) else { return nil }
      return state.takers.removeValue(forKey: demand)
    }
    return (taker, notices)
  }

  /// An operation of an owner's ends, and its slot goes on to the next one.
  ///
  /// May be called under the operation's lock, and that of the owner's ``QueueSharedState``.
  ///
  /// - Parameters:
  ///   - held: What it has; nil where it needs no limits.
  ///   - choose: Chooses what is next; asked with the first of those in line that can have their limits then, if any, and whether
  ///     anybody stands in line for what is given back.
  /// - Returns: What was chosen. Where that is ``LimitScheduler/Successor/unknown`` nothing has changed; otherwise what was
  ///   held is given back.
  static func replace(
    _ held: DemandID?,
    of owner: any LimitOwner,
    choose: (DemandID?, _ isContested: Bool) -> Scheduler.Successor
  ) -> (successor: Scheduler.Successor, notices: Notices) {
    let owner = LimitOwnerKey(owner)
    let (successor, notices) = change { $0.scheduler.replace(held, of: owner, choose: choose) }
    return (successor, notices)
  }

  // MARK: Owners

  static func setOpening(_ opening: Opening, of owner: any LimitOwner) -> Notices {
    let owner = LimitOwnerKey(owner)
    return change(by: owner) { $0.scheduler.setOpening(opening, of: owner) }.notices
  }

  /// An owner says what it calls a demand of its own.
  static func setName(_ name: Int, of demand: DemandID) { state.withLock { $0.scheduler.setName(name, of: demand) } }

  /// The first demand of an owner that can take its limits now, with what the owner calls it.
  ///
  /// - Parameter opening: What the owner can begin now.
  static func nextDemand(of owner: any LimitOwner, opening: Opening) -> (demand: DemandID, name: Int?)? {
    let owner = LimitOwnerKey(owner)
    return state.withLock { state in
      state.scheduler.open(owner, to: opening)
      return state.scheduler.nextDemand(of: owner).map { ($0, state.scheduler.demands[existing: $0].name) }
    }
  }

  // MARK: Explaining

  /// How some limits stand, and those of their demands that belong to no queue.
  ///
  /// Others are not touched: who is explained must not keep what belongs to another program.
  static func lines(
    of limits: Set<LimitID>
  ) -> (lines: [LimitID: Scheduler.Lines], takers: [DemandID: any LimitTaker]) {
    state.withLock { state in
      let lines = state.scheduler.lines(of: limits)
      var takers: [DemandID: any LimitTaker] = [:]
      for demand in lines.values.flatMap(\.demands) { takers[demand] = state.takers[demand] }
      return (lines, takers)
    }
  }

  // MARK: Telling

  /// Who is to be told of what a change has made possible.
  struct Notices: Sendable {
    /// Those that may have a demand now that can take its limits.
    private var owners: [any LimitOwner] = []
    private var takers: [any LimitTaker] = []

    init() {}

    fileprivate init(owners: [any LimitOwner], takers: [any LimitTaker]) {
      self.owners = owners
      self.takers = takers
    }

    var isEmpty: Bool { owners.isEmpty && takers.isEmpty }

    mutating func append(_ others: Notices) {
      // Appending nothing is not free.
      if !others.owners.isEmpty { owners += others.owners }
      if !others.takers.isEmpty { takers += others.takers }
    }

    /// Tells them; not under a lock.
    func tell() {
      for owner in owners { owner.concurrencyLimitsChanged() }
      for taker in takers { taker.hasTaken() }
    }
  }

  private static func change<Result: Sendable>(
    by owner: LimitOwnerKey? = nil,
    _ body: (inout State) -> Result
  ) -> (result: Result, notices: Notices) {
    state.withLock { state in
      let result = body(&state)
      let takers = state.scheduler.settle().map { demand in
        guard let taker = state.takers[demand] else { preconditionFailure("a taker got lost") }
        return taker
      }
      let owners = state.scheduler.takeNotices().compactMap { $0 == owner ? nil : $0.object }
      return (result, Notices(owners: owners, takers: takers))
    }
  }
}

/// Who gives operations what they need besides their limits: a queue gives slots.
protocol LimitOwner: AnyObject, Sendable {
  /// An operation of the owner's may have all of its limits now; called from any thread, outside of locks.
  nonisolated func concurrencyLimitsChanged()
}

/// Who needs nothing besides limits.
protocol LimitTaker: AnyObject, Sendable {
  /// The limits are taken, after a wait in line; called from any thread, outside of locks.
  func hasTaken()
}

/// An owner as a key.
struct LimitOwnerKey: Hashable, Sendable {
  /// The owner of all demands that belong to no queue.
  static let none = Self()

  let object: (any LimitOwner)?

  init(_ object: any LimitOwner) { self.object = object }

  private init() { object = nil }

  static func == (one: Self, other: Self) -> Bool { one.object === other.object }

  func hash(into hasher: inout Hasher) { hasher.combine(object.map(ObjectIdentifier.init)) }
}
