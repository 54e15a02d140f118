// How a task runs the operation, and how the operation finishes.
//
// There is one path: `publishFinish`, then the dependents are released, then the queue removes the operation and the limits go
// back, then `tellWaiters`; for an operation in no queue, `finishAlone`. And there is a fast path for an operation that only
// its queue and plain waiters have to hear of: `finishAtOnce` publishes, takes the waiters, has the queue let go, and gives
// the limits back, all under the operation's lock. The waiters resume after it.
extension OperationStorage {
  /// How a task begins to run the operation.
  enum Beginning: ~Copyable, Sendable {
    case run(OperationBody, ExecutionContext)
    /// The operation was cancelled after it had been claimed.
    case skip
    /// It was chosen ahead, and is not ready any more or stands in line for its limits.
    case notReady(OperationReadiness)
  }

  /// Begins to run in a task, which runs nothing else until the operation has finished.
  ///
  /// - Parameters:
  ///   - operation: The operation; nil if it is in a queue.
  ///   - isPrefetched: Whether the operation was chosen ahead, and is to be claimed now.
  ///   - hasTaken: Whether its queue has taken its limits for it, which go back where it does not begin.
  func begin(
    in task: BodyTask,
    as operation: (any OperationProtocol)? = nil,
    isPrefetched: Bool = false,
    hasTaken: Bool = false
  ) -> Beginning {
    let action = apply { machine in
      machine.begin(in: task, isPrefetched: isPrefetched, hasTaken: hasTaken, takeLimits: LimitTable.takeAtOnceOrStand)
    }
    switch consume action {
    case .skip: return .skip
    case .notReady(let readiness, let taken):
      if let taken { LimitTable.remove(taken, by: nil).tell() }
      return .notReady(readiness)
    case .run(let body, let assigned, let escalatedPriority):
      // Moved: `??` would copy it.
      let running: any OperationProtocol
      if let operation {
        running = operation
      } else if let assigned = consume assigned {
        running = assigned
      } else {
        preconditionFailure("an executing operation without a reference to it")
      }
      if escalatedPriority > 0, isTaskEscalated(to: escalatedPriority, in: read { $0.assignment?.queue }) {
        task.escalate(to: escalatedPriority)
      }
      return .run(consume body, ExecutionContext(operation: running, task: task))
    }
  }

  /// Runs the body in the calling task and publishes the operation as finished.
  nonisolated(nonsending) func run(as operation: any OperationProtocol) async -> Machine.Finish {
    guard let task = BodyTask.current else { preconditionFailure("a body without a task") }
    raise(task, in: nil)
    guard case .run(let body, let context) = begin(in: task, as: operation) else { return publishFinish() }
    var remaining: OperationBody? = consume body
    var result = await ExecutionContext.$current.withValue(context) { await remaining.runOnce(under: executor) }
    weaken(&result)
    // The caller's task cancels this one, its child, before it calls the handler that cancels the operation.
    if task.isCancelled { apply { $0.taskWasCancelled() } }
    return await publishFinishOnceTaskIsFree(result)
  }

  /// Marks the operation as executing while the caller runs its body in a task of its own, which nobody may cancel.
  ///
  /// - Returns: Whether the body runs; not where the operation was cancelled.
  func beginInCaller() -> Bool {
    if case .run = apply({ $0.begin(in: nil) }) { true } else { false }
  }

  // MARK: Finishing

  /// Has an error hold no operations; not under the lock, since that asks operations for their names.
  @inline(__always)
  func weaken(_ result: inout OperationBody.Result) {
    if case .error(let error) = result { result = .error(KeptError.keeping(error, of: self)) }
  }

  /// Publishes the operation as finished without its body having run.
  func publishFinish() -> Machine.Finish {
    let outcome = failureOfDependency() ?? .cancelled
    let finish = apply { machine in publishFinish(&machine, machine.isCancelled ? .cancelled : outcome) }
    finish.body?.discard()
    return finish
  }

  /// Publishes the operation as finished, whose body has run, or was refused.
  func publishFinish(_ result: OperationBody.Result) -> Machine.Finish {
    apply { machine in publishFinish(&machine, machine.outcome(of: result)) }
  }

  private func publishFinish(_ machine: inout Machine, _ outcome: consuming Outcome) -> Machine.Finish {
    let finish = machine.publishFinish(outcome)
    if let failure = finish.failure { finish.released.assignment?.queue.operationFailed(failure) }
    return finish
  }

  /// Suspends until nobody uses the handle of the task, and publishes the operation as finished.
  ///
  /// Example: thread A cancels the operation, and is about to call `cancel()` on the handle of its task, outside of the
  /// lock. The body ends on thread B. If B went on, the task could end, or run the next operation's body, before A
  /// gets to it; so B waits until A has released the handle.
  nonisolated(nonsending) func publishFinishOnceTaskIsFree(_ result: OperationBody.Result) async -> Machine.Finish {
    let finish = apply { machine in
      machine.endTask() ? publishFinish(&machine, machine.outcome(of: result)) : nil
    }
    guard let finish = consume finish else {
      await suspendTask { waiter in apply { $0.awaitTask(waiter) } }
      return publishFinish(result)
    }
    return finish
  }

  /// Finishes the operation in one step: for those who ask, in its queue, and for those who wait.
  ///
  /// - Parameters:
  ///   - result: Taken where the operation finishes.
  ///   - takeNext: Has the queue let the operation go, which ends so, and gives its limits back; nil if that takes a turn. Called
  ///     under the lock, with the limits.
  /// - Returns: What the queue gives in exchange; nil if nothing has happened, since there is more to do.
  @inline(__always)
  func finishAtOnce<Next: Sendable>(
    _ result: inout OperationBody.Result?,
    _ takeNext: (OutcomeKind, _ limits: LimitTable.DemandID?) -> Next?
  ) -> Next? {
    var released: Machine.Released?
    // Freed outside of the lock.
    var limits: LimitNeeds?
    var news: Machine.News?
    let (next, waiters) = applyUnderLock(&news) { machine -> (Next?, KeyedList<FinishWaiter>) in
      guard machine.canFinishAtOnce, machine.endTask(),
        let next = takeNext(machine.outcomeKind(of: result), machine.heldLimits), let result = result.take()
      else { return (nil, KeyedList()) }
      released = machine.finishAtOnce(machine.outcome(of: consume result))
      limits = machine.endLimits()
      return (next, machine.takeWaiters())
    }
    // Before those who wait resume. Unwrapped, since to free an optional one asks the runtime for its layout.
    if let released = released.take() { _ = consume released }
    _ = limits.take()
    waiters.forEach { $0.resume() }
    if let news { tell(news) }
    return next
  }

  /// What follows once the queue has let the operation go.
  func takeFollowUps(of operation: any OperationProtocol) -> Machine.FollowUps {
    apply { $0.takeFollowUps(of: operation) }
  }

  /// Ends an operation that is in no queue, once it is published as finished.
  func finishAlone(_ finish: borrowing Machine.Finish, as operation: any OperationProtocol) {
    for change in finish.releaseDependents(by: nil) { change.notify() }
    let followUps = takeFollowUps(of: operation)
    if let call = followUps.completionCall { runUnstructured(call) }
    for wait in followUps.waitingBodies where wait.finishedOne() { wait.resumeWithSlot() }
    tellWaiters()
  }

  /// Ends an operation that its queue has refused, since that takes no more, and that nobody else knows yet.
  func refuse() {
    publishFinish(.error(OperationError.queueClosed)).body?.discard()
    tellWaiters()
  }

  /// Why the operation does not run, where that is because of a dependency.
  private func failureOfDependency() -> Outcome? {
    guard let dependency = read({ $0.firstFailedDependency }) else { return nil }
    let error: any Error =
      switch dependency.storage.outcome {
      case .failure(let kept): KeptError.restored(kept)
      case .cancelled, .released, .success, nil: CancellationError()
      }
    let failure =
      if case OperationError.dependencyFailed = error {
        error
      } else {
        OperationError.dependencyFailed(on: dependency, underlying: error) as any Error
      }
    // A body may have thrown an error that names this operation.
    return .failure(KeptError.keeping(failure, of: self))
  }
}

extension OperationStateMachine.Finish {
  /// Tells the dependents.
  ///
  /// - Parameter queue: The queue that tells them, and needs not be told; nil where none does.
  /// - Returns: Those whose queues are to be told.
  func releaseDependents(by queue: ObjectIdentifier?) -> ShortList<OperationStorage.ReadinessChange> {
    var changes = ShortList<OperationStorage.ReadinessChange>()
    let hasSucceeded = outcome == .succeeded
    dependents.forEach { dependent in
      dependent.storage.dependencyFinished(dependent.key, hasSucceeded: hasSucceeded, toldBy: queue, &changes)
    }
    return changes
  }
}

extension OperationStateMachine {
  /// The outcome of a body that has run: `CancellationError` means a cancellation only where there was one.
  func outcome(of result: consuming OperationBody.Result) -> ErasedOutcome {
    switch consume result {
    case .output(let output): .success(output)
    case .error(let error): isCancellation(error) ? .cancelled : .failure(error)
    }
  }

  /// The same without what was produced: nothing is retained.
  func outcomeKind(of result: borrowing OperationBody.Result?) -> OutcomeKind {
    switch result {
    case .output: .succeeded
    case .error(let error): isCancellation(error) ? .cancelled : .failed
    case nil: preconditionFailure("the result of a body was taken twice")
    }
  }

  private func isCancellation(_ error: any Error) -> Bool { isCancelled && error is CancellationError }
}
