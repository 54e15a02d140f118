/// The result of a command.
struct CommandResult: Sendable {
  let ending: CommandEnding
  /// Whether the tool had sent it a signal.
  let wasSignalled: Bool
  var duration: Duration
  /// Nil if it was not started, and where outputs are shown as they come.
  var output: CommandOutput?
  /// Whether the run goes on, and succeeds, although it failed.
  var isFailureAllowed = false
  /// How many attempts there have been, this one included.
  var attempts = 1

  var verdict: Verdict {
    // A command that exits successfully in spite of a signal has done its work.
    if ending.isSuccess { return .done }
    return wasSignalled ? .cancelled : .failed
  }

  enum Verdict: Equatable {
    case done, failed, cancelled
  }
}
