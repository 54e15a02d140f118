/// Decides how the tool reacts to signals; performs nothing.
struct InterruptionPolicy: Sendable {
  private enum Phase {
    /// Can transition to `running`.
    case idle
    /// Can transition to `ending` and `idle`.
    case running
    /// The commands have been told to end. Can transition to `killing` and `idle`.
    case ending
    /// The commands have been killed. Can transition to `idle`.
    case killing
  }

  /// The first signal, which the program exits by; nil before that.
  private(set) var firstSignal: Int32?
  private var phase = Phase.idle
  /// Those during the run: only they count, whatever else ends or kills the commands.
  private var signalCount = 0

  /// The reaction to a signal.
  enum Action: Equatable {
    /// Send SIGTERM to the running commands, start no others, and call ``graceEnded()`` once the grace period is over.
    case cancel
    /// Kill the running commands.
    case kill
    /// Exit by the signal at once: no command is running, or one still has its output open after it was killed.
    case exit(bySignal: Int32)
  }

  /// From now on commands may be running.
  mutating func runBegan() {
    phase = .running
  }

  /// All commands have ended; what is left is to write about them, which the next signal ends.
  mutating func runEnded() {
    phase = .idle
  }

  mutating func received(_ signal: Int32) -> Action {
    let first = firstSignal ?? signal
    firstSignal = first
    guard phase != .idle else { return .exit(bySignal: first) }
    signalCount += 1
    switch signalCount {
    case 1:
      if phase == .running { phase = .ending }
      return .cancel
    case 2:
      phase = .killing
      return .kill
    default:
      return .exit(bySignal: first)
    }
  }

  /// The reaction to a report that cannot be written: as to a first signal, but the program does not exit by it.
  mutating func reportFailed() -> Action? {
    switch phase {
    case .running:
      phase = .ending
      return .cancel
    case .idle, .ending, .killing:
      return nil
    }
  }

  /// The reaction to the end of the grace period.
  mutating func graceEnded() -> Action? {
    switch phase {
    case .ending:
      phase = .killing
      return .kill
    case .idle, .running, .killing:
      return nil
    }
  }
}
