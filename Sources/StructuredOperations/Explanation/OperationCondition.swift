/// How one operation stands by itself, at one moment: what its queue does with it is told elsewhere.
///
/// Small, and quick to read, since a queue is held up while it reads those of all its operations.
struct OperationCondition: Sendable {
  enum Phase: Equatable, Sendable {
    case idle
    /// In a queue, which has not chosen it.
    case waiting(OperationReadiness)
    /// It has what it needs to run, or is about to take its limits where it was started by hand.
    case chosen
    case executing
    /// It has finished, and its observers are being told; its queue and its dependents are after that.
    case ending
    case finished
  }

  /// What a task of the body waits for.
  struct Wait: Sendable {
    /// Tells waits of the body's own task apart.
    let id: ObjectIdentifier?
    let subject: BodyWait.Subject
    /// Whether the task is the body's own.
    let isOwn: Bool
    let lendsSlot: Bool

    /// Whether it is for all that is in a queue.
    func isFor(_ queue: AsyncOperationQueue) -> Bool {
      switch subject {
      case .all(let owner), .scope(let owner): owner === queue
      case .operations, .closure: false
      }
    }
  }

  /// What few operations have.
  struct Details: InitializableEmpty, Sendable {
    var waits: [Wait] = []
    /// The completion of a body that has returned.
    var completion: PendingCompletion?
    /// When its body began; nil where nobody observes it.
    var startedAt: ContinuousClock.Instant?
    /// What it needs of limits.
    var limitNeeds = LimitNeeds()
    /// What the operation itself has of them, or had stand in line.
    var limitDemand: LimitTable.DemandID?
    /// What takes its limits, where it was started by hand.
    var limitedStart: LimitedStart?
  }

  let phase: Phase
  let isCancelled: Bool
  /// Those that there were, as long as they matter: the operation's own list, which costs nothing to read.
  fileprivate var dependencyEntries: ShortList<OperationStateMachine.Dependencies.Entry>
  let details: OnDemand<Details>

  /// Those that had not finished, as long as they matter.
  var unfinishedDependencies: [any OperationProtocol] {
    dependencyEntries.compactMap { $0.status == .unfinished ? $0.operation : nil }
  }

  /// The same.
  ///
  /// Lets go of those that had, and of the operation's own list, which would be copied when one finishes.
  mutating func takeDependencies() -> [any OperationProtocol] {
    defer { dependencyEntries = ShortList() }
    return unfinishedDependencies
  }

  /// As long as it has not been chosen; all else counts as skipped.
  var readiness: OperationReadiness { if case .waiting(let readiness) = phase { readiness } else { .skipped } }

  var startedAt: ContinuousClock.Instant? { details.read(\.startedAt) ?? nil }

  /// What the body's own task waits for.
  var ownWait: Wait? { details.read { $0.waits.first { $0.isOwn } } ?? nil }

  /// Whether its body lends its slot and its limits, whatever its queue has heard of that.
  var lends: Bool { phase == .executing && ownWait?.lendsSlot == true }

  var limitNeeds: LimitNeeds { details.read(\.limitNeeds) ?? LimitNeeds() }

  var limitDemand: LimitTable.DemandID? { details.read(\.limitDemand) ?? nil }
}

extension OperationStorage {
  /// How the operation stands now.
  ///
  /// What is returned holds all that it names, so nothing is freed under a lock.
  var condition: OperationCondition { read { $0.condition } }

  /// Whether it has finished, and its observers have been told.
  var hasEnded: Bool { read { $0.explainedPhase == .finished } }
}

extension OperationStateMachine {
  /// How the operation stands; reads what a moment needs, and works nothing out.
  var condition: OperationCondition {
    let phase = explainedPhase
    let (isBlocked, hasDetails) =
      switch phase {
      case .idle: (readiness == .blocked, hasLimits)
      case .waiting(let readiness): (readiness == .blocked, hasLimits)
      case .chosen: (false, hasLimits)
      case .executing, .ending: (false, true)
      case .finished: (false, false)
      }
    // Made in one step: a change of a condition that exists already would copy it.
    return OperationCondition(
      phase: phase, isCancelled: isCancelled, dependencyEntries: isBlocked ? dependencies : ShortList(),
      details: hasDetails ? OnDemand(details) : OnDemand())
  }

  /// Apart, since what few operations have would slow down the reading of the others.
  @inline(never)
  private var details: OperationCondition.Details {
    var details = OperationCondition.Details()
    if let limits {
      details.limitNeeds = limits.needs
      details.limitedStart = limits.start
    }
    // Also while observers are told of the end, when the needs are gone.
    details.limitDemand = limitDemand
    details.startedAt = startedAt
    guard case .executing(let execution) = state else { return details }
    if let wait = execution.wait {
      details.waits.append(
        OperationCondition.Wait(
          id: ObjectIdentifier(wait), subject: wait.subject, isOwn: true, lendsSlot: wait.slotOwner != nil))
    }
    let (taskWaits, completion) =
      connections.read { $0.rare.read { ($0.taskWaits, $0.completion) } ?? ([:], nil) } ?? ([:], nil)
    details.waits += taskWaits.values.sorted { $0.number < $1.number }
      .map { OperationCondition.Wait(id: nil, subject: $0.subject, isOwn: false, lendsSlot: false) }
    details.completion = completion
    return details
  }

  fileprivate var explainedPhase: OperationCondition.Phase {
    switch state {
    case .idle: .idle
    case .enqueued: .waiting(readiness)
    case .claimed: .chosen
    case .executing: .executing
    case .finishing: observation.exists ? .ending : .finished
    case .finished: .finished
    }
  }
}
