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
/// or throws another error so late. With a time of nothing or less the closure runs cancelled.
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
  let end = TimeoutEnd(after: duration, on: clock)
  let task = TimeoutTask(caller: caller, isTimeUp: end.isNow)
  let context = ExecutionContext.ofOwnTask(caller)
  return try await BorrowedClosure.lend(body, isolation: #isolation) { closure in
    async let closureEnd: Void = run(closure, on: #isolation, in: task, context, until: end)
    if case .sleep(let deadline) = end {
      // Cancelled, and awaited, when this scope ends.
      async let _: Void = sleep(until: deadline, cancelling: task)
      await closureEnd
    } else {
      await closureEnd
    }
    if task.isTimeUp { throw OperationError.timedOut(duration) }
  }
}

/// When the time of a closure is up.
private enum TimeoutEnd: Sendable {
  case now
  case deadline(Duration, SharedTimer)
  /// Indirect, so that copies of the other cases are cheap.
  indirect case sleep(OperationSleep.Deadline)

  init(after duration: Duration, on clock: any Clock<Duration>) {
    if duration <= .zero {
      self = .now
    } else if let timer = SharedTimer.replacing(clock) {
      self = .deadline(timer.elapsed + min(duration, OperationSleep.longest), timer)
    } else {
      self = .sleep(OperationSleep.end(of: duration, on: clock, purpose: .timeout))
    }
  }

  var isNow: Bool { if case .now = self { true } else { false } }

  /// Whether it is later than the deadline of the timer, which may be late to say so.
  ///
  /// Example: all threads are busy when the time is up, and the closure gets one of them before the timer does.
  var hasPassed: Bool { if case .deadline(let deadline, let timer) = self { timer.elapsed >= deadline } else { false } }
}

/// Runs a closure in the calling task, a child task, on the actor of its caller.
@concurrent
private func run(
  _ closure: BorrowedClosure,
  on actor: (any Actor)?,
  in task: TimeoutTask,
  _ context: ExecutionContext?,
  until end: TimeoutEnd
) async {
  if end.hasPassed { task.timerFired() }
  let handle = task.begin()
  let timerID: SharedTimer.ID? =
    if case .deadline(let deadline, let timer) = end { timer.add(task, deadline: deadline) } else { nil }
  if let context {
    let context = ExecutionContext(operation: context.operation, task: handle, standIn: task)
    await ExecutionContext.$current.withValue(context) { await closure.run(on: actor) }
  } else {
    await closure.run(on: actor)
  }
  if case .deadline(_, let timer) = end, let timerID { timer.remove(timerID) }
  if end.hasPassed { task.timerFired() }
  await task.end()
}

/// Not on the actor of the closure: where that keeps its actor busy, nobody could cancel it.
@concurrent
private func sleep(until deadline: OperationSleep.Deadline, cancelling task: TimeoutTask) async {
  // What a clock throws is no end of the time.
  do { try await deadline.sleep() } catch { return }
  task.timerFired()
}
