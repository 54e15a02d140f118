/// What the command line asks for.
struct Options {
  private(set) var scale = Scale.full
  /// A part of the names of the workloads to run.
  private(set) var filter: String?
  private(set) var wantsHelp = false

  /// How much is measured.
  struct Scale {
    static let full = Scale(rounds: 9, operationCount: 100_000)
    static let quick = Scale(rounds: 3, operationCount: 5_000)

    let rounds: Int
    /// The operations of a workload whose bodies do next to nothing.
    let operationCount: Int
  }

  /// An argument that makes no sense.
  struct UsageError: Error, CustomStringConvertible {
    let description: String
  }

  static let usage = """
    usage: Benchmarks [--quick] [--filter NAME]

      --quick        few rounds of few operations: shows that everything works
      --filter NAME  only the workloads with NAME in their names
    """

  init(arguments: some Sequence<String>) throws {
    var rest = arguments.makeIterator()
    while let argument = rest.next() {
      switch argument {
      case "--quick":
        scale = .quick
      case "--filter":
        guard let name = rest.next() else { throw UsageError(description: "--filter needs a name\n\(Self.usage)") }
        filter = name
      case "--help", "-h":
        wantsHelp = true
      default:
        throw UsageError(description: "unknown argument \(argument)\n\(Self.usage)")
      }
    }
  }
}
