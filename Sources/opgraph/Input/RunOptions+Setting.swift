extension RunOptions {
  /// Takes over an option of the command line; throws ``InputError``.
  mutating func set(_ option: Option, to value: OptionValue) throws {
    switch option {
    case .jobs: width = try value.number(from: 1)
    case .keepGoing:
      let limit = value.isMissing ? 0 : try value.number(from: 0)
      failureLimit = limit == 0 ? nil : limit
    case .output: output = try value.choice()
    case .quiet: verbosity = .quiet
    case .verbose: verbosity = .verbose
    case .color: color = try value.choice()
    case .grace: grace = try value.seconds()
    case .resume: isResuming = true
    case .trace: trace = try value.path()
    case .report: report = try value.path()
    case .json: writesEvents = true
    case .junit: junit = try value.path()
    case .dryRun, .list, .graph, .version, .help:
      preconditionFailure("--\(option.rawValue) says nothing about how a graph is run")
    }
  }
}
