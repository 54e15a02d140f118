extension AsyncOperationQueue {
  /// Runs a closure in the calling task when the queue has a slot for it, and returns what it produces.
  ///
  /// It is an operation of the queue like any other: listed, counted, ordered, subject to barriers
  /// and to suspension. Task-local values, priority and cancellation are those of the calling task. On ``main``, and on
  /// any queue with an executor, the closure runs there, unless it is isolated to an actor.
  ///
  /// In a body of an operation, of this queue or another, the closure holds this queue's slot alone: the body's own slot is
  /// lent until this returns. So a limit around a limit cannot be made by calling `run` in a body: more closures may be
  /// under way than the other queue's limit says.
  ///
  /// Suspends until there is a slot, and holds no thread meanwhile. Where the calling task is cancelled while it waits,
  /// or the operation is, it holds no slot and throws; once the closure runs, cancelling the operation marks it and
  /// leaves the calling task alone.
  ///
  /// - Parameters:
  ///   - name: What the operation is called in messages.
  ///   - queuePriority: Its place among the ready operations of the queue.
  ///   - file: Where `run` is called, for messages about the operation if it has no name.
  ///   - line: The line of the file.
  ///   - body: What is to run.
  /// - Throws: What the closure throws; `CancellationError` where it was cancelled before it ran;
  ///   ``OperationError/queueClosed`` where the queue takes no more.
  public nonisolated(nonsending) func run<Output>(
    name: String? = nil,
    queuePriority: QueuePriority = .normal,
    file: StaticString = #fileID,
    line: UInt = #line,
    _ body: () async throws -> Output
  ) async throws -> Output {
    let operation = AsyncOperation<Void>(
      .caller, isAsynchronous: true, name: name, queuePriority: queuePriority, taskPriority: nil,
      executor: nil, madeAt: CreationSite(file: file, line: line))
    let answer = OneShot<CallAnswer>()
    guard case .enqueued(let readiness, let priority) = operation.storage.enqueue(operation, in: self),
      post(.callAdded(operation.storage, answer), operation.storage, readiness, priority)
    else {
      throw OperationError.queueClosed
    }
    // A body that calls this waits for the operation, and has its slot again on return.
    guard case .begun(let wait) = await BodyWait.begin(for: [operation]) else {
      return try await run(operation, answer, body)
    }
    return try await run(operation, answer, wait, body)
  }

  /// Runs a closure in the calling task, alone: as a barrier of the queue.
  ///
  /// It is ``run(name:queuePriority:file:line:_:)`` with the place of a barrier: the closure runs after everything that was
  /// added before it, and before everything that is added after it. It is neither listed nor counted.
  ///
  /// Suspends until everything before it has finished, and holds no thread meanwhile. Where the calling task is cancelled
  /// while it waits, or ``cancelAllOperations()`` is called, it throws at once, and the barrier keeps its place, without the
  /// closure. A body that calls this of another queue lends its slot until this returns.
  ///
  /// A body of this queue would wait for itself, so the call always throws there. In a body of another queue the call throws
  /// where the barrier would have to wait for that body: through dependencies, waits, and what bodies wait for in the same
  /// way. Where two bodies call each other's queue, the later one throws. O(n log n) in a body.
  ///
  /// - Parameters:
  ///   - name: What the operation is called in messages.
  ///   - file: Where `runBarrier` is called, for messages about the operation if it has no name.
  ///   - line: The line of the file.
  ///   - body: What is to run.
  /// - Throws: What the closure throws; `CancellationError` where it was cancelled before it ran;
  ///   ``OperationError/waitWouldDeadlock``; ``OperationError/queueClosed`` where the queue takes no more.
  public nonisolated(nonsending) func runBarrier<Output>(
    name: String? = nil,
    file: StaticString = #fileID,
    line: UInt = #line,
    _ body: () async throws -> Output
  ) async throws -> Output {
    let context = ExecutionContext.ofOwnTask
    if context != nil, ExecutionContext.queue === self { throw OperationError.waitWouldDeadlock }
    let operation = AsyncOperation<Void>(
      .caller, isAsynchronous: true, name: name, queuePriority: .normal, taskPriority: nil,
      executor: nil, madeAt: CreationSite(file: file, line: line))
    let answer = OneShot<CallAnswer>()
    guard postBarrier(operation, caller: answer) else { throw OperationError.queueClosed }
    guard let context else { return try await run(operation, answer, body) }
    let barrier = (operation.storage, await operations(aheadOf: operation.storage))
    switch await BodyWait.begin(BodyWait(of: context, for: .operations([operation])), for: barrier) {
    case .begun(let wait):
      let result: Result<Output, any Error>
      do { result = .success(try await run(operation, answer, wait, body)) } catch { result = .failure(error) }
      DependencyGraph.remove(barrier: operation.storage)
      return try result.get()
    case .deadlock, .unrestricted:
      operation.cancel()
      // Cancelled, so the body does not run.
      _ = try? await run(operation, answer, body)
      throw OperationError.waitWouldDeadlock
    }
  }

  private func operations(aheadOf barrier: OperationStorage) -> [OperationStorage] {
    process()
    return barrier.entry(in: self).map(state.scheduler.work(aheadOf:)) ?? []
  }

  /// Runs a closure in the task of a body, which has its slot again on return.
  private nonisolated(nonsending) func run<Output>(
    _ operation: AsyncOperation<Void>,
    _ answer: OneShot<CallAnswer>,
    _ wait: BodyWait,
    _ body: () async throws -> Output
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

  private nonisolated(nonsending) func run<Output>(
    _ operation: AsyncOperation<Void>,
    _ answer: OneShot<CallAnswer>,
    _ body: () async throws -> Output
  ) async throws -> Output {
    let decision = await OperationStorage.escalating([operation.storage]) {
      await withTaskCancellationHandler {
        await answer.value
      } onCancel: {
        operation.cancel()
      }
    }
    guard case .run(let item) = decision, let task = BodyTask.current else { throw reason(operation) }
    guard operation.storage.beginInCaller() else {
      await finish(item, nil)
      throw reason(operation)
    }
    do {
      let context = ExecutionContext(operation: operation, task: task)
      let output = try await ExecutionContext.$queue.withValue(self) {
        try await ExecutionContext.$current.withValue(context) {
          try await withTaskExecutorPreference(executor, operation: body)
        }
      }
      await finish(item, .output(OperationOutput(())))
      return output
    } catch {
      await finish(item, .error(error))
      throw error
    }
  }

  /// Why an operation did not run, which has finished.
  private nonisolated func reason(_ operation: AsyncOperation<Void>) -> any Error {
    if case .failure(let error) = operation.outcome { error } else { CancellationError() }
  }

  private nonisolated(nonsending) func finish(_ item: WorkItem, _ result: OperationBody.Result?) async {
    // Cancelling the caller cancels its operation.
    if Task.isCancelled { item.storage.apply { $0.taskWasCancelled() } }
    // The calling task does not run the next operation.
    _ = await finish(item, result.map(item.storage.publishFinish) ?? item.storage.publishFinish(), for: nil)
  }
}
