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
    limits.map { $0.needs == needs && lineRank($0) == rank } ?? false
  }

  /// Nil where the operation needs none, and once it has finished.
  var limits: Limits? { connections.read { $0.rare.read(\.limits) ?? nil } ?? nil }

  var hasLimits: Bool { connections.read { $0.rare.read { $0.limits != nil } ?? false } ?? false }

  var heldLimits: HeldLimits? { connections.read { $0.rare.read(\.heldLimits) ?? nil } ?? nil }

  /// What has the operation's limits, or stands in line and its queue does not know it; nil where nothing does.
  var limitDemand: LimitTable.DemandID? { heldLimits?.demand ?? limits?.inLine?.demand }

  /// Where the operation stands in the lines of its limits.
  private func lineRank(_ limits: Limits) -> LimitTable.Rank {
    LimitTable.Rank(priority: rankedPriority.rawValue, order: limits.order)
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
    if let index = limits.needs.firstIndex(where: { $0.limit === need.limit }) {
      limits.needs[index].cost = max(limits.needs[index].cost, need.cost)
    } else {
      limits.needs.append(need)
    }
    connections.value.rare.value.limits = limits
    return .added(notify: assignment?.queue)
  }

  /// The operation is the last one of its level from now on.
  mutating func moveToEndOfLines(_ order: () -> Int) {
    connections.value.rare.value.limits?.order = order()
  }

  /// The operation stands in line from its adding on, and not from the turn that admits it: otherwise one that is added later
  /// to another queue could come first.
  ///
  /// - Returns: Whether it does.
  mutating func standInLine(_ stand: ([LimitNeed], LimitTable.Rank) -> LimitTable.DemandID?) -> Bool {
    guard let limits else { return false }
    let rank = lineRank(limits)
    guard let demand = stand(limits.needs, rank) else { return false }
    connections.value.rare.value.limits?.inLine = InLine(demand: demand, needs: limits.needs, rank: rank)
    return true
  }

  mutating func takeInLine() -> InLine? {
    guard hasLimits else { return nil }
    return connections.value.rare.value.limits?.inLine.take()
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
    guard let limits, let demand = take(limits.needs, lineRank(limits)) else { return false }
    hold(demand)
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
  /// - Returns: Whether it has them.
  @inline(never)
  mutating func takeLimitsAhead(_ takeOrStand: TakeOrStand) -> Bool {
    guard let limits, let queue = queueIfEnqueued() else { preconditionFailure("chosen ahead and not enqueued") }
    let rank = lineRank(limits)
    let (demand, isTaken) = takeOrStand(limits.needs, rank, queue)
    if isTaken {
      hold(demand)
    } else {
      connections.value.rare.value.limits?.inLine = InLine(demand: demand, needs: limits.needs, rank: rank)
    }
    return isTaken
  }

  /// The limits are taken, again after they were lent.
  mutating func hold(_ demand: LimitTable.DemandID) {
    guard let needs = limits?.needs else { preconditionFailure("limits were taken that nobody needs") }
    connections.value.rare.value.heldLimits = HeldLimits(needs: needs, demand: demand)
  }

  /// The body waits, and lends its limits.
  ///
  /// - Returns: Them; nil where it has none.
  mutating func lendLimits() -> HeldLimits? {
    connections.changeIfPresent { $0.rare.changeIfPresent { $0.heldLimits.take() } ?? nil } ?? nil
  }

  /// The operation finishes at once, and needs its limits no more.
  ///
  /// - Returns: What is to be given back; nil where it has none.
  mutating func endLimits() -> HeldLimits? {
    guard hasLimits else { return nil }
    connections.value.rare.value.limits = nil
    return lendLimits()
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
    guard var limits else { return nil }
    let start = LimitedStart(of: operation, limits.needs)
    limits.start = start
    connections.value.rare.value.limits = limits
    return (start, lineRank(limits))
  }
}
