import StructuredOperations

/// What the reference model knows of one queue.
struct QueueModel {
  struct Barrier {
    let id: Int
    var added: OperationModel.Span
    var began: Int?
    var ended: Int?
    /// Whether the queue may have cancelled it.
    var mayBeCancelled = false
  }

  private var limit: Int
  /// The highest limit there ever was.
  private var greatestLimit: Int
  private var isHeld: Bool
  /// Whether nobody may be left to resume the queue: it is neither suspended any more nor without slots.
  private(set) var isFreed = false
  /// A change that is under way.
  private var changing: Event.Setting?

  /// Bodies that run and do not wait, those of barriers and calls included.
  private(set) var running = 0
  /// How many can have been chosen at most, those of ``running`` included.
  ///
  /// It may be above the limit: what had been chosen when that was lowered begins all the same.
  private(set) var bound: Int
  /// The last moment at which none can have been chosen that did not run yet.
  var lastFull = -1
  var barriers: [Barrier] = []
  var cancelAllCount = 0
  /// Whether everything is cancelled, what is still to come too.
  var isCancelled = false
  /// Operations, calls included, that have been enqueued.
  var callCount = 0

  init(_ plan: Program.QueuePlan) {
    limit = plan.limit
    greatestLimit = 0
    isHeld = plan.isSuspended
    bound = 0
    bound = effective(plan.limit, plan.isSuspended)
    greatestLimit = effective(plan.limit, false)
  }

  var isSuspended: Bool { isHeld && !isFreed }

  private func effective(_ limit: Int, _ isSuspended: Bool) -> Int {
    // The default; programs have not so many operations that a machine with more cores would matter.
    let limit = limit == -1 ? 64 : limit
    return isFreed ? max(1, limit) : isSuspended ? 0 : limit
  }

  /// The end of a scope, or its cancellation, lets go what nobody is left to let go.
  mutating func free() {
    isFreed = true
    bound = max(bound, effectiveLimit)
  }

  /// How many may be chosen: while that changes, the greater number.
  var effectiveLimit: Int {
    let present = effective(limit, isHeld)
    switch changing {
    case .limit(let limit): return max(present, effective(limit, isHeld))
    case .isSuspended(let isSuspended): return max(present, effective(limit, isSuspended))
    case nil: return present
    }
  }

  /// How many may be chosen at least, where something changes.
  var leastLimit: Int {
    let present = effective(limit, isHeld)
    switch changing {
    case .limit(let limit): return min(present, effective(limit, isHeld))
    case .isSuspended(let isSuspended): return min(present, effective(limit, isSuspended))
    case nil: return present
    }
  }

  mutating func change(to setting: Event.Setting) {
    changing = setting
    bound = max(bound, effectiveLimit)
  }

  mutating func changed() {
    switch changing {
    case .limit(let limit):
      self.limit = limit
      greatestLimit = max(greatestLimit, effective(limit, false))
    case .isSuspended(let isSuspended): isHeld = isSuspended
    case nil: break
    }
    changing = nil
    bound = max(bound, effectiveLimit)
  }

  /// - Returns: Whether that is one too many.
  mutating func begin() -> Bool {
    running += 1
    return running > bound
  }

  /// A body that has waited takes a slot again, in a suspended queue too, and one at a time where there is none.
  ///
  /// - Returns: Whether that is one too many.
  ///
  /// - Parameter isExact: Whether the wait is sure to have lent the slot. Where not, the body may have kept it while the
  ///   limit was lowered.
  mutating func goOn(isExact: Bool) -> Bool {
    running += 1
    let isTooMany = running > max(1, bound, isExact ? effective(limit, false) : greatestLimit)
    bound = max(bound, running)
    return isTooMany
  }

  mutating func end() {
    running -= 1
    if bound > effectiveLimit { bound = max(effectiveLimit, bound - 1) }
  }

  /// Everything has come to rest, so what runs is what was chosen.
  mutating func cameToRest() { bound = max(effectiveLimit, running) }
}
