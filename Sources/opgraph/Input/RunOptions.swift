/// How a graph is run, as the arguments say.
struct RunOptions: Equatable, Sendable {
  /// The maximum number of commands that run at the same time.
  var width: Int
  /// After so many failures no further command is started; nil if they never stop the run.
  var failureLimit: Int? = 1
  /// From SIGTERM to SIGKILL: of all commands after the first signal, and of one whose time is up.
  var grace = Duration.seconds(10)
  /// From when a launcher is killed until what it has left is; not for users to choose, who know little of what it does.
  var launcherGrace = Duration.seconds(10)
  var output = OutputMode.grouped
  var verbosity = Verbosity.normal
  var color = ColorChoice.automatic
  /// Whether what succeeded before with the same command, after the same predecessors, is left out.
  var isResuming = false
  /// Files to be written at the end of the run.
  var trace: String?
  var report: String?
  var junit: String?
  /// Whether standard output gets one JSON object for each event, in place of lines for people.
  var writesEvents = false

  /// The files that are wanted, with the options that ask for them.
  var results: [(option: String, path: String)] {
    [("--junit", junit), ("--trace", trace), ("--report", report)].compactMap { option, path in
      path.map { (option, $0) }
    }
  }

  enum OutputMode: String, CaseIterable, Sendable {
    /// At the end of the command, as a whole.
    case grouped
    /// As it comes.
    case live
    /// As it comes, in whole lines, each after the id.
    case prefixed
  }

  enum Verbosity: Sendable {
    /// Failures and the summary only.
    case quiet
    case normal
    /// A line for each end also on a terminal.
    case verbose
  }

  enum ColorChoice: String, CaseIterable, Sendable {
    case automatic = "auto"
    case always
    case never
  }
}
