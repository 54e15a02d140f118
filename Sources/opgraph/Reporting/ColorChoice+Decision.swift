extension RunOptions.ColorChoice {
  /// Whether the report has colours.
  ///
  /// The option goes before the environment, and there `NO_COLOR` (https://no-color.org) before `CLICOLOR_FORCE`
  /// (https://bixense.com/clicolors).
  func isColored(onTerminal isTerminal: Bool, environment: [String: String]) -> Bool {
    switch self {
    case .always: return true
    case .never: return false
    case .automatic: break
    }
    // An empty variable is one that is not set.
    if !environment["NO_COLOR", default: ""].isEmpty { return false }
    if !["", "0"].contains(environment["CLICOLOR_FORCE", default: ""]) { return true }
    return isTerminal && environment["CLICOLOR"] != "0" && TerminalKind(environment).movesCursor
  }
}
