import Synchronization

/// The concurrency limits of the program behind one lock, so that all limits of an operation are taken in one step.
///
/// Its lock may be taken under an operation's, and takes no other. ``LimitScheduler`` decides. What a change makes possible
/// is returned as the owners to be told, which the caller does once it holds no lock.
enum LimitTable {
  typealias Scheduler = LimitScheduler<LimitOwnerReference>
  typealias LimitID = Scheduler.LimitID
  typealias DemandID = Scheduler.DemandID
  typealias Rank = Scheduler.Rank
  typealias Opening = Scheduler.Opening

  private static let scheduler = Guarded(Scheduler())
  private static let order = Atomic(0)

  /// The next place in the order of addition.
  static func nextOrder() -> Int { order.add(1, ordering: .relaxed).newValue }

  // MARK: Limits

  static func addLimit(count: Int) -> LimitID { scheduler.withLock { $0.addLimit(count: count) } }

  static func removeLimit(_ id: LimitID) { scheduler.withLock { $0.removeLimit(id) } }

  static func count(of id: LimitID) -> Int { scheduler.withLock { $0.count(of: id) } }

  static func available(of id: LimitID) -> Int { scheduler.withLock { $0.available(of: id) } }

  static func usage(of id: LimitID) -> (count: Int, used: Int) { scheduler.withLock { $0.usage(of: id) } }

  static func setCount(_ count: Int, of id: LimitID) { change { $0.setCount(count, of: id) }.notices.tell() }

  // MARK: Demands

  /// An operation waits for nothing but its limits: takes them, or stands in line.
  ///
  /// - Parameter isTold: Whether the owner is to be told, too, where others of its demands may take their limits then.
  static func takeOrStand(
    _ needs: [LimitNeed],
    as rank: Rank,
    of owner: any LimitOwner,
    opening: Opening,
    isTold: Bool = false
  ) -> (demand: DemandID, isTaken: Bool, notices: Notices) {
    let owner = LimitOwnerReference(owner)
    let needs = needs.map { Scheduler.Need(limit: $0.limit.id, cost: $0.cost) }
    let (result, notices) = change(by: isTold ? nil : owner) { scheduler in
      let demand = scheduler.stand(needs, as: rank, of: owner, opening: opening)
      return (demand, scheduler.take(demand))
    }
    return (result.0, result.1, notices)
  }

  /// - Returns: Whether the demand has its limits now.
  static func take(_ demand: DemandID, of owner: any LimitOwner) -> (isTaken: Bool, notices: Notices) {
    let (isTaken, notices) = change(by: LimitOwnerReference(owner)) { $0.take(demand) }
    return (isTaken, notices)
  }

  /// An operation comes to wait for its limits alone, in an owner that will ask for them.
  static func stand(_ needs: [LimitNeed], as rank: Rank, of owner: any LimitOwner) -> DemandID {
    let owner = LimitOwnerReference(owner)
    let needs = needs.map { Scheduler.Need(limit: $0.limit.id, cost: $0.cost) }
    return change(by: owner) { $0.stand(needs, as: rank, of: owner, opening: .all) }.result
  }

  /// Takes the limits of the first demand of an owner that can take them now.
  ///
  /// - Returns: That one; nil if there is none.
  static func takeNext(of owner: any LimitOwner) -> (demand: DemandID, notices: Notices)? {
    let owner = LimitOwnerReference(owner)
    let (demand, notices) = change(by: owner) { scheduler in
      scheduler.nextDemand(of: owner).flatMap { scheduler.take($0) ? $0 : nil }
    }
    return demand.map { ($0, notices) }
  }

  /// A demand gives back what it has taken, or leaves the lines.
  ///
  /// - Parameter owner: Who does it, and need not be told of what follows.
  static func remove(_ demand: DemandID, by owner: (any LimitOwner)?) -> Notices {
    change(by: owner.map(LimitOwnerReference.init)) { $0.remove(demand) }.notices
  }

  /// A demand leaves the lines, unless it has taken its limits.
  ///
  /// - Returns: Whether it has left.
  static func leave(_ demand: DemandID) -> (hasLeft: Bool, notices: Notices) {
    let (hasLeft, notices) = change { $0.leave(demand) }
    return (hasLeft, notices)
  }

  // MARK: Owners

  static func setOpening(_ opening: Opening, of owner: any LimitOwner) -> Notices {
    let owner = LimitOwnerReference(owner)
    return change(by: owner) { $0.setOpening(opening, of: owner) }.notices
  }

  /// The first demand of an owner that can take its limits now.
  ///
  /// - Parameter opening: What the owner can begin now.
  static func nextDemand(of owner: any LimitOwner, opening: Opening) -> DemandID? {
    let owner = LimitOwnerReference(owner)
    return scheduler.withLock { scheduler in
      scheduler.open(owner, to: opening)
      return scheduler.nextDemand(of: owner)
    }
  }

  // MARK: Telling

  /// Owners that may have a demand now that can take its limits.
  struct Notices: Sendable {
    private var owners: [LimitOwnerReference] = []

    fileprivate init(_ owners: [LimitOwnerReference]) { self.owners = owners }

    init() {}

    mutating func append(_ others: Notices) { owners.append(contentsOf: others.owners) }

    /// Tells them; not under a lock.
    func tell() { for owner in owners { owner.object.limitsChanged() } }
  }

  private static func change<Result: Sendable>(
    by owner: LimitOwnerReference? = nil,
    _ body: (inout Scheduler) -> Result
  ) -> (result: Result, notices: Notices) {
    scheduler.withLock { scheduler in
      let result = body(&scheduler)
      return (result, Notices(scheduler.takeNotices().filter { $0 != owner }))
    }
  }
}

/// Who gives operations what they need besides their limits: a queue gives slots.
protocol LimitOwner: AnyObject, Sendable {
  /// An operation of the owner's may have all of its limits now; called from any thread, outside of locks.
  nonisolated func limitsChanged()
}

/// An owner as a key.
struct LimitOwnerReference: Hashable, Sendable {
  let object: any LimitOwner

  init(_ object: any LimitOwner) { self.object = object }

  static func == (one: Self, other: Self) -> Bool { one.object === other.object }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(object)) }
}
