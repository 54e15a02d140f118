/// The result of a command.
struct CommandResult: Equatable, Sendable {
  let ending: CommandEnding
  /// Whether the tool had sent it a signal.
  let wasSignalled: Bool
  let duration: Duration
  /// Standard output and standard error in the order in which they were written.
  let output: [UInt8]

  var verdict: Verdict {
    // A command that exits successfully in spite of a signal has done its work.
    if ending.isSuccess { return .done }
    return wasSignalled ? .cancelled : .failed
  }

  enum Verdict: Equatable {
    case done, failed, cancelled
  }
}
