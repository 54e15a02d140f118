// The concurrency limits that the operation needs.
extension OperationStateMachine {
  /// The limits of an operation that has some.
  struct Limits: Sendable {
    fileprivate(set) var needs: LimitNeeds
    /// The place in the order of addition, over all queues.
    fileprivate(set) var order: Int
    /// What stood in line last.
    fileprivate(set) var demand: LimitTable.DemandID?
    /// Whether the needs have changed since.
    fileprivate var isOutdated = false
    /// What stands in line and its queue does not know yet: from the adding until the queue admits the operation, and from
    /// a begin that lacked a limit until the queue hears of it.
    fileprivate var inLine: InLine?
    /// What takes the limits for a start by hand.
    var start: LimitedStart?

    /// What stood in line last, where that was for the needs as they are now.
    fileprivate(set) var current: LimitTable.DemandID? {
      get { isOutdated ? nil : demand }
      set { (demand, isOutdated) = (newValue, false) }
    }
  }

  /// What an operation has to do with concurrency limits.
  struct LimitState: InitializableEmpty, Sendable {
    /// Nil where the operation needs none, and once it has finished.
    var needed: Limits?
    /// What has them, from the claim until the queue lets the operation go; nil while they are lent.
    var held: LimitTable.DemandID?
  }

  /// What stands in line for an operation, and where.
  struct InLine: Equatable, Sendable {
    let demand: LimitTable.DemandID
    let rank: LimitTable.Rank
  }

  /// Whether the operation would stand in line as before.
  func stands(as inLine: InLine) -> Bool {
    let priority = rankedPriority.rawValue
    return connections.read { connections in
      connections.limitState.read { limits in
        guard let order = limits.needed?.order, limits.needed?.current == inLine.demand else { return false }
        return inLine.rank == LimitTable.Rank(priority: priority, order: order)
      } ?? false
    } ?? false
  }

  /// Nil where the operation needs none, and once it has finished.
  var limits: Limits? { connections.read { $0.limitState.read(\.needed) ?? nil } ?? nil }

  var hasLimits: Bool { connections.read { $0.limitState.read { $0.needed != nil } ?? false } ?? false }

  /// What has the operation's limits.
  var heldLimits: LimitTable.DemandID? { connections.read { $0.limitState.read(\.held) ?? nil } ?? nil }

  /// What has the operation's limits, or stands in line and its queue does not know it; nil where nothing does.
  var limitDemand: LimitTable.DemandID? { heldLimits ?? limits?.inLine?.demand }

  /// What the operation needs, and where it stands in the lines for it; nil where it needs nothing.
  private var placeInLines: (needs: LimitNeeds, rank: LimitTable.Rank)? {
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
    var limits = limits ?? Limits(needs: LimitNeeds(), order: order())
    let before = limits.needs
    limits.needs.add(need)
    if limits.needs != before { limits.isOutdated = true }
    changeLimits { $0.needed = limits }
    return .added(notify: assignment?.queue)
  }

  /// Gives a new operation limits, of cost 1; its place in their lines comes with its adding or its start.
  mutating func setLimits(_ limits: [ConcurrencyLimit]) {
    guard case .idle = state, !hasLimits else { preconditionFailure("limits were set of an operation that is not new") }
    changeLimits { $0.needed = Limits(needs: LimitNeeds(limits), order: 0) }
  }

  /// The operation is the last one of its level from now on.
  mutating func moveToEndOfLines(_ order: () -> Int) {
    changeLimits { $0.needed?.order = order() }
  }

  /// The operation stands in line from its adding on, and not from the turn that admits it: otherwise one that is added later
  /// to another queue could come first.
  ///
  /// - Returns: Whether it does.
  mutating func standInLine(_ stand: (LimitNeeds, LimitTable.Rank) -> LimitTable.DemandID?) -> Bool {
    guard let (needs, rank) = placeInLines, let demand = stand(needs, rank) else { return false }
    stands(InLine(demand: demand, rank: rank))
    return true
  }

  /// - Parameter isKnown: Whether its queue knows of it.
  private mutating func stands(_ inLine: InLine, isKnown: Bool = false) {
    changeLimits { limits in
      limits.needed?.current = inLine.demand
      if !isKnown { limits.needed?.inLine = inLine }
    }
  }

  /// A ready operation stands in line ahead of the time at which its queue has a slot for it.
  ///
  /// - Returns: What stands in line, of which the queue takes note; nil where nothing does, or where it is not ready any more.
  mutating func standInLineAhead(_ stand: (LimitNeeds, LimitTable.Rank) -> LimitTable.DemandID?) -> InLine? {
    guard unclaimedReadiness == .ready, let (needs, rank) = placeInLines, let demand = stand(needs, rank) else {
      return nil
    }
    let inLine = InLine(demand: demand, rank: rank)
    stands(inLine, isKnown: true)
    return inLine
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
    case lacksLimits
  }

  /// The queue chooses the operation: to run it where it is ready, to skip it where it is skipped.
  ///
  /// - Parameter take: Takes all limits of the operation, or none. So choosing and taking is one step.
  mutating func claim(takeLimits take: Take) -> ClaimAction {
    if readiness == .ready, hasLimits, !takeLimits(take) { return .lacksLimits }
    return .judged(claim { $0 != .blocked })
  }

  /// Takes all limits of an operation for its queue, or stands in line for them; with what stands in line for these needs so far.
  typealias Take =
    (LimitNeeds, LimitTable.Rank, _ known: LimitTable.DemandID?) -> (demand: LimitTable.DemandID, isTaken: Bool)

  /// Takes the limits that the operation needs.
  ///
  /// - Returns: Whether it has them.
  private mutating func takeLimits(_ take: Take) -> Bool {
    guard let (needs, rank) = placeInLines else { return false }
    let (demand, isTaken) = take(needs, rank, limits?.current)
    if isTaken { hold(demand) } else { stands(InLine(demand: demand, rank: rank), isKnown: true) }
    return isTaken
  }

  /// Takes all limits of an operation for its queue, or stands in line for them.
  typealias TakeOrStand =
    (LimitNeeds, LimitTable.Rank, any OwningQueue) -> (demand: LimitTable.DemandID, isTaken: Bool)

  /// Takes the limits of an operation that was chosen ahead, and is not claimed yet.
  ///
  /// It stands in line from now on where it lacks one. Example: B and C were chosen ahead, and need a limit that X has. A
  /// worker begins with B and finds no room, X ends, and another one begins with C. C stands behind B, though no turn has
  /// heard of B yet. Not inlined, since few operations have limits.
  ///
  /// - Parameter hasTaken: Whether its queue has taken them for it.
  /// - Returns: Whether it has them; not where it needs other ones by now than were taken.
  @inline(never)
  mutating func takeLimitsAhead(_ hasTaken: Bool, _ takeOrStand: TakeOrStand) -> Bool {
    if hasTaken {
      return changeLimits { limits in
        limits.held = limits.needed?.current
        return limits.held != nil
      }
    }
    guard let (needs, rank) = placeInLines, let queue = state.queueIfEnqueued else {
      preconditionFailure("chosen ahead and not enqueued")
    }
    let (demand, isTaken) = takeOrStand(needs, rank, queue)
    if isTaken { hold(demand) } else { stands(InLine(demand: demand, rank: rank)) }
    return isTaken
  }

  /// The limits are taken, perhaps again after they were lent.
  mutating func hold(_ demand: LimitTable.DemandID) { changeLimits { $0.held = demand } }

  /// The body lends its limits while it waits, or they go back at the end.
  ///
  /// - Returns: Them; nil where it has none.
  mutating func takeHeldLimits() -> LimitTable.DemandID? {
    connections.changeIfPresent { $0.limitState.changeIfPresent { $0.held.take() } ?? nil } ?? nil
  }

  /// The operation finishes at once, and what it had has been given back.
  ///
  /// - Returns: What is to be freed outside of the lock.
  mutating func endLimits() -> LimitNeeds? {
    connections.changeIfPresent { connections in
      connections.limitState.changeIfPresent { limits in
        limits.held = nil
        return limits.needed.take()?.needs
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

  /// Whether the operation was started by hand, needs limits, and its body has not begun.
  var mayMoveAsStarted: Bool { if case .claimed(_, nil) = state { hasLimits } else { false } }

  /// What takes the limits for a start by hand, and where it stands in the lines; nil once the body runs, and where nothing does.
  var placeOfStart: (LimitedStart, LimitTable.Rank)? {
    guard case .claimed = state, let start = limits?.start, let (_, rank) = placeInLines else { return nil }
    return (start, rank)
  }
}
