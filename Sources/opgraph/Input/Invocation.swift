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
      case .option(.dryRun, _, _): job = .plan(options)
      case .option(.list, _, _): job = .list
      case .option(.graph, let name, let value): job = .draw(try OptionValue(name, value).choice())
      case .option(let option, let name, let value): try options.set(option, to: OptionValue(name, value))
      }
    }
    switch job {
    case .run: job = .run(options)
    case .plan: job = .plan(options)
    case .list, .draw: break
    }
    let file = operands.first.map { GraphFile(argument: $0) }
    self = .graph(file, ids: Array(operands.dropFirst()), job)
  }
}
