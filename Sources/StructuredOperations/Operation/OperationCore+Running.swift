extension OperationCore {
  /// What is left to do when an operation has finished for all to see.
  struct End: Sendable {
    let dependents: ShortList<Dependent>
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
    func tellDependents() -> ShortList<Notice> {
      var notices = ShortList<Notice>()
      for dependent in dependents {
        if let notice = dependent.core.dependencyFinished(dependent.key, hasSucceeded: hasSucceeded) {
          notices.append(notice)
        }
      }
      return notices
    }

    /// What the operation let go of, to be freed with this value, outside of locks.
    fileprivate let work: Work
    fileprivate let dependencies: ShortList<Dependencies.Entry>
    fileprivate let membership: Membership?
  }

  /// How the turn of an operation in a task begins.
  struct Beginning: Sendable {
    /// Nil where it does not run.
    var body: OperationBody?
    var context: ExecutionContext?
    /// How the operation stands, which had not been claimed: only a ready one is claimed now.
    var standing = OperationStanding.ready
    fileprivate var donatedPriority: UInt8 = 0
  }

  /// Begins to run in a task, which nothing else may run in until the operation has finished.
  ///
  /// - Parameters:
  ///   - operation: The operation itself; nil where it is in a queue.
  ///   - isClaimed: Whether the operation has been chosen for good, and not only ahead.
  func begin(
    in task: BodyTask,
    as operation: (any OperationProtocol)? = nil,
    isClaimed: Bool = true
  ) -> Beginning {
    let beginning = change { state -> Beginning in
      if !isClaimed {
        let standing = state.lifecycle.claim()
        if standing != .ready { return Beginning(standing: standing) }
      }
      guard state.lifecycle.begin() else { return Beginning() }
      guard let body = state.takeBody(), let operation = operation ?? state.membership?.operation else {
        preconditionFailure("an operation ran twice")
      }
      state.bodyTask.begin(task)
      let priority = state.donatedPriority > 0 && raisesTask(state) ? state.donatedPriority : 0
      return Beginning(
        body: body, context: ExecutionContext(operation: operation, task: task), donatedPriority: priority)
    }
    if beginning.donatedPriority > 0 { task.raise(to: beginning.donatedPriority) }
    return beginning
  }

  /// Runs the body in the calling task and finishes the operation for all to see.
  ///
  /// Where it was cancelled before, the body does not run.
  nonisolated(nonsending) func run(as operation: any OperationProtocol) async -> End {
    guard let task = BodyTask.current else { preconditionFailure("a body without a task") }
    var beginning = begin(in: task, as: operation)
    guard beginning.body != nil else { return conclude(nil) }
    let result = await ExecutionContext.$current.withValue(beginning.context) {
      await beginning.body.runOnce(under: executor)
    }
    return await finish(result)
  }

  /// Finishes an operation whose body has run, for all to see.
  nonisolated(nonsending) func finish(_ result: OperationBody.Result) async -> End {
    if let end = finishNow(result) { return end }
    await untilBodyTaskIsFree()
    return conclude(result)
  }

  /// - Returns: Nil where nothing has happened, since somebody uses the handle of the task.
  func finishNow(_ result: OperationBody.Result) -> End? {
    change { state in state.bodyTask.end() ? finish(result, nil, &state) : nil }
  }

  /// Suspends while somebody uses the handle of the task that has run the body, to cancel it.
  private nonisolated(nonsending) func untilBodyTaskIsFree() async {
    await withUnsafeContinuation { waiter in
      if !change({ $0.bodyTask.park(waiter) }) { waiter.resume() }
    }
  }

  /// Finishes an operation whose body has run, in one step: for all to see, in the queue, and for those who wait.
  ///
  /// - Parameter letGo: Has the queue let go of it, unless that takes a turn; called under the operation's lock.
  /// - Returns: What the queue gives in exchange; nil where the operation has not finished, since there is more to do.
  func finishPlainly<Next: Sendable>(_ result: consuming OperationBody.Result, _ letGo: () -> Next?) -> Next? {
    // What is not used is freed before those who wait go on, and outside of the lock.
    let (next, waiters, _) = change { state -> (Next?, [Sleeper], (Membership?, ShortList<Dependencies.Entry>)) in
      guard state.isPlain, state.bodyTask.isFree, let next = letGo() else { return (nil, [], (nil, ShortList())) }
      _ = state.bodyTask.end()
      state.lifecycle.conclude()
      state.lifecycle.settle()
      _ = state.exchangeWork(for: Work(state.outcome(of: result)))
      return (next, state.takeWaiters(), (state.leaveQueue(), state.forgetDependencies()))
    }
    for waiter in waiters { waiter.resume() }
    return next
  }

  /// The task is cancelled already, so there is nothing but the mark.
  func markCancelledByTask() {
    _ = change { $0.lifecycle.cancel() }
  }

  /// Marks the operation as executing while the caller runs its body in a task of its own, which nobody may cancel.
  ///
  /// - Returns: Whether the body runs; not where the operation had been cancelled.
  func beginInCaller() -> Bool {
    change { state in
      guard state.lifecycle.begin() else { return false }
      state.work = .taken(.none)
      return true
    }
  }

  /// Finishes the operation for all to see.
  ///
  /// The caller tells the dependents, then calls ``settle()``.
  ///
  /// - Parameter result: What the body came to; nil where it did not run.
  func conclude(_ result: OperationBody.Result?) -> End {
    let unrunOutcome = result == nil ? failureOfDependency() : nil
    let end = change { finish(result, unrunOutcome, &$0) }
    if case .body(let body) = end.work { body.discard() }
    return end
  }

  private func finish(_ result: OperationBody.Result?, _ unrunOutcome: Outcome?, _ state: inout State) -> End {
    let outcome =
      if let result {
        state.outcome(of: result)
      } else if let unrunOutcome, !state.lifecycle.isCancelled {
        unrunOutcome
      } else {
        Outcome.cancelled
      }
    state.lifecycle.conclude()
    let isTaskRaised = state.donatedPriority > 0 && raisesTask(state)
    return End(
      dependents: state.takeDependents(), hasSucceeded: outcome.isSuccess, isTaskRaised: isTaskRaised,
      completionBlock: state.completionBlock.take(), waits: state.waitingBodies.removeEach(),
      work: state.exchangeWork(for: Work(outcome)), dependencies: state.forgetDependencies(),
      membership: state.leaveQueue())
  }

  /// The end is over: whoever waits goes on.
  func settle() {
    let (waiters, waits) = change { state in
      state.lifecycle.settle()
      return (state.takeWaiters(), state.waitingBodies.removeEach())
    }
    for waiter in waiters { waiter.resume() }
    for wait in waits where wait.finishedOne() { wait.goOnWithSlot() }
  }

  /// Why the operation does not run, where that is for a dependency.
  private func failureOfDependency() -> Outcome? {
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

extension OperationCore.State {
  fileprivate func outcome(of result: OperationBody.Result) -> OperationCore.Outcome {
    switch result {
    case .output(let output): .success(output)
    case .error(let error): error is CancellationError && lifecycle.isCancelled ? .cancelled : .failure(error)
    }
  }

  /// - Returns: What is to be freed outside of the lock.
  mutating func exchangeWork(for new: OperationCore.Work) -> OperationCore.Work {
    var work = new
    swap(&work, &self.work)
    return work
  }

  fileprivate mutating func takeBody() -> OperationBody? {
    guard case .body(let body) = exchangeWork(for: .taken(.none)) else { return nil }
    return body
  }

  /// - Returns: What is to be freed outside of the lock.
  fileprivate mutating func forgetDependencies() -> ShortList<OperationCore.Dependencies.Entry> {
    let entries = takeDependencies()
    if !entries.isEmpty { pastDependencies = entries.map { OperationCore.PastDependency(operation: $0.operation) } }
    return entries
  }

  /// - Returns: What is to be freed outside of the lock.
  fileprivate mutating func leaveQueue() -> OperationCore.Membership? {
    let membership = membership.take()
    entry = nil
    queueExecutor = membership?.host.executor
    return membership
  }
}
