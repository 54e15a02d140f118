extension LimitScheduler {
  /// How much of a limit an operation needs.
  struct Need: Equatable, Sendable {
    let limit: LimitID
    let cost: Int
  }

  /// Each limit once.
  typealias Needs = OneOrMany<Need>

  /// The place in a line: the smaller one comes first.
  struct Rank: Comparable, Sendable {
    /// Whether the body has begun, and returns from a wait.
    var isReturning = false
    let priority: Int
    /// The order of addition, over all owners.
    let order: Int

    static func < (one: Rank, other: Rank) -> Bool {
      if one.isReturning != other.isReturning { return one.isReturning }
      return one.priority == other.priority ? one.order < other.order : one.priority > other.priority
    }
  }

  /// What an owner can begin, as far as it is not for limits.
  enum Opening: Comparable, Sendable {
    case nothing
    /// Bodies that return from a wait.
    case returns
    case all
    /// All, and nothing but limits is lacking: the demands take them as soon as they can.
    case atOnce

    func includes(_ rank: Rank) -> Bool {
      switch self {
      case .nothing: false
      case .returns: rank.isReturning
      case .all, .atOnce: true
      }
    }
  }

  /// What is next once an operation has ended.
  enum Successor: Equatable, Sendable {
    /// What stands in line, and takes its limits.
    case demand(DemandID)
    /// Something that does not stand in line.
    case other
    /// Only the owner knows; nothing changes.
    case unknown
  }

  struct Demand: Sendable {
    let owner: OwnerID
    let needs: Needs
    let rank: Rank
    var phase: Phase
    /// What its owner calls it; nil until that is said.
    var name: Int?
    /// Whether it is in the owner's candidates.
    var isCandidate = false

    var isStanding: Bool { phase == .standing }

    var isHolding: Bool { phase == .holding }
  }

  enum Phase: Sendable {
    /// In the lines of its limits. Can transition to parked, holding.
    case standing
    /// A limit is lower than its cost. Can transition to standing.
    case parked
    /// Has its limits.
    case holding
  }

  struct OwnerState: Sendable {
    let owner: Owner
    /// What it can begin; nothing where none of its demands waits.
    var opening = Opening.nothing
    /// Its demands; above 0.
    var demandCount = 0
    /// Those of them that stand in line or are parked.
    var waitingCount = 0
    /// Demands that could take their limits when they were looked at last.
    var candidates = BinaryHeap<Item>()
    /// The limits that demands of others stand in line for, too.
    var contested: Set<LimitID> = []
    /// The limits with crowded lines from which its first demand was taken out, since it could not begin it.
    var passed: Set<LimitID> = []
    /// Those of them in which it has not looked since.
    var unseen: Set<LimitID> = []
    var isNoticed = false

    init(owner: Owner) { self.owner = owner }

    /// None of its demands waits any more.
    mutating func stoppedWaiting() {
      opening = .nothing
      isNoticed = false
      candidates.removeAll()
    }

    /// None of its demands stands in the line of the limit any more.
    mutating func forget(_ limit: LimitID) {
      // Most owners have none of these.
      if !contested.isEmpty { contested.remove(limit) }
      if !passed.isEmpty { passed.remove(limit) }
      if !unseen.isEmpty { unseen.remove(limit) }
    }
  }

  struct Item: Comparable, Sendable {
    let rank: Rank
    let demand: DemandID

    static func < (one: Item, other: Item) -> Bool { one.rank < other.rank }
  }
}
