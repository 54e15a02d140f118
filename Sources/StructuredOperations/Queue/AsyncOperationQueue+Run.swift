extension AsyncOperationQueue {
  /// Runs a closure in the calling task when the queue has a slot for it, and returns what it produces.
  ///
  /// It is an operation of the queue like any other: listed, counted, ordered, subject to barriers
  /// and to suspension. Task-local values, priority and cancellation are those of the calling task.
  ///
  /// The closure runs on the actor that it is isolated to; a `@concurrent` one, or such a function, on none; any other on the
  /// caller's. On ``main``, and on any queue with an executor, that executor runs it, unless its actor has an executor of its own, as
  /// the main actor has, or runs on another thread already, for another task. What must be on the main thread says `{ @MainActor in }`.
  /// The call needs the queue's executor before and after the closure in any case. While that is busy the closure waits, with its
  /// slot, and cancellation does not help.
  ///
  /// In a body of an operation, of this queue or another, the closure holds this queue's slot alone: the body's own slot is
  /// lent until this returns. So a limit around a limit cannot be made by calling `run` in a body: more closures may be
  /// under way than the other queue's limit says.
  ///
  /// The closure must not block where the calling task must not: a call that blocks goes to ``OperationThreadPool/run(_:)``.
  ///
  /// Suspends until there is a slot, and holds no thread meanwhile. Where the calling task is cancelled while it waits,
  /// or the operation is, it holds no slot and throws; once the closure runs, cancelling the calling task cancels the operation,
  /// and cancelling the operation marks it and leaves the calling task alone.
  ///
  /// - Parameters:
  ///   - name: What the operation is called in messages.
  ///   - queuePriority: Its place among the ready operations of the queue.
  ///   - limits: The concurrency limits that the closure takes with its slot, at a cost of 1 each.
  ///   - file: Where `run` is called, for messages about the operation if it has no name.
  ///   - line: The line of the file.
  ///   - body: What is to run.
  /// - Throws: What the closure throws; `CancellationError` where it was cancelled before it ran;
  ///   ``OperationError/waitWouldDeadlock`` in a body that the closure would have to wait for;
  ///   ``OperationError/queueClosed`` where the queue takes no more.
  public nonisolated(nonsending) func run<Output>(
    name: String? = nil,
    queuePriority: QueuePriority = .normal,
    limits: [ConcurrencyLimit] = [],
    file: StaticString = #fileID,
    line: UInt = #line,
    _ body: nonisolated(nonsending) () async throws -> Output
  ) async throws -> Output {
    let operation = AsyncOperation<Void>(
      .caller, isAsynchronous: true, name: name, queuePriority: queuePriority, taskPriority: 0,
      executor: nil, madeAt: CreationSite(file: file, line: line))
    operation.storage.setLimits(limits)
    let answer = OneShot<CallAnswer>()
    let storage = operation.storage
    // The turn would be bound to the executor that the task prefers.
    let preferred = withUnsafeCurrentTask { $0?.unownedTaskExecutor }
    let mayTakeTurn = preferred == nil || preferred == executor?.asUnownedTaskExecutor()
    var takesTurn = false
    let isAdded = add(operation, storage, as: .callAdded(storage, answer), replacesRunner: mayTakeTurn) {
      takesTurn = true
    }
    guard isAdded else { throw OperationError.queueClosed }
    if takesTurn { await process() }
    // A body that calls this waits for the operation, and has its slot again on return.
    switch await BodyWait.begin(for: [operation], runsAwaited: true) {
    case .begun(let wait): return try await run(operation, answer, wait, body)
    case .unrestricted:
      let taskWait = TaskWait.begin(for: .operations([operation]))
      defer { taskWait?.end() }
      return try await run(operation, answer, body)
    case .deadlock:
      // An observer of the addition, for one, may have made the operation depend on the one whose body calls this.
      try await refuse(operation, answer)
    }
  }

  /// Ends the operation of a call that would wait for ever.
  ///
  /// - Throws: ``OperationError/waitWouldDeadlock``.
  nonisolated(nonsending) func refuse(
    _ operation: AsyncOperation<Void>,
    _ answer: OneShot<CallAnswer>
  ) async throws -> Never {
    operation.withdrawCall()
    // It is cancelled in the next turn. Should it have been chosen before, it runs nothing.
    _ = try? await run(operation, answer) {}
    throw OperationError.waitWouldDeadlock
  }

  /// Runs a closure in the task of a body, which has its slot again on return.
  nonisolated(nonsending) func run<Output>(
    _ operation: AsyncOperation<Void>,
    _ answer: OneShot<CallAnswer>,
    _ wait: BodyWait,
    _ body: nonisolated(nonsending) () async throws -> Output
  ) async throws -> Output {
    let result: Result<Output, any Error>
    do { result = .success(try await run(operation, answer, body)) } catch { result = .failure(error) }
    // A barrier that was cancelled is still in its queue.
    if wait.end(.done) {
      wait.unregister()
      wait.resumeWithSlot()
    }
    if case .deadlock = await wait.untilResumed() { throw OperationError.waitWouldDeadlock }
    return try result.get()
  }

  /// Runs a closure in the calling task once the queue says so.
  nonisolated(nonsending) func run<Output>(
    _ operation: AsyncOperation<Void>,
    _ answer: OneShot<CallAnswer>,
    _ body: nonisolated(nonsending) () async throws -> Output
  ) async throws -> Output {
    try await run(operation, answer, on: #isolation, body)
  }

  private func run<Output>(
    _ operation: AsyncOperation<Void>,
    _ answer: OneShot<CallAnswer>,
    on isolation: isolated (any Actor)?,
    _ body: nonisolated(nonsending) () async throws -> Output
  ) async throws -> Output {
    try await withTaskCancellationHandler {
      try await runOnceChosen(operation, answer, on: isolation, body)
    } onCancel: {
      operation.cancel()
    }
  }

  private func runOnceChosen<Output>(
    _ operation: AsyncOperation<Void>,
    _ answer: OneShot<CallAnswer>,
    on isolation: isolated (any Actor)?,
    _ body: nonisolated(nonsending) () async throws -> Output
  ) async throws -> Output {
    let decision = await OperationStorage.escalating([operation.storage]) { await answer.value }
    guard case .run(let item) = decision, let task = BodyTask.current else { throw reason(operation) }
    guard operation.storage.beginInCaller() else {
      await callEnded(item, nil)
      throw reason(operation)
    }
    do {
      let context = ExecutionContext(operation: operation, task: task)
      let output = try await ExecutionContext.$queue.withValue(self) {
        try await ExecutionContext.$current.withValue(context) {
          // These closures run there, too, since the isolation is captured below.
          guard let executor else { return try await body() }
          return try await BorrowedClosure.lend(body, isolation: isolation) { await $0.run(preferring: executor) }
        }
      }
      await callEnded(item, .output(OperationOutput(())))
      return output
    } catch {
      await callEnded(item, .error(error))
      throw error
    }
  }

  /// Why an operation did not run, which has finished.
  private nonisolated func reason(_ operation: AsyncOperation<Void>) -> any Error {
    if case .failure(let error) = operation.outcome { error } else { CancellationError() }
  }

  /// - Parameter result: Nil if the closure has not run.
  private nonisolated(nonsending) func callEnded(_ item: WorkItem, _ result: OperationBody.Result?) async {
    let storage = item.storage
    // The handler that cancels the operation may not have been called yet.
    if Task.isCancelled { storage.apply { $0.taskWasCancelled() } }
    let finish: OperationStateMachine.Finish
    if var result {
      storage.weaken(&result)
      finish = storage.publishFinish(result)
    } else {
      leavesUnrun(item)
      finish = storage.publishFinish()
    }
    // The calling task does not run the next operation.
    _ = await self.finish(item, finish, for: nil)
  }
}
