/// Decides when a queue's runner has to be started or woken for what is posted to the queue from outside.
///
/// Every turn of the queue collects the mail, so mail wakes the runner only where no turn is sure to come: while there
/// is a free slot for what is posted, or something that needs none. Where all slots are taken, the turn that frees one
/// collects it.
struct QueueMailbox<Mail: Sendable, Sleeper: Sendable>: Sendable {
  /// The task that starts the queue's child tasks.
  private enum Runner: Sendable {
    /// There is none. Can transition to awake.
    case none
    /// It is about to take a turn, or in one. Can transition to asleep, none, closed.
    case awake
    /// Can transition to awake.
    case asleep(Sleeper)
    /// There will never be one again. Terminal.
    case closed
  }

  private var runner: Runner
  private var mail: [Mail] = []
  private var hasUrgentMail = false
  /// Whether the last turn left a slot free.
  private var hasFreeSlot: Bool
  /// Whether operations may leave the queue without a slot.
  private var isSuspended: Bool

  /// - Parameter hasRunner: Whether the runner is there from the beginning.
  init(hasRunner: Bool, hasFreeSlot: Bool, isSuspended: Bool) {
    runner = hasRunner ? .awake : .none
    self.hasFreeSlot = hasFreeSlot
    self.isSuspended = isSuspended
  }

  var isEmpty: Bool { mail.isEmpty }

  var isClosed: Bool {
    if case .closed = runner { true } else { false }
  }

  /// What mail needs to come to something.
  enum Need: Equatable, Sendable {
    /// A turn while there is a free slot.
    case slot
    /// A turn while the queue is not suspended.
    case noSlot
    /// A turn.
    case turn
    /// No turn but the next one.
    case nothing
  }

  /// What the poster does next, once it holds no lock.
  enum WakeAction: Sendable {
    case nothing
    /// Nothing was posted: the queue takes no more.
    case refuse
    case startRunner
    case resume(Sleeper)
  }

  mutating func post(_ item: Mail, need: Need) -> WakeAction {
    if isClosed { return .refuse }
    mail.append(item)
    let isUrgent =
      switch need {
      case .slot: hasFreeSlot
      case .noSlot: !isSuspended
      case .turn: true
      case .nothing: false
      }
    if isUrgent { hasUrgentMail = true }
    return isUrgent ? wake() : .nothing
  }

  /// Has the runner take a turn.
  mutating func wake() -> WakeAction {
    if let sleeper = wakeSleeper() { return .resume(sleeper) }
    guard case .none = runner else { return .nothing }
    runner = .awake
    return .startRunner
  }

  /// Has a sleeping runner take a turn; nil where it does not sleep.
  mutating func wakeSleeper() -> Sleeper? {
    guard case .asleep(let sleeper) = runner else { return nil }
    runner = .awake
    return sleeper
  }

  /// Everything that was posted since the last time; a turn applies it.
  mutating func collect() -> [Mail] {
    hasUrgentMail = false
    return mail.removeEach()
  }

  /// A turn has chosen all that there is to choose.
  ///
  /// - Returns: Whether mail was posted meanwhile that cannot wait; the caller sees to it that there is another turn.
  mutating func turnEnded(hasFreeSlot: Bool, isSuspended: Bool) -> Bool {
    let isResumed = self.isSuspended && !isSuspended
    self.hasFreeSlot = hasFreeSlot
    self.isSuspended = isSuspended
    // What was posted was judged by how things stood before.
    if !mail.isEmpty, hasFreeSlot || isResumed { hasUrgentMail = true }
    return hasUrgentMail
  }

  /// The runner has nothing to do.
  ///
  /// - Returns: Whether it sleeps; false where there is urgent mail.
  mutating func sleep(_ sleeper: Sleeper) -> Bool {
    if hasUrgentMail { return false }
    runner = .asleep(sleeper)
    return true
  }

  /// The runner has nothing to do and nothing runs that could change that.
  ///
  /// - Returns: Whether it ends; false where there is urgent mail.
  mutating func stop() -> Bool {
    if hasUrgentMail { return false }
    runner = .none
    return true
  }

  /// The runner ends for good, and the queue takes no more.
  ///
  /// - Returns: Whether it does; false where there is mail.
  mutating func close() -> Bool {
    if !mail.isEmpty { return false }
    runner = .closed
    return true
  }
}
