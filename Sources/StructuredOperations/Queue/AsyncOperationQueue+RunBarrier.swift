extension AsyncOperationQueue {
  /// Runs a closure in the calling task, alone: as a barrier of the queue.
  ///
  /// It is ``run(name:queuePriority:limits:file:line:_:)`` with the place of a barrier: the closure runs after everything that was
  /// added before it, and before everything that is added after it. It is neither listed nor counted.
  ///
  /// Suspends until everything before it has finished, and holds no thread meanwhile. Where the calling task is cancelled
  /// while it waits, or ``cancelAllOperations()`` is called, it throws at once, and the barrier keeps its place, without the
  /// closure. A body that calls this of another queue lends its slot until this returns.
  ///
  /// A body of this queue would wait for itself, so the call always throws in its own task. Child tasks of a body, and tasks
  /// that it starts, are not told: `async let` with this function in a body of this queue waits for ever. In a body of another queue the call throws
  /// where the barrier would have to wait for that body: through dependencies, waits, and what bodies wait for in the same
  /// way. Where two bodies call each other's queue, the later one throws. A barrier whose call throws so does not keep its place: what is
  /// added next may run before anything else ends. What is behind the barrier waits for it like for any
  /// other: see <doc:WaitingInBodies#Barriers-of-several-queues>.
  ///
  /// - Parameters:
  ///   - name: What the operation is called in messages.
  ///   - limits: The concurrency limits that the closure takes with its slot, at a cost of 1 each.
  ///   - file: Where `runBarrier` is called, for messages about the operation if it has no name.
  ///   - line: The line of the file.
  ///   - body: What is to run.
  /// - Throws: What the closure throws; `CancellationError` where it was cancelled before it ran;
  ///   ``OperationError/waitWouldDeadlock``; ``OperationError/queueClosed`` where the queue takes no more.
  /// - Complexity: O(n log n) in a body.
  public nonisolated(nonsending) func runBarrier<Output>(
    name: String? = nil,
    limits: [ConcurrencyLimit] = [],
    file: StaticString = #fileID,
    line: UInt = #line,
    _ body: nonisolated(nonsending) () async throws -> Output
  ) async throws -> Output {
    let context = ExecutionContext.ofOwnTask
    if context != nil, ExecutionContext.queue === self { throw OperationError.waitWouldDeadlock }
    let operation = AsyncOperation<Void>(
      .caller, isAsynchronous: true, name: name, queuePriority: .normal, taskPriority: 0,
      executor: nil, madeAt: CreationSite(file: file, line: line))
    operation.storage.setLimits(limits)
    let answer = OneShot<CallAnswer>()
    guard postBarrier(operation, caller: answer) else { throw OperationError.queueClosed }
    guard let context else {
      let taskWait = TaskWait.begin(for: .operations([operation]))
      defer { taskWait?.end() }
      return try await run(operation, answer, body)
    }
    let barrier = (operation.storage, await admitted(operation.storage))
    let wait = BodyWait(of: context, for: .operations([operation]), runsAwaited: true)
    switch await BodyWait.begin(wait, for: barrier) {
    case .begun:
      let result: Result<Output, any Error>
      do {
        result = .success(
          try await run(operation, answer, wait) {
            // It has begun: nothing is ahead of it any more.
            DependencyGraph.remove(barrier: operation.storage)
            return try await body()
          })
      } catch {
        result = .failure(error)
      }
      DependencyGraph.remove(barrier: operation.storage)
      return try result.get()
    case .deadlock, .unrestricted: try await refuse(operation, answer)
    }
  }

  /// Takes a turn, so that the barrier has its place.
  ///
  /// - Returns: What is ahead of it.
  private func admitted(_ barrier: OperationStorage) -> [OperationStorage] {
    process()
    return barrier.entry(in: self).map(state.scheduler.work(aheadOf:)) ?? []
  }
}
