import Foundation

/// The command-line tool: reads a graph of shell commands, runs it, and exits with a status that tells the result.
@main
struct Opgraph: Sendable {
  private let interruptions: Interruptions

  /// Waits for signals on the main thread; all work runs on other threads.
  ///
  /// Not `async`, because the concurrency runtime would have created threads by then, which could receive the signals.
  static func main() {
    // A closed standard output is reported as an error of `write` instead of stopping the tool. A parent process that
    // ignores SIGCHLD passes this on, which would discard the exit statuses of the commands.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGCHLD, SIG_DFL)
    let tool = Opgraph(interruptions: Interruptions())
    Task.detached { exit(await tool.status(arguments: Array(CommandLine.arguments.dropFirst()))) }
    tool.interruptions.wait()
  }

  /// The exit status: 0 all done, 1 an operation was not done, 2 bad input, 128 + n interrupted by signal n.
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
