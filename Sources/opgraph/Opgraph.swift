import Foundation

/// The command-line tool: reads a graph of shell commands, runs it, and leaves with the status that says how it went.
@main
struct Opgraph: Sendable {
  private let interruptions: Interruptions

  /// Leaves the main thread to the signals; everything else happens on others.
  ///
  /// Not asynchronous, because by then there would be other threads, which could get the signals.
  static func main() {
    // A report that nobody reads any more is an error to handle, not the end; and a parent that ignores the ends of its
    // children may not pass that on, or no exit status could be had.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGCHLD, SIG_DFL)
    let tool = Opgraph(interruptions: Interruptions())
    Task.detached { exit(await tool.status(arguments: Array(CommandLine.arguments.dropFirst()))) }
    tool.interruptions.wait()
  }

  /// What the process exits with: 0 all done, 1 something was not, 2 bad input, 128 + n interrupted by signal n.
  private func status(arguments: [String]) async -> Int32 {
    do {
      switch try Invocation(arguments: arguments) {
      case .help:
        try Descriptor.standardOutput.write(Array(Invocation.usage.utf8))
        return 0
      case .run(.sourceTree, let width):
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        return try await run(SourceTree(scratch: scratch.path).graph, named: "built-in graph", width: width)
      case .run(.file(let file), let width):
        return try await run(file.graph(), named: file.name, width: width)
      }
    } catch {
      Descriptor.complain("\(error)")
      return 2
    }
  }

  private func run(_ graph: Graph, named name: String, width: Int) async throws -> Int32 {
    do {
      return try await GraphRun(graph: graph, width: width, interruptions: interruptions).status()
    } catch let error as InputError {
      throw error.inFile(name)
    }
  }
}
