import StructuredOperations

/// What the reference model knows about one queue.
struct QueueModel {
  struct Barrier {
    let id: Int
    let kind: Event.BarrierKind
    var limits: [Int] = []
    var added: OperationModel.Span
    var began: Int?
    var ended: Int?
    /// Whether the queue may have cancelled the barrier.
    var mayBeCancelled = false
    /// Whether a call that cancels everything is under way, and found it there.
    var isBeingCancelled = false
    /// Whether the barrier was certainly cancelled before it began.
    var isCancelled = false
    var isThrowing = false
    /// When the wait for it, or the call that made it, had returned.
    var settled: Int?
  }

  private var limit: Int
  /// The highest limit that the queue has had.
  private var greatestLimit: Int
  /// The highest limit since everything was idle: a body that goes on was given its slot since then.
  private var limitSinceRest: Int
  private var isHeld: Bool
  /// Whether the scope has ended or was cancelled: the queue then ignores suspension and has at least one slot.
  private(set) var isFreed = false
  /// Whether something may have failed that cancels the scope.
  private(set) var mayHaveFailed = false
  /// The call of `close()`.
  private(set) var closing: OperationModel.Span?
  var haveStatesEnded = false
  /// A change whose call has not returned.
  private var changing: Event.Setting?
  /// When a change was called or returned last.
  private(set) var lastSetting = -1
  /// When the queue resumes by itself, on the clock.
  private var resumption: Duration?

  /// The number of bodies that run and do not wait, including those of barriers and of calls of `run`.
  private(set) var running = 0
  /// The most bodies that can have been chosen, including those of ``running``.
  ///
  /// It may be above the limit: what was chosen before the limit was lowered still begins.
  private(set) var bound: Int
  /// The last time at which everything that can have been chosen was running.
  var lastFull = -1
  var barriers: [Barrier] = []
  var cancelAllCount = 0
  /// Whether all operations are cancelled, including those added later.
  var isCancelled = false
  /// The number of calls of `run`, which the queue counts as operations.
  var callCount = 0

  init(_ plan: Program.QueuePlan) {
    limit = plan.limit
    greatestLimit = 0
    limitSinceRest = 0
    isHeld = plan.isSuspended
    bound = 0
    bound = effective(plan.limit, plan.isSuspended)
    greatestLimit = effective(plan.limit, false)
    limitSinceRest = greatestLimit
  }

  var isSuspended: Bool { isHeld && !isFreed }

  private func effective(_ limit: Int, _ isSuspended: Bool) -> Int {
    // -1 is the default limit. Programs have fewer operations than this, so the number of cores does not matter.
    let limit = limit == -1 ? 64 : limit
    return isFreed ? max(1, limit) : isSuspended ? 0 : limit
  }

  mutating func closeCalled(at moment: Int) { closing = closing ?? .init(called: moment, returned: nil) }

  mutating func closeReturned(at moment: Int) {
    if closing?.returned == nil { closing?.returned = moment }
  }

  /// Something may have failed, and freed the queue.
  mutating func mayFail() {
    mayHaveFailed = true
    bound = max(bound, effectiveLimit)
  }

  /// The end of a scope, or its cancellation, resumes the queue, since nobody may be left to do it.
  mutating func free() {
    isFreed = true
    bound = max(bound, effectiveLimit)
  }

  /// How many may be chosen; during a change, the greater of the two limits.
  var effectiveLimit: Int {
    // A failure may have freed the queue.
    let isHeld = isHeld && !mayHaveFailed
    let least = mayHaveFailed ? 1 : 0
    let present = max(least, effective(limit, isHeld))
    switch changing {
    case .limit(let limit): return max(present, effective(limit, isHeld))
    case .isSuspended(let isSuspended): return max(present, effective(limit, isSuspended))
    case .isSuspendedFor, nil: return present
    }
  }

  /// How many may be chosen; during a change, the smaller of the two limits.
  var leastLimit: Int {
    let present = effective(limit, isHeld)
    switch changing {
    case .limit(let limit): return min(present, effective(limit, isHeld))
    case .isSuspended(let isSuspended): return min(present, effective(limit, isSuspended))
    case .isSuspendedFor: return min(present, effective(limit, true))
    case nil: return present
    }
  }

  mutating func change(to setting: Event.Setting, at moment: Int) {
    changing = setting
    // Without a time it resumes at once.
    if case .isSuspendedFor(let duration) = setting, duration <= .zero { changing = .isSuspended(false) }
    if case .limit(let limit) = setting {
      limitSinceRest = max(limitSinceRest, effective(limit, false))
      greatestLimit = max(greatestLimit, effective(limit, false))
    }
    lastSetting = moment
    bound = max(bound, effectiveLimit)
  }

  /// - Parameter time: What has passed on the clock; nothing since the call.
  mutating func changed(at moment: Int, _ time: Duration) {
    lastSetting = moment
    switch changing {
    case .limit(let limit):
      self.limit = limit
      greatestLimit = max(greatestLimit, effective(limit, false))
    case .isSuspended(let isSuspended):
      isHeld = isSuspended
      resumption = nil
    case .isSuspendedFor(let duration):
      isHeld = true
      resumption = time + duration
    case nil: break
    }
    changing = nil
    bound = max(bound, effectiveLimit)
  }

  /// A suspension whose time is up has ended, or is about to, at this moment.
  mutating func timePassed(to time: Duration) {
    guard let end = resumption, end <= time else { return }
    resumption = nil
    isHeld = false
    bound = max(bound, effectiveLimit)
  }

  /// - Returns: Whether more bodies run than may.
  mutating func begin() -> Bool {
    running += 1
    return running > bound
  }

  /// Records that a body whose wait has ended takes a slot again, also in a suspended queue, and one at a time if the
  /// limit is 0.
  ///
  /// Beside it others may have been chosen that have not begun, as many as the limit allows, from before a suspension.
  ///
  /// - Returns: Whether more bodies run than may.
  ///
  /// - Parameter isExact: Whether the wait certainly lent the slot. If not, the body may have kept it while the limit
  ///   was lowered.
  mutating func goOn(isExact: Bool) -> Bool {
    running += 1
    let limit = max(1, isExact ? limitSinceRest : greatestLimit)
    let isTooMany = running > max(bound, limit)
    bound = max(bound, running, min(bound + 1, limit))
    return isTooMany
  }

  /// Records that a body waits and lends its slot, perhaps.
  ///
  /// - Parameter isCertain: Whether it does. If not, as many bodies may have been chosen as before.
  mutating func lend(isCertain: Bool) {
    if isCertain { end() } else { running -= 1 }
  }

  mutating func end() {
    running -= 1
    if bound > effectiveLimit { bound = max(effectiveLimit, bound - 1) }
  }

  /// Everything is idle, so all that was chosen runs.
  mutating func cameToRest() {
    bound = max(effectiveLimit, running)
    limitSinceRest = effective(limit, false)
  }
}
