/// The parsed command-line arguments.
enum Invocation: Equatable, Sendable {
  case help
  case version
  /// A job for a graph, or for those of its operations that are named and what they need.
  ///
  /// The file is nil if none is named: that of the current folder is meant.
  case graph(GraphFile?, ids: [String], GraphJob)

  /// Of options that exclude each other, and of the same one twice, the last one counts.
  ///
  /// Throws ``InputError``.
  init(arguments: [String], cores: Int = ProcessorCount.available) throws {
    var options = RunOptions(width: cores)
    var job = GraphJob.run(options)
    /// Of what is shown in place of a run.
    var jobOption: String?
    var operands: [String] = []
    var reader = ArgumentReader(arguments)
    while let item = try reader.next() {
      switch item {
      case .operand(let operand): operands.append(operand)
      case .option(.help, _, _):
        self = .help
        return
      case .option(.version, _, _):
        self = .version
        return
      case .option(.dryRun, let name, _): (job, jobOption) = (.plan(options), name)
      case .option(.list, let name, _): (job, jobOption) = (.list, name)
      case .option(.graph, let name, let value):
        (job, jobOption) = (.draw(try OptionValue(name, value).choice()), name)
      case .option(let option, let name, let value): try options.set(option, to: OptionValue(name, value))
      }
    }
    switch job {
    case .run: job = .run(options)
    case .plan: job = .plan(options)
    case .list, .draw: break
    }
    if let jobOption, let result = options.results.first {
      throw InputError("\(jobOption) runs nothing, and so there is nothing to write for \(result.option)")
    }
    let file = operands.first.map { GraphFile(argument: $0) }
    self = .graph(file, ids: Array(operands.dropFirst()), job)
  }
}
