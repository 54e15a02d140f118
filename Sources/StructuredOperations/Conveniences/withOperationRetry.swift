/// Runs a closure, and again after a pause where it fails, as often as a policy says.
///
/// ```swift
/// let policy = OperationRetryPolicy.exponential(
///   from: .milliseconds(100), upTo: .seconds(10), attempts: 5)
/// let page = try await withOperationRetry(
///   policy, while: { $0 is NetworkError }
/// ) { attempt in
///   try await fetch(url, attempt)
/// }
/// ```
///
/// The closure runs in the calling task, on the caller's actor, and may use its state. The first attempt begins at once. Each
/// pause begins when an attempt has failed, and suspends without holding a thread. In the body of an operation the slot is
/// lent during a pause, and the next attempt begins when the pause is over and there is a slot again. A pause of zero neither
/// sleeps nor lends.
///
/// Cancellation: in a pause it is thrown as `CancellationError`, after the body has its slot again; an attempt that fails in a
/// cancelled task is the last, and its own error is thrown. A `CancellationError` of an attempt is never followed by
/// another attempt.
///
/// - Parameters:
///   - policy: How often the closure runs, and how long the pauses are.
///   - clock: The clock on which the pauses are slept. Tests give a `VirtualClock` of `StructuredOperationsTesting`.
///   - condition: Whether an error is worth another attempt. Not called for a `CancellationError`, in a cancelled task, and
///     after the last attempt.
///   - body: The closure. Gets the number of the attempt, from 1 on.
/// - Returns: The result of the first attempt that succeeds.
/// - Throws: The error of the last attempt; `CancellationError` if the task is cancelled in a pause.
public nonisolated(nonsending) func withOperationRetry<Result>(
  _ policy: OperationRetryPolicy,
  clock: any Clock<Duration> = ContinuousClock(),
  while condition: (any Error) -> Bool = { _ in true },
  _ body: nonisolated(nonsending) (_ attempt: Int) async throws -> Result
) async throws -> Result {
  var machine = RetryStateMachine(policy)
  while true {
    do {
      return try await body(machine.attempt)
    } catch {
      switch machine.failed(RetryStateMachine.Failure(error)) {
      case .askCondition where condition(error): break
      case .askCondition, .giveUp: throw error
      }
    }
    var pause: Duration
    if machine.hasJitter {
      var generator = TaskRandomNumberGenerator()
      pause = machine.retry(shortenedBy: .random(in: 0...1, using: &generator))
    } else {
      pause = machine.retry()
    }
    if pause > .zero {
      // Before the slot is lent, which may take its time.
      let end = OperationSleep.end(of: pause, on: clock, purpose: .retryPause)
      try await withLentSlot { try await end.sleep() }
    }
    // While the body waited for its slot the task may have been cancelled, too.
    try Task.checkCancellation()
  }
}

/// Runs a closure that takes no parameter, and again after a pause where it fails, as often as a policy says.
///
/// See ``withOperationRetry(_:clock:while:_:)-(_,_,_,(Int)->Result)``.
///
/// - Parameters:
///   - policy: How often the closure runs, and how long the pauses are.
///   - clock: The clock on which the pauses are slept. Tests give a `VirtualClock` of `StructuredOperationsTesting`.
///   - condition: Whether an error is worth another attempt. Not called for a `CancellationError`, in a cancelled task, and
///     after the last attempt.
///   - body: The closure.
/// - Returns: The result of the first attempt that succeeds.
/// - Throws: The error of the last attempt; `CancellationError` if the task is cancelled in a pause.
public nonisolated(nonsending) func withOperationRetry<Result>(
  _ policy: OperationRetryPolicy,
  clock: any Clock<Duration> = ContinuousClock(),
  while condition: (any Error) -> Bool = { _ in true },
  _ body: nonisolated(nonsending) () async throws -> Result
) async throws -> Result {
  try await withOperationRetry(policy, clock: clock, while: condition) { _ in try await body() }
}

extension RetryStateMachine.Failure {
  fileprivate init(_ error: any Error) {
    self = error is CancellationError ? .cancellation : Task.isCancelled ? .inCancelledTask : .error
  }
}
