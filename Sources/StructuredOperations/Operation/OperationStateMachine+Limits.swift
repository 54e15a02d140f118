// The concurrency limits that the operation needs.
extension OperationStateMachine {
  /// The limits of an operation that has some.
  struct Limits: Sendable {
    /// Each limit once.
    fileprivate(set) var needs: [LimitNeed]
    /// The place in the order of addition, over all queues.
    fileprivate(set) var order: Int
    /// What stands in line and its queue does not know yet: from the adding until the queue admits the operation, and from
    /// a begin that lacked a limit until the queue hears of it.
    fileprivate var inLine: InLine?
    /// What takes the limits for a start by hand.
    var start: LimitedStart?

    /// Each limit is there once, with the highest of its costs.
    fileprivate mutating func add(_ need: LimitNeed) {
      if let index = needs.firstIndex(where: { $0.limit === need.limit }) {
        needs[index].cost = max(needs[index].cost, need.cost)
      } else {
        needs.append(need)
      }
    }
  }

  /// What an operation has to do with concurrency limits.
  struct LimitState: InitializableEmpty, Sendable {
    /// Nil where the operation needs none, and once it has finished.
    var needed: Limits?
    /// What a queue has taken of them, from the claim until it lets the operation go; nil while it is lent.
    var held: HeldLimits?
  }

  /// What an operation of a queue has of its limits.
  struct HeldLimits: Equatable, Sendable {
    /// Held, so that the limits live as long as something of them is in use.
    let needs: [LimitNeed]
    let demand: LimitTable.DemandID
  }

  /// What stands in line for an operation, with what it stands for.
  struct InLine: Sendable {
    let demand: LimitTable.DemandID
    let needs: [LimitNeed]
    let rank: LimitTable.Rank
  }

  /// Whether the operation would stand in line as before.
  func stands(for needs: [LimitNeed], as rank: LimitTable.Rank) -> Bool {
    placeInLines.map { $0.needs == needs && $0.rank == rank } ?? false
  }

  /// Nil where the operation needs none, and once it has finished.
  var limits: Limits? { connections.read { $0.limitState.read(\.needed) ?? nil } ?? nil }

  var hasLimits: Bool { connections.read { $0.limitState.read { $0.needed != nil } ?? false } ?? false }

  var heldLimits: HeldLimits? { connections.read { $0.limitState.read(\.held) ?? nil } ?? nil }

  /// What has the operation's limits, or stands in line and its queue does not know it; nil where nothing does.
  var limitDemand: LimitTable.DemandID? { heldLimits?.demand ?? limits?.inLine?.demand }

  /// What the operation needs, and where it stands in the lines for it; nil where it needs nothing.
  private var placeInLines: (needs: [LimitNeed], rank: LimitTable.Rank)? {
    let priority = rankedPriority.rawValue
    return connections.read { connections in
      connections.limitState.read { limits in
        guard let needs = limits.needed?.needs, let order = limits.needed?.order else { return nil }
        return (needs, LimitTable.Rank(priority: priority, order: order))
      } ?? nil
    } ?? nil
  }

  @inline(__always)
  private mutating func changeLimits<Result>(_ change: (inout LimitState) -> Result) -> Result {
    connections.change { $0.limitState.change(change) }
  }

  /// What came of adding a limit.
  enum AddLimitAction: Sendable {
    /// The operation has been chosen to run, or has finished.
    case tooLate
    /// - notify: The queue that the operation is in.
    case added(notify: (any OwningQueue)?)
  }

  /// - Parameter order: Gives the next place in the order of addition.
  mutating func addLimit(_ need: LimitNeed, order: () -> Int) -> AddLimitAction {
    guard isUnclaimed else { return .tooLate }
    var limits = limits ?? Limits(needs: [], order: order())
    limits.add(need)
    changeLimits { $0.needed = limits }
    return .added(notify: assignment?.queue)
  }

  /// Gives a new operation limits, of cost 1; its place in their lines comes with its adding or its start.
  mutating func setLimits(_ limits: [ConcurrencyLimit]) {
    guard case .idle = state, !hasLimits else { preconditionFailure("limits were set of an operation that is not new") }
    changeLimits { limitState in
      var own = Limits(needs: [], order: 0)
      own.needs.reserveCapacity(limits.count)
      for limit in limits { own.add(LimitNeed(limit: limit, cost: 1)) }
      limitState.needed = own
    }
  }

  /// The operation is the last one of its level from now on.
  mutating func moveToEndOfLines(_ order: () -> Int) {
    changeLimits { $0.needed?.order = order() }
  }

  /// The operation stands in line from its adding on, and not from the turn that admits it: otherwise one that is added later
  /// to another queue could come first.
  ///
  /// - Returns: Whether it does.
  mutating func standInLine(_ stand: ([LimitNeed], LimitTable.Rank) -> LimitTable.DemandID?) -> Bool {
    guard let (needs, rank) = placeInLines, let demand = stand(needs, rank) else { return false }
    changeLimits { $0.needed?.inLine = InLine(demand: demand, needs: needs, rank: rank) }
    return true
  }

  /// A ready operation stands in line ahead of the time at which its queue has a slot for it.
  ///
  /// - Returns: What stands in line, of which the queue takes note; nil where nothing does, or where it is not ready any more.
  func standInLineAhead(_ stand: ([LimitNeed], LimitTable.Rank) -> LimitTable.DemandID?) -> InLine? {
    guard unclaimedReadiness == .ready, let (needs, rank) = placeInLines, let demand = stand(needs, rank) else {
      return nil
    }
    return InLine(demand: demand, needs: needs, rank: rank)
  }

  mutating func takeInLine() -> InLine? {
    guard hasLimits else { return nil }
    return changeLimits { $0.needed?.inLine.take() }
  }

  /// What came of choosing an operation.
  enum ClaimAction: Equatable, Sendable {
    /// It is claimed: it runs where it is ready, and finishes where it is skipped; nothing happens where it is blocked.
    case judged(OperationReadiness)
    /// It is ready, and lacks some of its limits.
    case limited
  }

  /// The queue chooses the operation: to run it where it is ready, to skip it where it is skipped.
  ///
  /// - Parameter take: Takes all limits of the operation, or none. So choosing and taking is one step.
  mutating func claim(takeLimits take: ([LimitNeed], LimitTable.Rank) -> LimitTable.DemandID?) -> ClaimAction {
    if readiness == .ready, hasLimits, !takeLimits(take) { return .limited }
    return .judged(claim { $0 != .blocked })
  }

  /// Takes the limits that the operation needs.
  ///
  /// - Returns: Whether it has them.
  private mutating func takeLimits(_ take: ([LimitNeed], LimitTable.Rank) -> LimitTable.DemandID?) -> Bool {
    guard let (needs, rank) = placeInLines, let demand = take(needs, rank) else { return false }
    changeLimits { $0.held = HeldLimits(needs: needs, demand: demand) }
    return true
  }

  /// Takes all limits of an operation for its queue, or stands in line for them.
  typealias TakeOrStand =
    ([LimitNeed], LimitTable.Rank, any OwningQueue) -> (demand: LimitTable.DemandID, isTaken: Bool)

  /// Takes the limits of an operation that was chosen ahead, and is not claimed yet.
  ///
  /// It stands in line from now on where it lacks one. Example: B and C were chosen ahead, and need a limit that X has. A
  /// worker begins with B and finds no room, X ends, and another one begins with C. C stands behind B, though no turn has
  /// heard of B yet. Not inlined, since few operations have limits.
  ///
  /// - Parameter taken: What its queue has taken for it.
  /// - Returns: Whether it has them; not where it needs other ones by now than were taken.
  @inline(never)
  mutating func takeLimitsAhead(_ taken: HeldLimits?, _ takeOrStand: TakeOrStand) -> Bool {
    if let taken {
      guard limits?.needs == taken.needs else { return false }
      changeLimits { $0.held = taken }
      return true
    }
    guard let (needs, rank) = placeInLines, let queue = state.queueIfEnqueued else {
      preconditionFailure("chosen ahead and not enqueued")
    }
    let (demand, isTaken) = takeOrStand(needs, rank, queue)
    changeLimits { limits in
      if isTaken {
        limits.held = HeldLimits(needs: needs, demand: demand)
      } else {
        limits.needed?.inLine = InLine(demand: demand, needs: needs, rank: rank)
      }
    }
    return isTaken
  }

  /// The limits are taken again, after they were lent.
  mutating func hold(_ demand: LimitTable.DemandID) {
    changeLimits { limits in
      guard let needs = limits.needed?.needs else { preconditionFailure("limits were taken that nobody needs") }
      limits.held = HeldLimits(needs: needs, demand: demand)
    }
  }

  /// The body lends its limits while it waits, or they go back at the end.
  ///
  /// - Returns: Them; nil where it has none.
  mutating func takeHeldLimits() -> HeldLimits? {
    connections.changeIfPresent { $0.limitState.changeIfPresent { $0.held.take() } ?? nil } ?? nil
  }

  /// The operation finishes at once, and needs its limits no more.
  ///
  /// - Returns: What is to be given back; nil where it has none.
  mutating func endLimits() -> HeldLimits? {
    connections.changeIfPresent { connections in
      connections.limitState.changeIfPresent { limits in
        limits.needed = nil
        return limits.held.take()
      } ?? nil
    } ?? nil
  }

  /// The operation is started by hand, and takes its limits before its body begins.
  ///
  /// - Returns: What takes them; nil where there are none.
  mutating func startTakingLimits(
    for operation: any OperationProtocol,
    order: () -> Int
  ) -> (LimitedStart, LimitTable.Rank)? {
    guard hasLimits, case .claimed = state else { return nil }
    moveToEndOfLines(order)
    guard let (needs, rank) = placeInLines else { return nil }
    let start = LimitedStart(of: operation, needs)
    changeLimits { $0.needed?.start = start }
    return (start, rank)
  }
}
