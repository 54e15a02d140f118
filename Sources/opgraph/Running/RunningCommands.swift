import Synchronization

/// The running commands, and those that wait until the system has what they need.
final class RunningCommands: Sendable {
  typealias Start = @Sendable () throws -> CommandProcess

  fileprivate struct Waiter {
    let id: String
    let start: Start
    let continuation: CheckedContinuation<CommandProcess, any Error>
  }

  fileprivate struct State {
    var policy: StartPolicy
    var processes: [String: CommandProcess] = [:]
    /// Those that the system lacked something for, in order; empty if none runs.
    var waiting: [Waiter] = []
    /// The operations whose commands a signal has ended.
    var interrupted: Set<String> = []
    /// The operations that are in a pause between two attempts.
    var pausing: Set<String> = []
    /// Whether those that wait will be tried again after a time.
    var isRetryScheduled = false
    var onLimit: (@Sendable () -> Void)?
  }

  /// How long the system is given to have what it lacked, unless a command ends before that.
  ///
  /// What it lacks may be what processes of others have taken, of whose ends nobody tells.
  static let retryDelay = Duration.seconds(1)

  private let schedule: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void
  private let state: Mutex<State>

  /// - Parameter schedule: Calls its argument after a time.
  init(failureLimit: Int?, schedule: @escaping @Sendable (Duration, @escaping @Sendable () -> Void) -> Void) {
    self.schedule = schedule
    state = Mutex(State(policy: StartPolicy(failureLimit: failureLimit)))
  }

  /// Has `handler` called after the failure that is the last one allowed; to be set before the first start.
  func onLimit(_ handler: @escaping @Sendable () -> Void) {
    state.withLock { $0.onLimit = handler }
  }

  /// Whether commands may start.
  var mayStart: Bool { state.withLock(\.policy.mayStart) }

  /// Why none may start any more; nil while they may.
  var stopReason: NotRunReason? { state.withLock(\.policy.stopReason) }

  /// Whether an operation is in a pause between two attempts, or waits to go on after one.
  func isPausing(_ id: String) -> Bool { state.withLock { $0.pausing.contains(id) } }

  /// Begins a pause, which the next start of the operation ends; returns whether there may be another attempt.
  ///
  /// In one step with the question: if the limit is reached just before, there is no pause, and if just after, the pause is
  /// known to be one that has to end.
  func pause(_ id: String) -> Bool {
    state.withLock { state in
      guard state.policy.mayStart else { return false }
      state.pausing.insert(id)
      return true
    }
  }

  /// Whether a signal of the tool has ended the command of an operation.
  func wasInterrupted(_ id: String) -> Bool { state.withLock { $0.interrupted.contains(id) } }

  /// The command of an operation, if it runs.
  func process(of id: String) -> CommandProcess? { state.withLock { $0.processes[id] } }

  /// Starts the command of an operation; throws ``SystemError``, or `CancellationError` if none may start any more.
  ///
  /// Where the system lacks something, this waits for the ends of commands and tries again after each, and every second.
  func start(_ id: String, _ start: @escaping Start) async throws -> CommandProcess {
    try await withCheckedThrowingContinuation { continuation in
      let result = state.withLock { state in
        let result = state.waiting.isEmpty || !state.policy.mayStart ? state.start(id, start) : nil
        if result == nil { state.waiting.append(Waiter(id: id, start: start, continuation: continuation)) }
        return result
      }
      if let result { continuation.resume(with: result) } else { scheduleRetry() }
    }
  }

  private func scheduleRetry() {
    let isNeeded = state.withLock { state in
      !state.waiting.isEmpty && !exchange(&state.isRetryScheduled, with: true)
    }
    guard isNeeded else { return }
    schedule(Self.retryDelay) { [self] in
      update { state in
        state.isRetryScheduled = false
        return false
      }
      scheduleRetry()
    }
  }

  /// To be told before the operation goes on.
  ///
  /// - Parameter counts: Whether a failure is one for the limit.
  func ended(_ id: String, _ verdict: CommandResult.Verdict, counts: Bool) {
    update { state in
      if verdict == .cancelled { state.interrupted.insert(id) }
      state.processes[id] = nil
      state.policy.ended()
      return counts && verdict == .failed && state.policy.failed()
    }
  }

  /// Counts the failure of a command that could not be started.
  func failedToStart() {
    update { $0.policy.failed() }
  }

  /// Sends SIGTERM to the running commands, and starts no others.
  func stop() { stop(with: SIGTERM) }

  /// Kills the running commands, and starts no others.
  ///
  /// Of those with launchers only these; see ``CommandProcess/killRest()``.
  func killAll() { stop(with: SIGKILL) }

  /// Kills what the killed launchers have left.
  func killRest() {
    state.withLock { state in
      for process in state.processes.values { process.killRest() }
    }
  }

  private func stop(with signal: Int32) {
    update { state in
      state.policy.stop()
      for process in state.processes.values { process.send(signal) }
      return false
    }
  }

  /// Changes the state, which may let those go on that wait; `body` returns whether the limit has been reached by it.
  private func update(_ body: (inout State) -> Bool) {
    let (onLimit, tried) = state.withLock { state in
      let isLimit = body(&state)
      return (isLimit ? state.onLimit : nil, state.tryWaiting())
    }
    for (waiter, result) in tried { waiter.continuation.resume(with: result) }
    onLimit?()
  }
}

extension RunningCommands.State {
  /// Starts a command, unless the system lacks something: nil.
  ///
  /// Under the lock: otherwise ``RunningCommands/killAll()`` on another thread could miss a command that has just been
  /// started, and the program could exit before that command is killed. So could a failure that is the last one allowed.
  fileprivate mutating func start(
    _ id: String, _ start: RunningCommands.Start
  ) -> Result<CommandProcess, any Error>? {
    guard policy.mayStart else { return .failure(CancellationError()) }
    do {
      let process = try start()
      processes[id] = process
      pausing.remove(id)
      policy.started()
      return .success(process)
    } catch let error as SystemError where error.isShortage && policy.lacked() == .wait {
      return nil
    } catch {
      pausing.remove(id)
      return .failure(error)
    }
  }

  /// Tries those that wait, until the system lacks something again.
  fileprivate mutating func tryWaiting() -> [(RunningCommands.Waiter, Result<CommandProcess, any Error>)] {
    var tried: [(RunningCommands.Waiter, Result<CommandProcess, any Error>)] = []
    for waiter in waiting {
      guard let result = start(waiter.id, waiter.start) else { break }
      tried.append((waiter, result))
    }
    waiting.removeFirst(tried.count)
    return tried
  }
}
