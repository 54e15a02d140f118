/// The limits of an operation that was started by hand: what takes them, lends them while the body waits, and gives them
/// back.
///
/// Its lock is taken under no other. Under it those of ``LimitTable`` and ``BodyWait`` are taken.
final class LimitedStart: SlotOwner, LimitTaker {
  private struct State: Sendable {
    /// What stands in line or has the limits; nil before and after, and while they are lent.
    var demand: LimitTable.DemandID?
    var isCancelled = false
    /// The latest place in the lines, also of a move that came before the operation stands in them.
    var rank: LimitTable.Rank?
    /// The wait that the limits are lent for.
    var wait: BodyWait?
  }

  /// Held until it has finished; no longer, since it lets go of this then.
  let operation: any OperationProtocol
  private let needs: LimitNeeds
  private let state = Guarded(State())
  /// Fulfilled when the limits are there, or the operation is cancelled.
  private let beginning = OneShot<Void>()

  init(of operation: any OperationProtocol, _ needs: LimitNeeds) {
    self.operation = operation
    self.needs = needs
  }

  /// What stands in line or has the limits.
  var demand: LimitTable.DemandID? { state.withLock { $0.demand } }

  /// Takes the limits, and suspends until they are there or the operation is cancelled.
  func take(as rank: LimitTable.Rank) async {
    if stand(as: rank) { return }
    if state.withLock({ $0.isCancelled }) { cancel() }
    await beginning.value
  }

  /// The operation is the last one of its level, perhaps of another one, unless a later move has come first.
  func move(to rank: LimitTable.Rank) {
    let (isTaken, notices) = state.withLock { state -> (Bool, LimitTable.Notices) in
      let unmoved = (false, LimitTable.Notices())
      if let latest = state.rank, latest.order >= rank.order { return unmoved }
      state.rank = rank
      // One that is cancelled stands nowhere, and a body that returns keeps its place.
      guard !state.isCancelled, state.wait == nil, let demand = state.demand else { return unmoved }
      let (moved, notices) = LimitTable.move(demand, needs, to: rank, for: self)
      if let moved { state.demand = moved.demand }
      return (moved?.isTaken == true, notices)
    }
    notices.tell()
    if isTaken { hasTaken() }
  }

  /// The operation is cancelled: it waits for its limits no more.
  func cancel() {
    let (hasLeft, notices) = state.withLock { state -> (Bool, LimitTable.Notices) in
      state.isCancelled = true
      // A body that returns goes on waiting.
      guard state.wait == nil, let demand = state.demand else { return (false, LimitTable.Notices()) }
      let (taker, notices) = LimitTable.leave(demand)
      if taker != nil { state.demand = nil }
      return (taker != nil, notices)
    }
    notices.tell()
    if hasLeft { beginning.fulfil(with: ()) }
  }

  /// The operation has finished: gives back what it has.
  func end() {
    if let demand = state.withLock({ $0.demand.take() }) { LimitTable.remove(demand, by: nil).tell() }
  }

  func hasTaken() {
    if let wait = state.withLock({ $0.wait.take() }) { wait.resume() } else { beginning.fulfil(with: ()) }
  }

  /// - Returns: Whether the limits are there; otherwise ``hasTaken()`` is called when they are.
  private func stand(as rank: LimitTable.Rank) -> Bool {
    // Under the lock: whoever takes the limits for this demand finds it here.
    let (isTaken, notices) = state.withLock { state in
      let rank = if let latest = state.rank, latest.order > rank.order { latest } else { rank }
      state.rank = rank
      let (demand, isTaken, notices) = LimitTable.takeOrStand(needs, as: rank, for: self)
      state.demand = demand
      return (isTaken, notices)
    }
    notices.tell()
    return isTaken
  }

  // MARK: Lending

  func releaseSlot(for wait: BodyWait) async {
    let notices: LimitTable.Notices? = state.withLock { state in
      // A wait that is over asks for nothing any more: see reacquireSlot(for:).
      guard !wait.isOver, let demand = state.demand.take() else { return nil }
      state.wait = wait
      return LimitTable.remove(demand, by: nil)
    }
    if let notices { notices.tell() } else { wait.resume() }
  }

  func reacquireSlot(for wait: BodyWait) {
    // Example: body A begins to wait for B, and B finishes before A has lent its limits. This comes first and does
    // nothing; then A finds that its wait is over, and keeps its limits.
    guard state.withLock({ $0.wait === wait }) else { return }
    let rank = LimitTable.Rank(isReturning: true, priority: 0, order: LimitTable.nextOrder())
    if stand(as: rank) { hasTaken() }
  }
}
