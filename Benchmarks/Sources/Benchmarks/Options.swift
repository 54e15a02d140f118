/// The parsed command line.
struct Options {
  private(set) var command = Command.measuring
  private(set) var isQuick = false
  /// Only workloads whose names contain this run.
  private(set) var filter: String?
  /// The only competitor to run; nil means all of them.
  private(set) var competitor: Competitor?
  private(set) var wantsJSON = false
  private(set) var wantsHelp = false

  /// What the program is asked to do.
  enum Command {
    case measuring
    /// Compares counts with the limits in a file; nil means `thresholds.json` of this package.
    case checkingThresholds(path: String?)
    case soaking(operationCount: Int)
    /// Runs one of the main shapes a number of times, and measures nothing.
    case repeating(Workload, count: Int)
  }

  /// An argument that is unknown or has no valid value.
  struct UsageError: Error, CustomStringConvertible {
    let description: String
  }

  static let usage = """
    usage: Benchmarks [--quick] [--filter NAME] [--only COMPETITOR] [--json]
           Benchmarks --thresholds [FILE]
           Benchmarks --soak [COUNT]
           Benchmarks --repeat SHAPE COUNT

      --quick              few rounds of few operations: shows that everything works
      --filter NAME        only the workloads with NAME in their names
      --only COMPETITOR    only \(Competitor.allCases.map(\.rawValue).joined(separator: ", ")), as for a profiler
      --json               prints one JSON object at the end, and no table
      --thresholds [FILE]  holds allocations and bytes of an operation to the limits in FILE, by default
                           Benchmarks/thresholds.json, and fails where one is exceeded; no times
      --soak [COUNT]       runs COUNT operations, by default \(Soak.defaultOperationCount), while queues are cancelled,
                           suspended, resized and observed, then a tenth as many through limits, start rates, retries
                           and time-outs on virtual clocks, and fails where memory grows
      --repeat SHAPE COUNT runs a main shape COUNT times, for a tool that counts instructions, and prints the number
                           of operations in one time; the shapes:
                           \(shapes.map(\.name).joined(separator: "\n" + String(repeating: " ", count: 23)))
    """

  init(arguments: some Sequence<String>) throws {
    var rest = Array(arguments)[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--quick":
        isQuick = true
      case "--filter":
        filter = try Self.value(of: argument, in: &rest)
      case "--only":
        let name = try Self.value(of: argument, in: &rest)
        guard let competitor = Competitor(rawValue: name) else {
          throw UsageError(description: "nobody is called \(name)\n\(Self.usage)")
        }
        self.competitor = competitor
      case "--json":
        wantsJSON = true
      case "--thresholds":
        command = .checkingThresholds(path: Self.optionalValue(in: &rest))
      case "--soak":
        let text = Self.optionalValue(in: &rest)
        guard let count = text.map({ Int($0) }) ?? Soak.defaultOperationCount, count > 0 else {
          throw UsageError(description: "--soak needs a number from 1 on\n\(Self.usage)")
        }
        command = .soaking(operationCount: count)
      case "--repeat":
        let name = try Self.value(of: argument, in: &rest)
        let count = rest.popFirst().flatMap { Int($0) }
        guard let shape = Self.shapes.first(where: { $0.name == name }), let count else {
          throw UsageError(description: "--repeat needs one of the main shapes and a number\n\(Self.usage)")
        }
        command = .repeating(shape, count: count)
      case "--help", "-h":
        wantsHelp = true
      default:
        throw UsageError(description: "unknown argument \(argument)\n\(Self.usage)")
      }
    }
  }

  /// The number of rounds and of operations.
  var scale: Scale { isQuick ? .quick : .full }

  /// The workloads to run.
  var workloads: [Workload] {
    Workload.all(for: scale)
      .filter { workload in filter.map(workload.name.contains) ?? true }
      .map { workload in competitor.map(workload.limited) ?? workload }
      .filter { !$0.contestants.isEmpty }
  }

  /// What can be repeated: small, since tools that count are slow.
  private static var shapes: [Workload] {
    Workload.mainShapes(for: .quick).map { $0.limited(to: .asyncOperationQueue) }
  }

  private static func value(of argument: String, in rest: inout ArraySlice<String>) throws -> String {
    guard let value = rest.popFirst() else { throw UsageError(description: "\(argument) needs a name\n\(usage)") }
    return value
  }

  private static func optionalValue(in rest: inout ArraySlice<String>) -> String? {
    rest.first.map { $0.hasPrefix("--") } ?? true ? nil : rest.popFirst()
  }
}
