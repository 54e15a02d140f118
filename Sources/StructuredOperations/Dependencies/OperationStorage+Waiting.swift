extension OperationStorage {
  /// Suspends until the operation has finished, its queue has let it go, and its dependents have been told.
  ///
  /// - Returns: How the wait ended, which for any task but a body's own is always the same.
  func waitUntilFinished(_ operation: any OperationProtocol) async -> BodyWait.Progress.End {
    if isEveryoneTold { return .done }
    return await Self.escalating([self]) {
      if let end = await BodyWait.wait(for: [operation]) { return end }
      let taskWait = TaskWait.begin(for: .operations([operation]))
      defer { taskWait?.end() }
      while !isEveryoneTold { await suspendTask { waiter in apply { $0.addWaiter(FinishWaiter(waiter)) } } }
      return .done
    }
  }

  /// The same, where cancelling the waiting task ends the wait.
  ///
  /// A task that is cancelled already does not begin to wait, so it lends no slot.
  func waitUnlessCancelled(for operation: any OperationProtocol) async -> BodyWait.Progress.End {
    if isEveryoneTold { return .done }
    if Task.isCancelled, !isFinished { return .cancelled }
    return await Self.escalating([self]) {
      switch await BodyWait.begin(for: [operation]) {
      case .unrestricted:
        let taskWait = TaskWait.begin(for: .operations([operation]))
        defer { taskWait?.end() }
        return await suspendUntilFinishedOrCancelled()
      case .deadlock(let loop): return .deadlock(loop)
      case .begun(let wait):
        return await withTaskCancellationHandler {
          await wait.untilResumed()
        } onCancel: {
          wait.cancel()
        }
      }
    }
  }

  /// Suspends until everyone has been told of the end, or the task is cancelled.
  private func suspendUntilFinishedOrCancelled() async -> BodyWait.Progress.End {
    guard let task = BodyTask.current else { preconditionFailure("a wait without a task") }
    await withTaskCancellationHandler {
      await suspendTask { continuation in
        guard apply({ $0.addWaiter(FinishWaiter(continuation, cancelledWith: task)) }) else { return false }
        // Where the task was cancelled before it had a waiter, the handler below has found none.
        return !task.isCancelled || apply { $0.removeWaiter(cancelledWith: task) } == nil
      }
    } onCancel: {
      apply { $0.removeWaiter(cancelledWith: task) }?.resume()
    }
    return isEveryoneTold ? .done : .cancelled
  }

  /// Runs the operation without a queue: see ``AsyncOperation/start()``.
  func start(as operation: any OperationProtocol) async throws {
    switch apply({ $0.start() }) {
    case .nothing: return
    case .notReady: throw OperationError.notReady
    case .alreadyEnqueued: throw OperationError.alreadyEnqueued
    case .alreadyExecuting: throw OperationError.alreadyExecuting
    case .skip: finishAlone(publishFinish(), as: operation)
    case .run:
      // The body of another operation that does this waits for the end like any that awaits it.
      let beginning = await BodyWait.begin(for: [operation], runsAwaited: true)
      let taskWait = beginning.isUnrestricted ? TaskWait.begin(for: .operations([operation])) : nil
      defer { taskWait?.end() }
      await withTaskCancellationHandler {
        let limits = await takeLimits(as: operation)
        // A child task, since cancelling the operation cancels the task of its body, and not the caller's.
        let priority = TaskPriority.unlessZero(taskPriority)
        let run: @Sendable () async -> FinishBox = {
          await ExecutionContext.$queue.withValue(nil) {
            await ExecutionContext.$limitedStart.withValue(limits) { FinishBox(await self.run(as: operation)) }
          }
        }
        let end = await withTaskGroup { group in
          if let executor = executor ?? childExecutor {
            group.addTask(executorPreference: executor, priority: priority, operation: run)
          } else {
            group.addTask(priority: priority, operation: run)
          }
          return await group.next()
        }
        guard let end else { preconditionFailure("a child task got lost") }
        limits?.end()
        finishAlone(end.finish, as: operation)
      } onCancel: {
        cancel()
      }
      if case .begun(let wait) = beginning { _ = await wait.untilResumed() }
    }
  }

  /// Takes the limits of an operation that was started by hand, and suspends until it has them or is cancelled.
  ///
  /// - Returns: What has them; nil where the operation needs none.
  private func takeLimits(as operation: any OperationProtocol) async -> LimitedStart? {
    guard let (start, rank) = apply({ $0.startTakingLimits(for: operation, order: LimitTable.nextOrder) }) else {
      return nil
    }
    if read({ $0.isCancelled }) { start.cancel() }
    await start.take(as: rank)
    return start
  }
}

/// Carries a finish out of a child task, whose result has to be copyable.
private final class FinishBox: Sendable {
  let finish: OperationStateMachine.Finish

  init(_ finish: consuming OperationStateMachine.Finish) {
    self.finish = finish
  }
}
