import Foundation
import TestSupport
import Testing

@testable import opgraph

@Suite("CommandLoop", .hangGuard, .timeLimit(.minutes(5)))
struct CommandLoopTests {
  private let folder: TemporaryFolder
  /// Written to by commands once they run.
  private let ready: Fifo
  private let loop = CommandLoop.ofTests

  init() throws {
    folder = try TemporaryFolder()
    ready = try Fifo(folder.path("ready"))
  }

  /// Has the loop learn of a command when the time of that is up already, and returns how the command ended.
  private func lateResult(
    of process: CommandProcess, sink: OutputSink = .collect(CommandOutput(spool: OutputSpool()))
  ) async -> CommandResult {
    await withCheckedContinuation { continuation in
      // Both on the loop's thread, so that it finds them together.
      loop.schedule(after: .zero) { [loop] in
        loop.watch(
          WatchedCommands.Command(process: process, sink: sink) { continuation.resume(returning: $0) })
        loop.schedule(after: .zero) { if process.timeOut(after: .seconds(1)) { process.killLate() } }
      }
    }
  }

  @Test(
    "A command that has printed something and ended is not timed out, although nobody has read that",
    arguments: [1, 60_000])
  func printedInTime(size: Int) async throws {
    let process = try CommandProcess(
      command: "echo $$ >id; echo >ready; head -c \(size) /dev/zero", directory: folder.path)
    _ = try await ready.line()
    await waitForExit(of: try folder.processID)

    let result = await lateResult(of: process)

    #expect(result.ending == .exited(status: 0))
    #expect(try result.bytes.count == size)
  }

  @Test("A command that never stops printing is timed out all the same")
  func endless() async throws {
    let process = try CommandProcess(command: "echo >ready; exec yes", directory: folder.path)
    _ = try await ready.line()
    let result = await lateResult(
      of: process,
      sink: .pass { _ in
        // Slower than the command, so that there is always something to be read.
        var request = pollfd(fd: process.output.number, events: Int16(POLLIN), revents: 0)
        while poll(&request, 1, -1) < 0 {}
        return true
      })
    #expect(result.ending == .timedOut(after: .seconds(1)))
  }
}
