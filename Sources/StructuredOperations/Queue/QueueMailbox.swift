/// Decides when a queue's runner has to be started or woken for events that come from outside of the queue's actor.
///
/// Every turn of the queue collects the events, so an event wakes the runner only where no turn is sure to come: while
/// there is a free slot for it, or where it needs no slot. Where all slots are taken, the turn that frees one collects it.
///
/// For one operation that can begin at once a queue without a runner needs none: whoever posts it has a turn taken.
struct QueueMailbox<Event: Sendable, Sleeper: Sendable>: Sendable {
  /// The task that starts the queue's child tasks.
  private enum Runner: Sendable {
    /// There is none. Can transition to replaced, awake.
    case none
    /// There is none, and the turn that a poster has taken has not collected yet. Can transition to none, awake.
    case replaced
    /// It is about to look whether a turn is due, or in one. Can transition to asleep, none, closed.
    case awake
    /// Can transition to awake.
    case asleep(Sleeper)
    /// There will never be one again. Terminal.
    case closed
  }

  private var runner: Runner
  private(set) var events: [Event] = []
  /// Whether something cannot wait for a turn that somebody else takes.
  private(set) var isUrgent = false
  /// Whether the last turn left a slot free.
  private(set) var hasFreeSlot: Bool
  /// Whether operations leave as soon as they are added, since the queue's scope was cancelled.
  private var isCancelled = false
  /// Whether skipped operations have to stay.
  private var isSuspended: Bool

  /// - Parameter hasRunner: Whether the runner exists from the beginning.
  init(hasRunner: Bool, hasFreeSlot: Bool, isSuspended: Bool) {
    runner = hasRunner ? .awake : .none
    self.hasFreeSlot = hasFreeSlot
    self.isSuspended = isSuspended
  }

  /// Whether there is a runner, which ends only once there are no urgent events.
  var hasRunner: Bool {
    switch runner {
    case .awake, .asleep: true
    case .none, .replaced, .closed: false
    }
  }

  /// Whether a poster has a turn taken, which has not come.
  var isRunnerReplaced: Bool {
    if case .replaced = runner { true } else { false }
  }

  /// Whether something that nobody waits for may be left to a turn of the runner: that is awake, so that nobody has to wake it, and
  /// there are no events, which would have to wait for that turn.
  var mayLeaveToRunner: Bool {
    if case .awake = runner { events.isEmpty } else { false }
  }

  var isClosed: Bool {
    if case .closed = runner { true } else { false }
  }

  /// What an event needs to have an effect.
  enum Need: Equatable, Sendable {
    /// A turn while there is a free slot.
    case slot
    /// A turn while the queue is not suspended.
    case unsuspended
    /// A turn.
    case turn
    /// No turn of its own: any later turn applies it.
    case nothing
  }

  /// What the poster does next, once it holds no lock.
  enum WakeAction: Sendable {
    case nothing
    /// Nothing was posted: the queue takes no more.
    case refuse
    case startRunner
    /// A turn has to be taken, by the poster itself or by a worker that it starts.
    case takeTurn
    case resume(Sleeper)
  }

  /// - Parameter replacesRunner: Whether the poster can have a turn taken, where there is no runner.
  mutating func post(_ event: Event, need: Need, replacesRunner: Bool = false) -> WakeAction {
    if isClosed { return .refuse }
    events.append(event)
    let needsTurn =
      switch need {
      case .slot: hasFreeSlot
      case .unsuspended: !isSuspended
      case .turn: true
      case .nothing: false
      }
    guard needsTurn else { return .nothing }
    isUrgent = true
    guard replacesRunner, case .none = runner else { return wake() }
    runner = .replaced
    return .takeTurn
  }

  /// Posts operations that are added.
  mutating func postAddition(_ event: Event, need: Need, replacesRunner: Bool = false) -> WakeAction {
    post(event, need: isCancelled ? .turn : need, replacesRunner: replacesRunner)
  }

  /// The queue's scope is cancelled: what is added needs a turn even where all slots are taken.
  ///
  /// What was posted before and not collected yet cannot wait either; a turn of the caller's has to follow.
  mutating func cancel() {
    isCancelled = true
    if !events.isEmpty { isUrgent = true }
  }

  /// Has the runner take a turn.
  ///
  /// A turn that a poster has taken does not do instead: it may wait for a thread that others hold.
  mutating func wake() -> WakeAction {
    switch runner {
    case .none, .replaced:
      runner = .awake
      return .startRunner
    case .asleep(let sleeper):
      runner = .awake
      return .resume(sleeper)
    case .awake, .closed: return .nothing
    }
  }

  /// Something besides events needs a turn.
  mutating func requestTurn() -> WakeAction {
    isUrgent = true
    return wake()
  }

  /// Has a sleeping runner take a turn; nil if it does not sleep.
  mutating func wakeSleeper() -> Sleeper? {
    guard case .asleep(let sleeper) = runner else { return nil }
    runner = .awake
    return sleeper
  }

  /// Everything that was posted since the last time; a turn applies it.
  ///
  /// It does what the turn of a poster was to do, if there is one on its way: that one finds less to choose, or nothing.
  mutating func collect() -> [Event] {
    isUrgent = false
    if case .replaced = runner { runner = .none }
    return events.removeEach()
  }

  /// Removes events before others that replace them.
  ///
  /// - Parameter key: The same for events of which the last one counts; nil for all others.
  mutating func removeReplacedEvents<Key: Hashable>(_ key: (Event) -> Key?) {
    var laterKeys: Set<Key> = []
    events = events.reversed().filter { event in key(event).map { laterKeys.insert($0).inserted } ?? true }.reversed()
  }

  /// A turn has chosen all that there is to choose.
  ///
  /// - Returns: Whether there are events that cannot wait; then the caller sees to it that there is another turn.
  mutating func turnEnded(hasFreeSlot: Bool, isSuspended: Bool) -> Bool {
    let isResumed = self.isSuspended && !isSuspended
    self.hasFreeSlot = hasFreeSlot
    self.isSuspended = isSuspended
    // What was posted during the turn was judged by how things were before.
    if !events.isEmpty, hasFreeSlot || isResumed { isUrgent = true }
    return isUrgent
  }

  /// The runner has nothing to do.
  ///
  /// - Returns: Whether it sleeps; false if there are urgent events.
  mutating func sleep(_ sleeper: Sleeper) -> Bool {
    if isUrgent { return false }
    runner = .asleep(sleeper)
    return true
  }

  /// The runner has nothing to do, and nothing runs that could change that.
  ///
  /// - Returns: Whether it ends; false if there are urgent events.
  mutating func stop() -> Bool {
    if isUrgent { return false }
    runner = .none
    return true
  }

  /// The runner ends for good, and the queue takes no more.
  ///
  /// - Returns: Whether it does; false if there are events.
  mutating func close() -> Bool {
    if !events.isEmpty { return false }
    runner = .closed
    return true
  }
}
