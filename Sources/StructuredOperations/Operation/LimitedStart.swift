/// The limits of an operation that was started by hand: what takes them, lends them while the body waits, and gives them
/// back.
///
/// Its lock is taken under no other. Under it those of ``LimitTable`` and ``BodyWait`` are taken.
final class LimitedStart: SlotOwner, LimitTaker {
  private struct State: Sendable {
    /// What stands in line or has the limits; nil before and after, and while they are lent.
    var demand: LimitTable.DemandID?
    var isCancelled = false
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

  /// The operation is cancelled: it waits for its limits no more.
  func cancel() {
    let demand = state.withLock { state in
      state.isCancelled = true
      // A body that returns goes on waiting.
      return state.wait == nil ? state.demand : nil
    }
    guard let demand else { return }
    let (taker, notices) = LimitTable.leave(demand)
    notices.tell()
    guard taker != nil else { return }
    state.withLock { $0.demand = nil }
    beginning.fulfil(with: ())
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
