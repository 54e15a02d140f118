/// The options of the command line; the raw values are their long names.
enum Option: String, CaseIterable, Sendable {
  case jobs
  case keepGoing = "keep-going"
  case dryRun = "dry-run"
  case list, graph, output, quiet, verbose, color, grace, resume, trace, report, json, junit, version, help

  /// Whether a value belongs to an option.
  enum Value: Equatable {
    case none
    case required
    /// Behind the long name only as `--name=value`, since the next argument may be something else.
    case optional
  }

  var value: Value {
    switch self {
    case .dryRun, .list, .quiet, .verbose, .resume, .json, .version, .help: .none
    case .jobs, .graph, .output, .color, .grace, .trace, .report, .junit: .required
    case .keepGoing: .optional
    }
  }

  /// The short name.
  var letter: Character? {
    switch self {
    case .jobs: "j"
    case .keepGoing: "k"
    case .dryRun: "n"
    case .quiet: "q"
    case .verbose: "v"
    case .help: "h"
    case .list, .graph, .output, .color, .grace, .resume, .trace, .report, .json, .junit, .version: nil
    }
  }
}
