/// The form of the report on standard output.
enum ReportForm: Equatable, Sendable {
  /// One JSON object for each event.
  case events
  case lines(LineReport.Lines)
  /// Lines for what fails or prints, and a status line below them.
  case status

  init(_ options: RunOptions, onTerminal isTerminal: Bool, environment: [String: String]) {
    if options.writesEvents {
      self = .events
      return
    }
    switch options.verbosity {
    case .quiet: self = .lines(.failures)
    case .normal: self = isTerminal && TerminalKind(environment).movesCursor ? .status : .lines(.all)
    case .verbose: self = .lines(.all)
    }
  }
}
