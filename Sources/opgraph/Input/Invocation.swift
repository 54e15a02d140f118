import Foundation

/// The parsed command-line arguments.
enum Invocation: Equatable, Sendable {
  case help
  case run(Source, width: Int)

  /// The origin of the graph.
  enum Source: Equatable, Sendable {
    case file(GraphFile)
    /// The built-in graph.
    case sourceTree
  }

  static let usage = """
    usage: opgraph [-j N] [FILE.json | -]

    Runs a graph of shell commands: each one as soon as those that it comes after have
    succeeded, at most N at a time (default: as many as there are cores). "-" reads the
    graph from standard input. Without a file, a built-in graph hashes, counts, packs
    and verifies the source tree in the current directory.

      {"operations": [
        {"id": "configure", "run": "./configure"},
        {"id": "compile", "run": "cc -c a.c", "after": ["configure"],
         "priority": "high", "directory": "sources"}
      ]}

    priority   veryLow, low, normal (the default), high or veryHigh: who goes first
               among those that could start
    directory  where the command runs; relative to the file's own folder, which is
               also the default

    A command has ended when its shell has exited and nothing that it left behind holds
    its output open. Ctrl-C sends SIGTERM to the running commands and waits for them; a
    second one kills them.

    exit status: 0 all done; 1 an operation failed; 2 bad input, nothing was run;
    130 interrupted

    """

  init(arguments: [String], cores: Int = ProcessInfo.processInfo.activeProcessorCount) throws {
    var width = cores
    var files: [String] = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "-h", "--help":
        self = .help
        return
      case "-j":
        guard let value = rest.popFirst() else { throw InputError("-j needs a number") }
        width = try Self.width(value)
      case "--":
        files += rest
        rest = []
      case _ where argument.hasPrefix("-j"):
        width = try Self.width(String(argument.dropFirst(2)))
      case _ where argument.hasPrefix("-") && argument != "-":
        throw InputError("unknown option \(argument.quoted); opgraph --help shows the usage")
      default:
        files.append(argument)
      }
    }
    guard files.count <= 1 else { throw InputError("one file at most, but there are \(files.count)") }
    self = .run(files.first.map { .file(GraphFile(argument: $0)) } ?? .sourceTree, width: width)
  }

  private static func width(_ text: String) throws -> Int {
    guard let width = Int(text), width >= 1 else {
      throw InputError("-j needs a number from 1 up, not \(text.quoted)")
    }
    return width
  }
}
