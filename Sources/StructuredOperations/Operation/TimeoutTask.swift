/// The child task that runs the closure of a time-out, which is cancelled when the time is up.
///
/// From ``begin()`` to ``end(_:)`` it is a client of the timer, where that tells the end of the time.
///
/// Where the time-out is in a body it counts as the body's own task, while the body waits for it: it stands in for that.
///
/// Example of why that has to end: an unstructured task that the closure starts inherits the context. The child task ends
/// and is freed, and a task that the unstructured one starts is allocated in its place: the handles are equal, and the operation is
/// still executing. But the body is elsewhere by then.
final class TimeoutTask: SharedTimer.Client {
  /// Used under the lock, and only as long as the closure has not ended: until then this task waits for it, and so it lives.
  private let caller: BodyTask
  private let timeEnd: TimeEnd
  private let state: Guarded<TimeoutStateMachine<BodyTask, UnsafeContinuation<Void, Never>>>

  /// How the end of the time is known.
  enum TimeEnd: Sendable {
    /// Before the closure begins.
    case atOnce
    /// The timer tells it, when it is due in terms of ``SharedTimer/elapsed``.
    case timer(SharedTimer, due: Duration)
    /// A task sleeps until then, and calls ``timerFired()``. Whether the clock may be asked, too: not under a reproducible
    /// executor, unless the clock is that of the run.
    case sleep(OperationSleep.Deadline, isReadable: Bool)

    /// That of a time which begins now.
    init(after time: Duration, on clock: any Clock<Duration>) {
      if time <= .zero {
        self = .atOnce
      } else if let timer = SharedTimer.replacing(clock) {
        self = .timer(timer, due: timer.elapsed + min(time, OperationSleep.longest))
      } else {
        let deadline = OperationSleep.end(of: time, on: clock, purpose: .timeout)
        self = .sleep(deadline, isReadable: ReproducibleExecutors.current?.isOwn(clock) ?? true)
      }
    }
  }

  /// - Parameter caller: The task that waits for the closure.
  init(caller: BodyTask, timeEnd: TimeEnd) {
    self.caller = caller
    self.timeEnd = timeEnd
    let isTimeUp = if case .atOnce = timeEnd { true } else { false }
    state = Guarded(TimeoutStateMachine(isTimeUp: isTimeUp))
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
    guard case .timer(let timer, let due) = timeEnd else { return (task, nil) }
    return (task, timer.add(self, deadline: due))
  }

  /// Whether the time has ended, which the timer or the sleeper may be late to tell.
  ///
  /// Example: all threads are busy when the time is up, and the closure gets one of them before the timer does.
  private var hasPassed: Bool {
    switch timeEnd {
    case .atOnce: false
    case .timer(let timer, let due): timer.elapsed >= due
    case .sleep(let deadline, let isReadable): isReadable && deadline.hasPassed
    }
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
    if let timerID, case .timer(let timer, _) = timeEnd { timer.remove(timerID) }
    if hasPassed { timerFired() }
    return state.withLock { $0.end() }
  }

  /// Returns once nobody uses the task any more: one that is being cancelled waits until the handlers have returned.
  func waitUntilFree() async {
    await suspendTask { waiter in state.withLock { $0.park(waiter) } }
  }
}
