/// Runs a closure, which is cancelled and fails if it has not ended when a time is up.
///
/// ```swift
/// let page = try await withOperationTimeout(.seconds(5)) {
///   try await fetch(url)
/// }
/// ```
///
/// The time counts from the call. Once it is up the closure's task is cancelled, and awaited: a closure that does not heed
/// cancellation ends later than that. Then ``OperationError/timedOut(_:)`` is thrown, also where the closure returns a value
/// or throws another error so late. The clock is asked before the closure begins and once it has ended; at the very end of the time
/// it is up. A closure for which no time is left when it begins, as with a time of nothing or less, runs cancelled.
///
/// The closure runs on the caller's actor and may use its state, but in a child task, since only a task can be cancelled.
/// Task-local values and priority are those of the caller. Where the calling task is cancelled, the closure's is, and the
/// closure decides what is thrown or returned. Suspends until the closure has ended.
///
/// It costs a child task. All time-outs on the continuous clock share one timer of the process, which sleeps in a task of
/// its own until the first of them is up; a closure that ends in time leaves nothing in it. Where the time is up, a task of the
/// timer's calls the cancellation handlers, without the caller's task-local values. On another clock each time-out sleeps in
/// a child task of its own, and leaves no sleeper there.
///
/// In the body of an operation the closure counts as part of the body. Waits in it for operations and queues lend the slot,
/// and those that could never end are found. A wait for a ``AsyncOperation/value`` that is cut short leaves that operation
/// alone, and returns with a slot, which may take longer than the time. The slot is not lent otherwise: see
/// ``withLentSlot(_:)``. The time-out of a whole operation is this around the whole of its body; then the time counts from the
/// body's beginning.
///
/// - Parameters:
///   - duration: How long the closure may take.
///   - clock: The clock that tells the time. Tests give a `VirtualClock` of `StructuredOperationsTesting`.
///   - body: The closure.
/// - Returns: The result of the closure.
/// - Throws: The error of the closure; ``OperationError/timedOut(_:)`` if the time was up before it ended.
public nonisolated(nonsending) func withOperationTimeout<Result>(
  _ duration: Duration,
  clock: any Clock<Duration> = ContinuousClock(),
  _ body: nonisolated(nonsending) () async throws -> Result
) async throws -> Result {
  guard let caller = BodyTask.current else { preconditionFailure("an asynchronous function without a task") }
  let timeEnd = TimeoutTask.TimeEnd(after: duration, on: clock)
  let task = TimeoutTask(caller: caller, timeEnd: timeEnd)
  let context = ExecutionContext.ofOwnTask(caller)
  return try await BorrowedClosure.lend(body, isolation: #isolation) { closure in
    async let closureEnd: Void = run(closure, in: task, context)
    if case .sleep(let deadline, _) = timeEnd {
      // Cancelled, and awaited, when this scope ends.
      async let _: Void = cancel(task, after: deadline)
      await closureEnd
    } else {
      await closureEnd
    }
    if task.isTimeUp { throw OperationError.timedOut(duration) }
  }
}

/// Runs a closure in the calling task, a child task, on the actor of its caller.
@concurrent
private func run(
  _ closure: BorrowedClosure,
  in task: TimeoutTask,
  _ context: ExecutionContext?
) async {
  let (handle, timerID) = task.begin()
  if let context {
    let context = ExecutionContext(operation: context.operation, task: handle, standIn: task)
    await ExecutionContext.$current.withValue(context) { await closure.run() }
  } else {
    await closure.run()
  }
  if !task.end(timerID) { await task.waitUntilFree() }
}

/// Not on the actor of the closure: where that keeps its actor busy, nobody could cancel it.
@concurrent
private func cancel(_ task: TimeoutTask, after deadline: OperationSleep.Deadline) async {
  // What a clock throws is no end of the time.
  do { try await deadline.sleep() } catch { return }
  task.timerFired()
}
