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
/// closure decides what is thrown or returned. Suspends until the closure has ended, and leaves no sleeper on the clock.
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
  let deadline = duration > .zero ? OperationSleep.end(of: duration, on: clock, purpose: .timeout) : nil
  return try await BorrowedClosure.lend(body, isolation: #isolation) { closure in
    let isInTime = await run(closure, on: #isolation, until: deadline)
    if !isInTime { throw OperationError.timedOut(duration) }
  }
}

/// How a child task of a time-out has ended.
private enum TimeoutEvent: Sendable {
  case closureEnded
  case timeUp
  case sleepCancelled
}

/// Runs a closure in a child task, on an actor, and another one that sleeps meanwhile.
///
/// Not on that actor itself: where the closure keeps it busy, nobody could cancel the closure.
///
/// - Parameter deadline: When the closure's task is cancelled; nil if it is so from the beginning.
/// - Returns: Whether the closure had ended by then.
@concurrent
private func run<Result>(
  _ closure: BorrowedClosure<Result>,
  on actor: (any Actor)?,
  until deadline: OperationSleep.Deadline?
) async -> Bool {
  let context = ExecutionContext.ofOwnTask
  return await withTaskGroup(of: TimeoutEvent.self) { group in
    if let deadline {
      group.addTask {
        do { try await deadline.sleep() } catch { return .sleepCancelled }
        return Task.isCancelled ? .sleepCancelled : .timeUp
      }
    } else {
      group.cancelAll()
    }
    group.addTask {
      if let context { await context.standingIn { await closure.run(on: actor) } } else { await closure.run(on: actor) }
      return .closureEnded
    }
    // The first of the two events decides; the other one is the end of a cancelled task.
    var isInTime = deadline == nil ? false : nil
    while let event = await group.next() {
      switch event {
      case .closureEnded: isInTime = isInTime ?? true
      case .timeUp: isInTime = isInTime ?? false
      case .sleepCancelled: continue
      }
      group.cancelAll()
    }
    return isInTime ?? true
  }
}
