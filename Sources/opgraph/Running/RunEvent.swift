/// An event in the run of a graph; each operation has one `ended` or one `notRun`.
enum RunEvent: Sendable {
  /// The first attempt begins.
  case started(id: String)
  /// What the command has written; only where outputs are shown as they come.
  case output(id: String, [UInt8])
  /// An attempt has failed; the next one begins after the delay.
  case retrying(id: String, CommandResult, attempt: Int, delay: Duration)
  /// The next attempt begins.
  case resumed(id: String)
  /// The last attempt has ended.
  case ended(id: String, CommandResult)
  /// Comes after all others, in the order of the graph, unless the operation is up to date.
  case notRun(id: String, NotRunReason)
}
