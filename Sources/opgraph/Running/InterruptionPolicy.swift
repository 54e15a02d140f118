/// Decides how the tool reacts to signals; performs nothing.
struct InterruptionPolicy: Sendable {
  /// The exit status, 128 + the first signal as in shells; nil before that.
  private(set) var exitStatus: Int32?
  private var isRunning = false
  private var count = 0

  /// The reaction to a signal.
  enum Action: Equatable {
    /// Send SIGTERM to the running commands, and start no others.
    case cancel
    /// Kill the running commands.
    case kill
    /// Exit at once: no command is running, or one still has its output open after it was killed.
    case exit(Int32)
  }

  /// From now on commands may be running.
  mutating func runBegan() {
    isRunning = true
  }

  mutating func received(_ signal: Int32) -> Action {
    let status = exitStatus ?? 128 + signal
    exitStatus = status
    guard isRunning else { return .exit(status) }
    count += 1
    switch count {
    case 1: return .cancel
    case 2: return .kill
    default: return .exit(status)
    }
  }
}
