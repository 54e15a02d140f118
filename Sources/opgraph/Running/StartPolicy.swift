/// Decides which commands may start; starts none.
struct StartPolicy {
  /// After so many failures no further command is started; nil if they never stop the run.
  let failureLimit: Int?
  private var failureCount = 0
  private var isStopped = false
  private var runningCount = 0

  init(failureLimit: Int?) {
    self.failureLimit = failureLimit
  }

  /// Whether a command may start now.
  var mayStart: Bool { !isStopped && !hasReachedLimit }

  private var hasReachedLimit: Bool { failureLimit.map { failureCount >= $0 } ?? false }

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
    let hadReachedLimit = hasReachedLimit
    failureCount += 1
    return hasReachedLimit && !hadReachedLimit
  }

  /// From now on none may start.
  mutating func stop() {
    isStopped = true
  }
}
