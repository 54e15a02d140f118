// A task that awaits an operation hands its priority on to it, so that a task of high priority never waits behind work
// of low priority (WT-07).
extension OperationCore {
  /// What follows from a priority that an operation was given.
  private struct Raise {
    var host: (any OperationHost)?
    var task: BodyTask?
    /// What the operation waits for.
    var dependencies: [OperationCore] = []
  }

  /// Has a task wait for operations, which get its priority, and each higher one that it gets meanwhile.
  nonisolated(nonsending) static func donatingPriority<Result>(
    to cores: [OperationCore],
    _ wait: nonisolated(nonsending) () async -> Result
  ) async -> Result {
    guard #available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *) else {
      donate(Task.currentPriority, to: cores)
      return await wait()
    }
    return await withTaskPriorityEscalationHandler {
      // With the handler in place, so that no escalation comes too early for it.
      donate(Task.currentPriority, to: cores)
      return await wait()
    } onPriorityEscalated: { _, priority in
      donate(priority, to: cores)
    }
  }

  /// Raises operations, and whatever they depend on, to a priority.
  static func donate(_ priority: TaskPriority, to cores: [OperationCore]) {
    let priority = priority.rawValue
    var unfinished = cores
    while let core = unfinished.popLast() {
      let raise = core.raise(to: priority)
      raise.host?.operationChanged(core, .donation)
      if let task = raise.task { core.use(task) { $0.raise(to: priority) } }
      unfinished += raise.dependencies
    }
  }

  private func raise(to priority: UInt8) -> Raise {
    change { state in
      // What is as urgent already hands a high priority on all the same, to what it depends on.
      let least = min(taskPriority(state), TaskPriority.medium.rawValue)
      guard !state.lifecycle.isFinished, priority > max(least, state.donatedPriority) else { return Raise() }
      state.donatedPriority = priority
      guard state.lifecycle.isOpen else { return Raise(task: raisesTask(state) ? state.bodyTask.lease() : nil) }
      let dependencies = state.dependencies.entries.compactMap { entry in
        entry.status == .unfinished ? entry.operation.core : nil
      }
      return Raise(host: state.membership?.host, dependencies: dependencies)
    }
  }

  /// Whether the body's task gets another priority than the one it was made with.
  ///
  /// Not under an executor of the user's: the runtime would have what the raised task asks of actors run on the
  /// cooperative pool.
  func raisesTask(_ state: State) -> Bool {
    state.donatedPriority > taskPriority(state) && !hasExecutor && state.membership?.host.executor == nil
  }

  /// The priority that the body's task has without any donation.
  private func taskPriority(_ state: State) -> UInt8 {
    let priority = max(taskPriority, state.membership?.host.rawTaskPriority ?? 0)
    return priority == 0 ? TaskPriority.medium.rawValue : priority
  }
}

extension OperationCore.State {
  /// Where the operation stands in a queue: at least where one stands that is as urgent as the tasks that await it.
  var rankedPriority: QueuePriority {
    if donatedPriority == 0 { return lifecycle.queuePriority }
    let donated: QueuePriority =
      if donatedPriority > TaskPriority.medium.rawValue {
        .veryHigh
      } else if donatedPriority > TaskPriority.low.rawValue {
        .normal
      } else if donatedPriority > TaskPriority.background.rawValue {
        .low
      } else {
        .veryLow
      }
    return max(lifecycle.queuePriority, donated)
  }
}
