/// The child task that runs the closure of a time-out, which is cancelled when the time is up.
///
/// Where the time-out is in a body it counts as the body's own task, while the body waits for it: it stands in for that.
///
/// Example of why that has to end: an unstructured task that the closure starts inherits the context. The child task ends
/// and is freed, and a task that the unstructured one starts is allocated in its place: the handles are equal, and the operation is
/// still executing. But the body is elsewhere by then.
final class TimeoutTask: SharedTimer.Client {
  /// Used under the lock, and only as long as the closure has not ended: until then this task waits for it, and so it lives.
  private let caller: BodyTask
  private let state: Guarded<TimeoutStateMachine<BodyTask, UnsafeContinuation<Void, Never>>>

  /// - Parameters:
  ///   - caller: The task that waits for the closure.
  ///   - isTimeUp: Whether the closure has no time at all.
  init(caller: BodyTask, isTimeUp: Bool) {
    self.caller = caller
    state = Guarded(TimeoutStateMachine(isTimeUp: isTimeUp))
  }

  /// Whether the time was up before the closure ended.
  var isTimeUp: Bool { state.withLock { $0.isTimeUp } }

  var hasEnded: Bool { state.withLock { $0.hasEnded } }

  /// The closure is about to run, in the calling task.
  ///
  /// - Returns: The task.
  func begin() -> BodyTask {
    guard let task = BodyTask.current else { preconditionFailure("a child task without a task") }
    if state.withLock({ $0.begin(task) }) { task.cancel() }
    return task
  }

  func timerFired() {
    guard let task = state.withLock({ $0.timeIsUp { caller.isCancelled } }) else { return }
    // Outside of the lock: this calls cancellation handlers, which are the user's.
    task.cancel()
    state.withLock { $0.cancelled() }?.resume()
  }

  /// The closure has ended.
  ///
  /// Returns once nobody uses its task any more: one that is being cancelled waits until the handlers have returned.
  func end() async {
    if state.withLock({ $0.end() }) { return }
    await suspendTask { waiter in state.withLock { $0.park(waiter) } }
  }
}
