/// Decides which commands may start; starts none.
struct StartPolicy {
  /// After so many failures no further command is started; nil if they never stop the run.
  let failureLimit: Int?
  private var failureCount = 0
  /// Why no command may start any more: the first reason, since what comes later stops nothing more.
  private(set) var stopReason: NotRunReason?
  private var runningCount = 0

  init(failureLimit: Int?) {
    self.failureLimit = failureLimit
  }

  /// Whether a command may start now.
  var mayStart: Bool { stopReason == nil }

  /// What to do with a command that the system lacks something for.
  enum ShortageAction: Equatable {
    /// The end of a running one may give back what it takes.
    case wait
    case fail
  }

  func lacked() -> ShortageAction { runningCount > 0 ? .wait : .fail }

  mutating func started() {
    runningCount += 1
  }

  mutating func ended() {
    runningCount -= 1
  }

  /// Counts a failure, and returns whether it is the one that stops the run.
  mutating func failed() -> Bool {
    failureCount += 1
    guard stopReason == nil, let failureLimit, failureCount >= failureLimit else { return false }
    stopReason = .failureLimit
    return true
  }

  /// From now on none may start.
  mutating func stop() {
    stopReason = stopReason ?? .cancelled
  }
}
