extension OperationCore {
  /// What is left to do when an operation has finished for all to see.
  struct End: Sendable {
    let dependents: [Dependent]
    let hasSucceeded: Bool
    /// Whether the task that ran the body may have got another priority, which is for good.
    let isTaskRaised: Bool
    let completionBlock: CompletionBlock?
    /// The bodies that wait for this end.
    let waits: [BodyWait]
    /// Whether nothing follows in the queue but that it lets go.
    var isPlain: Bool { completionBlock == nil && waits.isEmpty }

    /// Tells the dependents.
    ///
    /// - Returns: What queues have to be told of them.
    func tellDependents() -> [Notice] {
      dependents.compactMap { $0.core.dependencyFinished($0.key, hasSucceeded: hasSucceeded) }
    }

    /// What the operation let go of, to be freed with this value, outside of locks.
    fileprivate let work: Work
    fileprivate let dependencies: [Dependencies.Entry]
    fileprivate let membership: Membership?
  }

  /// Runs the body in the calling task, which nothing else may run in until this returns, and finishes the operation
  /// for all to see.
  ///
  /// Where it was cancelled before, the body does not run.
  ///
  /// - Parameters:
  ///   - operation: The operation itself; nil where it is in a queue.
  ///   - queueExecutor: Where the queue has everything run.
  ///   - taskCancelsOperation: Whether a cancellation that comes from around the task is one of the operation.
  nonisolated(nonsending) func run(
    as operation: (any OperationProtocol)? = nil,
    under queueExecutor: (any TaskExecutor)? = nil,
    taskCancelsOperation: Bool = false
  ) async -> End {
    if taskCancelsOperation, Task.isCancelled { markCancelledByTask() }
    var (body, context) = BodyTask.current.map { begin(in: $0, as: operation) } ?? (nil, nil)
    guard body != nil else { return conclude(nil) }
    let result = await ExecutionContext.$current.withValue(context) {
      await Self.result(of: &body, under: executor ?? queueExecutor)
    }
    if taskCancelsOperation, Task.isCancelled { markCancelledByTask() }
    if let end = change({ state in state.bodyTask.end() ? finish(result, nil, &state) : nil }) { return end }
    // Somebody uses the handle of the task to cancel it.
    await withUnsafeContinuation { waiter in
      if !change({ $0.bodyTask.park(waiter) }) { waiter.resume() }
    }
    return conclude(result)
  }

  /// The task is cancelled already, so there is nothing but the mark.
  func markCancelledByTask() {
    _ = change { $0.lifecycle.cancel() }
  }

  /// Runs a body and frees it.
  private nonisolated(nonsending) static func result(
    of body: inout OperationBody?,
    under executor: (any TaskExecutor)?
  ) async -> Result<any Sendable, any Error> {
    defer { body = nil }
    do {
      guard let output = try await body?.run(under: executor) else { preconditionFailure("an operation lost its body") }
      return .success(output)
    } catch {
      return .failure(error)
    }
  }

  /// Marks the operation as executing while the caller runs its body in a task of its own, which nobody may cancel.
  ///
  /// - Returns: Whether the body runs; not where the operation had been cancelled.
  func beginInCaller() -> Bool {
    change { state in
      guard state.lifecycle.begin() else { return false }
      state.work = .taken
      return true
    }
  }

  private func begin(
    in task: BodyTask,
    as operation: (any OperationProtocol)?
  ) -> (OperationBody?, ExecutionContext?) {
    let (body, context, donatedPriority) = change { state -> (OperationBody?, ExecutionContext?, UInt8) in
      guard state.lifecycle.begin() else { return (nil, nil, 0) }
      guard case .body(let body) = state.work, let operation = operation ?? state.membership?.operation else {
        preconditionFailure("an operation ran twice")
      }
      state.bodyTask.begin(task)
      state.work = .taken
      let context = ExecutionContext(operation: operation, host: state.membership?.host, task: task)
      return (body, context, raisesTask(state) ? state.donatedPriority : 0)
    }
    if donatedPriority > 0 { task.raise(to: donatedPriority) }
    return (body, context)
  }

  /// Finishes the operation for all to see.
  ///
  /// The caller tells the dependents, then calls ``settle()``.
  ///
  /// - Parameter result: What the body came to; nil where it did not run.
  func conclude(_ result: Result<any Sendable, any Error>?) -> End {
    let unrunOutcome = result == nil ? failureOfDependency() : nil
    let end = change { finish(result, unrunOutcome, &$0) }
    if case .body(let body) = end.work { body.discard() }
    return end
  }

  private func finish(
    _ result: Result<any Sendable, any Error>?,
    _ unrunOutcome: OperationOutcome<any Sendable>?,
    _ state: inout State
  ) -> End {
    let outcome: OperationOutcome<any Sendable>
    switch result {
    case .success(let output): outcome = .success(output)
    case .failure(let error):
      outcome = error is CancellationError && state.lifecycle.isCancelled ? .cancelled : .failure(error)
    case nil: outcome = state.lifecycle.isCancelled ? .cancelled : unrunOutcome ?? .cancelled
    }
    state.lifecycle.conclude()
    let work = state.work
    state.work = .outcome(outcome)
    let dependencies = state.dependencies.removeAll()
    if !dependencies.isEmpty {
      state.pastDependencies = dependencies.map { PastDependency(operation: $0.operation) }
    }
    let isTaskRaised = state.donatedPriority > 0 && raisesTask(state)
    let membership = state.membership.take()
    state.queueExecutor = membership?.host.executor
    return End(
      dependents: state.dependents.removeEach(), hasSucceeded: outcome.isSuccess,
      isTaskRaised: isTaskRaised,
      completionBlock: state.completionBlock.take(), waits: state.waitingBodies.removeEach(), work: work,
      dependencies: dependencies, membership: membership)
  }

  /// The end is over: whoever waits goes on.
  func settle() {
    let (waiters, waits) = change { state in
      state.lifecycle.settle()
      return (state.waiters.removeEach(), state.waitingBodies.removeEach())
    }
    for waiter in waiters { waiter.resume() }
    for wait in waits where wait.finishedOne() { wait.goOnWithSlot() }
  }

  /// Why the operation does not run, where that is for a dependency.
  private func failureOfDependency() -> OperationOutcome<any Sendable>? {
    guard let dependency = read({ $0.dependencies.firstFailed }) else { return nil }
    let error: any Error =
      switch dependency.core.outcome {
      case .failure(OperationError.dependencyFailed(let root, let error)):
        OperationError.dependencyFailed(on: root, underlying: error)
      case .failure(let error):
        OperationError.dependencyFailed(on: dependency, underlying: error)
      case .cancelled, .success, nil:
        OperationError.dependencyFailed(on: dependency, underlying: CancellationError())
      }
    return .failure(error)
  }
}

extension OperationOutcome {
  fileprivate var isSuccess: Bool {
    switch self {
    case .success: true
    case .failure, .cancelled: false
    }
  }
}
