/// The child task that runs the closure of a time-out, which is cancelled when the time is up.
///
/// From ``begin()`` to ``end(_:)`` it is a client of the timer, where there is one.
///
/// Where the time-out is in a body it counts as the body's own task, while the body waits for it: it stands in for that.
///
/// Example of why that has to end: an unstructured task that the closure starts inherits the context. The child task ends
/// and is freed, and a task that the unstructured one starts is allocated in its place: the handles are equal, and the operation is
/// still executing. But the body is elsewhere by then.
final class TimeoutTask: SharedTimer.Client {
  /// Used under the lock, and only as long as the closure has not ended: until then this task waits for it, and so it lives.
  private let caller: BodyTask
  /// The timer, and when the time is up in terms of its ``SharedTimer/elapsed``.
  private let deadline: (timer: SharedTimer, due: Duration)?
  private let state: Guarded<TimeoutStateMachine<BodyTask, UnsafeContinuation<Void, Never>>>

  /// - Parameters:
  ///   - caller: The task that waits for the closure.
  ///   - time: How long the closure may take, from now on.
  ///   - timer: What tells that the time is up; nil where it is up at once, or somebody else calls ``timerFired()``.
  init(caller: BodyTask, time: Duration, timer: SharedTimer?) {
    self.caller = caller
    deadline = timer.map { ($0, $0.elapsed + min(time, OperationSleep.longest)) }
    state = Guarded(TimeoutStateMachine(isTimeUp: time <= .zero))
  }

  /// Whether the time was up before the closure ended.
  var isTimeUp: Bool { state.withLock { $0.isTimeUp } }

  var hasEnded: Bool { state.withLock { $0.hasEnded } }

  /// The closure is about to run, in the calling task.
  ///
  /// - Returns: The task, and what ``end(_:)`` takes.
  func begin() -> (BodyTask, SharedTimer.ID?) {
    guard let task = BodyTask.current else { preconditionFailure("a child task without a task") }
    if hasPassed { timerFired() }
    if state.withLock({ $0.begin(task) }) { task.cancel() }
    return (task, deadline.map { $0.timer.add(self, deadline: $0.due) })
  }

  /// Whether it is later than the deadline, which the timer may be late to tell.
  ///
  /// Example: all threads are busy when the time is up, and the closure gets one of them before the timer does.
  private var hasPassed: Bool {
    guard let deadline else { return false }
    return deadline.timer.elapsed >= deadline.due
  }

  func timerFired() {
    guard let task = state.withLock({ $0.timeIsUp { caller.isCancelled } }) else { return }
    // Outside of the lock: this calls cancellation handlers, which are the user's.
    task.cancel()
    state.withLock { $0.cancelled() }?.resume()
  }

  /// The closure has ended.
  ///
  /// - Parameter timerID: What ``begin()`` has returned.
  /// - Returns: Whether nobody uses its task any more. Otherwise ``waitUntilFree()`` has to follow.
  func end(_ timerID: SharedTimer.ID?) -> Bool {
    if let timerID { deadline?.timer.remove(timerID) }
    if hasPassed { timerFired() }
    return state.withLock { $0.end() }
  }

  /// Returns once nobody uses the task any more: one that is being cancelled waits until the handlers have returned.
  func waitUntilFree() async {
    await suspendTask { waiter in state.withLock { $0.park(waiter) } }
  }
}
