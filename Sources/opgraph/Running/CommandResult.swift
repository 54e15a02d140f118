/// What is known of a command once it is over.
struct CommandResult: Equatable, Sendable {
  let ending: CommandEnding
  /// Whether the tool itself had sent it a signal before.
  let wasSignalled: Bool
  let duration: Duration
  /// Standard output and standard error in the order in which they were written.
  let output: [UInt8]

  var verdict: Verdict {
    // A command that succeeds although it was told to stop has done its work.
    if ending.isSuccess { return .done }
    return wasSignalled ? .cancelled : .failed
  }

  enum Verdict: Equatable {
    case done, failed, cancelled
  }
}
