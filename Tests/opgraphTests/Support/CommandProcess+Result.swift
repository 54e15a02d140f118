@testable import opgraph

extension CommandProcess {
  /// Collects the output on the loop of the tests, and waits for the end; to be asked for once.
  var result: CommandResult {
    get async {
      await withCheckedContinuation { continuation in
        CommandLoop.ofTests.watch(
          WatchedCommands.Command(process: self, sink: .collect(CommandOutput(spool: OutputSpool()))) {
            continuation.resume(returning: $0)
          })
      }
    }
  }
}
