// Priority escalation: a task that awaits an operation hands its priority on to it, so that a task of high priority never
// waits behind work of low priority.
extension OperationStorage {
  /// Has a task wait for operations, which get its priority, and each higher one that it gets meanwhile.
  nonisolated(nonsending) static func escalating<Result>(
    _ storages: [OperationStorage],
    while wait: nonisolated(nonsending) () async -> Result
  ) async -> Result {
    guard #available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *) else {
      escalate(storages, to: Task.currentPriority)
      return await wait()
    }
    return await withTaskPriorityEscalationHandler {
      // With the handler in place, so that no escalation comes too early for it.
      escalate(storages, to: Task.currentPriority)
      return await wait()
    } onPriorityEscalated: { _, priority in
      escalate(storages, to: priority)
    }
  }

  /// Raises operations, and all that they depend on, to a priority.
  ///
  /// Those that move come to the end of one level, one after the other: of those that are given, and of the dependencies of one
  /// operation, the higher level first, then in their order.
  static func escalate(_ storages: [OperationStorage], to priority: TaskPriority) {
    let priority = priority.rawValue
    // In the handler of a task that the thread escalates.
    if PendingEscalations.collect({ lastFirst(storages, by: priority) }, to: priority) { return }
    for storage in lastFirst(storages, by: priority).reversed() {
      // Mostly it stays empty, and takes no memory.
      var pending = PendingEscalations()
      var next: PendingEscalations.Item? = (storage, priority)
      while let (storage, priority) = next {
        switch storage.escalate(to: priority) {
        case .nothing: storage.moveStartInLines()
        case .escalateTask(let task): pending.collect { storage.use(task) { $0.escalate(to: priority) } }
        case .moveUp(let queue, let dependencies):
          queue?.operationChanged(storage, .priority)
          pending.append(lastFirst(dependencies, by: priority), to: priority)
        }
        next = pending.popLast()
      }
    }
  }

  /// By level, the lowest one first; within a level the last one given first, since the last one is taken out first.
  ///
  /// In the order given where the priority moves nothing.
  private static func lastFirst(_ storages: [OperationStorage], by priority: UInt8) -> [OperationStorage] {
    if storages.count < 2 || !Machine.isMoved(by: priority) { return storages }
    return storages.reversed().map { (storage: $0, priority: $0.rankedPriority) }
      .sorted { $0.priority < $1.priority }.map(\.storage)
  }

  /// Raises the calling task, which is to run the body, to the priority of the body.
  ///
  /// A child task begins with the priority of its parent, whatever it is made with. Not under an executor of the user's, as in
  /// ``isTaskEscalated(to:in:)``.
  func raise(_ task: BodyTask, in queue: (any OwningQueue)?) {
    let own = max(taskPriority, queue?.rawTaskPriority ?? 0)
    guard own > 0, !hasExecutor, queue?.executor == nil, own > Task.currentPriority.rawValue else { return }
    task.escalate(to: own)
  }

  private func escalate(to priority: UInt8) -> Machine.EscalateAction {
    apply { machine in
      let queue = machine.assignment?.queue
      return machine.escalate(
        to: priority, from: ownTaskPriority(in: queue), maySetTaskPriority: isTaskEscalated(to: priority, in: queue),
        order: LimitTable.nextOrder)
    }
  }

  /// Whether the body's task gets another priority than the one it was made with.
  ///
  /// Not under an executor of the user's: the runtime would run the actor jobs of the raised task on the cooperative
  /// pool. May be called under the operation's lock.
  func isTaskEscalated(to priority: UInt8, in queue: (any OwningQueue)?) -> Bool {
    priority > 0 && priority > ownTaskPriority(in: queue) && !hasExecutor && queue?.executor == nil
  }

  /// The priority that the body's task has without any escalation.
  private func ownTaskPriority(in queue: (any OwningQueue)?) -> UInt8 {
    let priority = max(taskPriority, queue?.rawTaskPriority ?? 0)
    return priority == 0 ? TaskPriority.medium.rawValue : priority
  }
}

extension OperationStateMachine {
  /// What follows from an escalation.
  enum EscalateAction: Sendable {
    case nothing
    /// The priority of the task that runs the body is to be raised, and its handle released by ``releaseTask()``.
    case escalateTask(BodyTask)
    /// The operation moves up in its queue, and what it depends on is escalated, too.
    ///
    /// - queue: Nil where it stays in its level, or is in no queue.
    case moveUp(in: (any OwningQueue)?, [OperationStorage])
  }

  /// - Parameters:
  ///   - own: The priority of the body's task without any escalation.
  ///   - order: Gives the next place in the order of addition, for the lines of limits.
  mutating func escalate(
    to priority: UInt8,
    from own: UInt8,
    maySetTaskPriority: Bool,
    order: () -> Int
  ) -> EscalateAction {
    // An operation that is as urgent already still hands a high priority on to what it depends on.
    guard !isFinished, priority > max(min(own, TaskPriority.medium.rawValue), escalatedPriority) else {
      return .nothing
    }
    let before = rankedPriority
    escalatedPriority = priority
    let isMoved = rankedPriority != before
    if isMoved, hasLimits { moveToEndOfLines(order) }
    if !isUnclaimed { return maySetTaskPriority ? leaseTask().map { .escalateTask($0) } ?? .nothing : .nothing }
    let unfinished = dependencies.compactMap { $0.status == .unfinished ? $0.operation.storage : nil }
    return .moveUp(in: isMoved ? assignment?.queue : nil, unfinished)
  }

  /// The operation's level in a queue: the highest one where a task of a priority above medium awaits it.
  @inline(__always)
  var rankedPriority: QueuePriority { Self.isMoved(by: escalatedPriority) ? .veryHigh : queuePriority }

  /// Whether a task of that priority moves up what it awaits.
  ///
  /// Most operations are awaited by none, and for these the runtime is not asked what `medium` is.
  @inline(__always)
  fileprivate static func isMoved(by priority: UInt8) -> Bool {
    priority > 0 && priority > TaskPriority.medium.rawValue
  }
}
