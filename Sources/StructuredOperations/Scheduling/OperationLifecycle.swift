/// Decides what may happen to one operation, and what follows from it; starts, cancels and awaits nothing.
///
/// What users may do at any time is allowed in every phase, and misuse is answered; what only the package does has to
/// come in its phase.
struct OperationLifecycle: Sendable {
  /// Where the operation is, more finely than an observer is told.
  private enum Phase: Sendable {
    /// Nobody runs it yet. Can transition to enqueued, claimed, concluded.
    case idle
    /// In a queue, not chosen. Can transition to claimed, concluded.
    case enqueued
    /// Chosen to run: dependencies no longer count. Can transition to executing, concluded.
    case claimed
    /// The body runs. Can transition to concluded.
    case executing
    /// Finished for all to see, but the queue and the dependents may not have heard of it. Can transition to settled.
    case concluded
    /// Finished, and everybody has been told. Terminal.
    case settled
  }

  /// How many dependencies have not finished.
  private var unfinishedDependencies: UInt32 = 0
  /// How many dependencies finished without the success that was required of them.
  private var failedDependencies: UInt32 = 0
  private var phase = Phase.idle
  /// Whether a queue holds the operation, from ``enqueue()`` to ``conclude()``.
  private(set) var isInQueue = false
  /// Never false again once true.
  private(set) var isCancelled = false
  /// Changes only until the operation is claimed.
  private(set) var queuePriority: QueuePriority

  init(queuePriority: QueuePriority) {
    self.queuePriority = queuePriority
  }

  // MARK: What is so

  var snapshot: OperationSnapshot { OperationSnapshot(state: state, isCancelled: isCancelled) }

  var isFinished: Bool { phase == .concluded || phase == .settled }

  /// Whether the end is over: those who wait may go on.
  var isSettled: Bool { phase == .settled }

  /// Whether dependencies and the priority still mean anything.
  var isOpen: Bool { phase == .idle || phase == .enqueued }

  /// How a queue has to treat the operation.
  var standing: OperationStanding {
    if isCancelled || failedDependencies > 0 { return .leaving }
    return unfinishedDependencies > 0 ? .pending : .ready
  }

  /// How it stands; nil where it was chosen or has finished.
  var openStanding: OperationStanding? { isOpen ? standing : nil }

  private var state: OperationState {
    switch phase {
    case .idle, .enqueued: standing == .pending ? .pending : .ready
    case .claimed: .ready
    case .executing: .executing
    case .concluded, .settled: .finished
    }
  }

  // MARK: Queues

  /// Why a queue may not have the operation.
  enum EnqueueAnswer: Equatable, Sendable { case enqueued, alreadyEnqueued, alreadyExecuting, alreadyFinished }

  mutating func enqueue() -> EnqueueAnswer {
    let answer = enqueueAnswer
    if answer == .enqueued {
      phase = .enqueued
      isInQueue = true
    }
    return answer
  }

  /// What ``enqueue()`` would answer.
  var enqueueAnswer: EnqueueAnswer {
    switch phase {
    case .idle: .enqueued
    case .enqueued: .alreadyEnqueued
    case .claimed: isInQueue ? .alreadyEnqueued : .alreadyExecuting
    case .executing: .alreadyExecuting
    case .concluded, .settled: .alreadyFinished
    }
  }

  /// Takes ``enqueue()`` back, for a batch that cannot be added as a whole.
  mutating func withdraw() {
    guard phase == .enqueued else { preconditionFailure("withdrawn from a queue in phase \(phase)") }
    phase = .idle
    isInQueue = false
  }

  /// Chooses the operation to conclude, unless it stays after all.
  mutating func claimDeparture() -> OperationStanding {
    guard phase == .enqueued else { preconditionFailure("leaves its queue in phase \(phase)") }
    let standing = standing
    if standing == .leaving { phase = .claimed }
    return standing
  }

  /// Chooses the operation: to run where it is ready, to conclude where it leaves.
  ///
  /// A pending one is left as it is.
  mutating func claim() -> OperationStanding {
    guard phase == .enqueued else { preconditionFailure("claimed by its queue in phase \(phase)") }
    let standing = standing
    if standing != .pending { phase = .claimed }
    return standing
  }

  // MARK: Running

  /// What `start()` does next.
  enum StartAnswer: Equatable, Sendable { case run, conclude, doNothing, notReady, alreadyEnqueued, alreadyExecuting }

  mutating func start() -> StartAnswer {
    switch phase {
    case .idle:
      let standing = standing
      if standing == .pending { return .notReady }
      phase = .claimed
      return standing == .leaving ? .conclude : .run
    case .enqueued: return .alreadyEnqueued
    case .claimed: return isInQueue ? .alreadyEnqueued : .alreadyExecuting
    case .executing: return .alreadyExecuting
    case .concluded, .settled: return .doNothing
    }
  }

  /// Whether the body runs now: not where the operation was cancelled after it had been chosen.
  mutating func begin() -> Bool {
    guard phase == .claimed else { preconditionFailure("begun in phase \(phase)") }
    if isCancelled { return false }
    phase = .executing
    return true
  }

  /// What the caller of ``cancel()`` does next.
  enum CancelAction: Equatable, Sendable { case nothing, tellQueue, cancelTask }

  mutating func cancel() -> CancelAction {
    if isCancelled || isFinished { return .nothing }
    isCancelled = true
    switch phase {
    case .idle, .claimed: return .nothing
    case .enqueued: return .tellQueue
    case .executing: return .cancelTask
    case .concluded, .settled: preconditionFailure("cancelled in phase \(phase)")
    }
  }

  /// The end, as everybody sees it from now on.
  ///
  /// ``settle()`` completes it.
  mutating func conclude() {
    guard !isFinished else { preconditionFailure("concluded in phase \(phase)") }
    phase = .concluded
    isInQueue = false
  }

  /// The end of the end: the queue has let go and the dependents have been told.
  mutating func settle() {
    guard phase == .concluded else { preconditionFailure("settled in phase \(phase)") }
    phase = .settled
  }

  // MARK: Dependencies and priority

  /// A dependency was added, finished or removed.
  ///
  /// - Parameters:
  ///   - before: How far it had got; nil where it is new.
  ///   - after: How far it has got; nil where it was removed.
  /// - Returns: Whether the standing is another one now, in the eyes of a queue.
  mutating func dependencyChanged(from before: DependencyStatus?, to after: DependencyStatus?) -> Bool {
    let oldStanding = standing
    if let before { count(before, -) }
    if let after { count(after, +) }
    return isOpen && standing != oldStanding
  }

  private mutating func count(_ status: DependencyStatus, _ operation: (UInt32, UInt32) -> UInt32) {
    switch status {
    case .unfinished: unfinishedDependencies = operation(unfinishedDependencies, 1)
    case .failed: failedDependencies = operation(failedDependencies, 1)
    case .finished: break
    }
  }

  /// - Returns: Whether the level is another one now; false where it cannot change any more (PR-07).
  mutating func setQueuePriority(_ priority: QueuePriority) -> Bool {
    guard isOpen, priority != queuePriority else { return false }
    queuePriority = priority
    return true
  }
}
