import Synchronization

/// Reacts to signals, and to a report that cannot be written.
final class Interruptions: Sendable {
  /// What a run can be told.
  struct Run: Sendable {
    /// From the first signal until the commands are killed.
    let grace: Duration
    /// Calls its argument after a time.
    let schedule: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void
    /// Sends SIGTERM to the running commands, and has no others started.
    let end: @Sendable () -> Void
    /// Kills the running commands.
    let kill: @Sendable () -> Void
  }

  private struct State {
    var policy = InterruptionPolicy()
    /// Nil until the run begins.
    var run: Run?
  }

  /// The signals to call ``received(_:)`` with.
  static let signals = [SIGTERM]
  /// Further ones, unless whoever has started the tool has it ignore them, as `nohup` does with SIGHUP, and a shell without
  /// job control with SIGINT and SIGQUIT of what it runs in the background.
  ///
  /// By the last three batch systems and alarms tell that the time is over. Uncaught they would end the tool alone.
  static let ignorableSignals = [SIGINT, SIGHUP, SIGQUIT, SIGALRM, SIGUSR2, SIGXCPU]

  private let programExit: ProgramExit
  private let state = Mutex(State())

  init(programExit: ProgramExit) {
    self.programExit = programExit
  }

  /// Begins a run, which later signals end.
  func runBegan(_ run: Run) {
    state.withLock { state in
      state.policy.runBegan()
      state.run = run
    }
  }

  /// Ends the run: the next signal ends the program, also where nobody reads the report.
  func runEnded() {
    state.withLock { state in
      state.policy.runEnded()
      state.run = nil
    }
  }

  /// The first signal, which the program exits by; nil before that.
  var firstSignal: Int32? { state.withLock(\.policy.firstSignal) }

  /// Reacts to a signal; not to be called by a signal handler.
  func received(_ number: Int32) {
    let (action, run) = state.withLock { ($0.policy.received(number), $0.run) }
    perform(action, run)
    if action == .cancel {
      Descriptor.complainAtOnce("interrupted; waiting for the running commands, once more to kill them")
    }
  }

  /// Ends the commands, whose results nobody will see.
  func reportFailed() {
    let (action, run) = state.withLock { ($0.policy.reportFailed(), $0.run) }
    if let action { perform(action, run) }
  }

  private func graceEnded() {
    let (action, run) = state.withLock { ($0.policy.graceEnded(), $0.run) }
    if let action { perform(action, run) }
  }

  private func perform(_ action: InterruptionPolicy.Action, _ run: Run?) {
    switch action {
    case .cancel:
      guard let run else { return }
      run.end()
      run.schedule(run.grace) { self.graceEnded() }
    case .kill:
      run?.kill()
      Descriptor.complainAtOnce("killing the running commands")
    case .exit(let signal):
      programExit.exit(bySignal: signal)
    }
  }
}
