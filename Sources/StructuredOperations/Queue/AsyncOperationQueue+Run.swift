extension AsyncOperationQueue {
  /// Runs a closure in the calling task when the queue has a slot for it, and returns what it produces.
  ///
  /// It is an operation of the queue like any other: listed, counted, in its place in the order, subject to barriers
  /// and to suspension. Task-local values, priority and cancellation are those of the calling task. On ``main``, and on
  /// any queue with an executor, the closure runs there, unless it is isolated to an actor.
  ///
  /// Suspends until there is a slot, and holds no thread meanwhile. Where the calling task is cancelled while it waits,
  /// or the operation is, it holds no slot and throws; once the closure runs, cancelling the operation marks it and
  /// leaves the calling task alone.
  ///
  /// - Parameters:
  ///   - name: What the operation is called in messages.
  ///   - queuePriority: Its place among the ready operations of the queue.
  ///   - body: What is to run.
  /// - Throws: What the closure throws; `CancellationError` where it was cancelled before it ran;
  ///   ``OperationError/queueClosed`` where the queue's scope has ended.
  public nonisolated(nonsending) func run<Output>(
    name: String? = nil,
    queuePriority: QueuePriority = .normal,
    _ body: () async throws -> Output
  ) async throws -> Output {
    let operation = AsyncOperation<Void>(
      .caller, isAsynchronous: true, name: name, queuePriority: queuePriority, taskPriority: nil,
      executor: nil)
    let ticket = RunTicket()
    let (_, standing, priority) = operation.core.enqueue(operation, in: self)
    guard post(.call(operation.core, ticket), operation.core, standing, priority) else {
      throw OperationError.queueClosed
    }
    // A body that calls this waits for the operation, and has its slot again on return.
    guard case .begun(let wait) = await BodyWait.begin(for: [operation]) else {
      return try await run(operation, ticket, body)
    }
    let result: Result<Output, any Error>
    do { result = .success(try await run(operation, ticket, body)) } catch { result = .failure(error) }
    if case .deadlock = await wait.untilGoingOn() { throw OperationError.waitWouldDeadlock }
    return try result.get()
  }

  private nonisolated(nonsending) func run<Output>(
    _ operation: AsyncOperation<Void>,
    _ ticket: RunTicket,
    _ body: () async throws -> Output
  ) async throws -> Output {
    let answer = await OperationCore.donatingPriority(to: [operation.core]) {
      await withTaskCancellationHandler {
        await ticket.answer
      } onCancel: {
        operation.cancel()
      }
    }
    guard case .run(let assignment) = answer, let task = BodyTask.current else { throw await reason(operation) }
    guard operation.core.beginInCaller() else {
      await finishRun(assignment, nil)
      throw await reason(operation)
    }
    do {
      let context = ExecutionContext(operation: operation, task: task)
      let output = try await ExecutionContext.$host.withValue(self) {
        try await ExecutionContext.$current.withValue(context) {
          try await withTaskExecutorPreference(executor, operation: body)
        }
      }
      await finishRun(assignment, .output(OperationOutput(())))
      return output
    } catch {
      await finishRun(assignment, .error(error))
      throw error
    }
  }

  /// Why an operation did not run.
  private nonisolated(nonsending) func reason(_ operation: AsyncOperation<Void>) async -> any Error {
    do {
      try await operation.value
      preconditionFailure("an operation that did not run succeeded")
    } catch {
      return error
    }
  }

  private nonisolated(nonsending) func finishRun(
    _ assignment: QueueTurn.Assignment,
    _ result: OperationBody.Result?
  ) async {
    // What cancels the caller cancels its operation.
    if Task.isCancelled { assignment.core.markCancelledByTask() }
    let end = assignment.core.conclude(result)
    // The calling task has other things to do than to run what comes next.
    _ = await finished(assignment, end, end.tellDependents(), lane: nil)
    assignment.core.settle()
  }
}
