/// How one operation stands by itself, at one moment: what its queue does with it is told elsewhere.
struct OperationCondition: Sendable {
  enum Phase: Equatable, Sendable {
    case idle
    /// In a queue, which has not chosen it.
    case waiting(OperationReadiness)
    /// It has what it needs to run, or is about to take its limits where it was started by hand.
    case chosen
    case executing
    case finished
  }

  /// What a task of the body waits for.
  struct Wait: Sendable {
    let subject: BodyWait.Subject
    /// Whether the task is the body's own.
    let isOwn: Bool
    let lendsSlot: Bool
  }

  let phase: Phase
  let isCancelled: Bool
  /// Those that have not finished, as long as they matter.
  var dependencies: [any OperationProtocol] = []
  var waits: [Wait] = []
  /// The completion of a body that has returned.
  var completion: PendingCompletion?
  var queue: (any OwningQueue)?
  /// What it needs of limits, where it needs any.
  var limitNeeds: [LimitNeed] = []
  /// What takes its limits, where it was started by hand.
  var limitedStart: LimitedStart?
  /// When its body began; nil where nobody observes it.
  var startedAt: ContinuousClock.Instant?
}

extension OperationStorage {
  /// How the operation stands now.
  ///
  /// What is returned holds all that it names, so nothing is freed under a lock.
  var condition: OperationCondition { read { $0.condition } }
}

extension OperationStateMachine {
  fileprivate var condition: OperationCondition {
    var condition = OperationCondition(phase: explainedPhase, isCancelled: isCancelled)
    if case .finished = condition.phase { return condition }
    condition.queue = assignment?.queue
    if isUnclaimed, readiness == .blocked {
      condition.dependencies = dependencies.compactMap { $0.status == .unfinished ? $0.operation : nil }
    }
    if let limits {
      condition.limitNeeds = limits.needs
      condition.limitedStart = limits.start
    }
    guard case .executing(let execution) = state else { return condition }
    condition.startedAt = startedAt
    if let wait = execution.wait {
      condition.waits.append(
        OperationCondition.Wait(subject: wait.subject, isOwn: true, lendsSlot: wait.slotOwner != nil))
    }
    let (taskWaits, completion) =
      connections.read { $0.rare.read { ($0.taskWaits, $0.completion) } ?? ([:], nil) } ?? ([:], nil)
    condition.waits += taskWaits.values.sorted { $0.number < $1.number }
      .map { OperationCondition.Wait(subject: $0.subject, isOwn: false, lendsSlot: false) }
    condition.completion = completion
    return condition
  }

  private var explainedPhase: OperationCondition.Phase {
    switch state {
    case .idle: .idle
    case .enqueued: .waiting(readiness)
    case .claimed: .chosen
    case .executing: .executing
    case .finishing, .finished: .finished
    }
  }
}
