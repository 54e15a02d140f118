import Foundation
import Testing
import TestSupport

@testable import opgraph

/// Commands behind launchers that behave as those do that people have.
@Suite("launchers", .hangGuard, .timeLimit(.minutes(15)))
struct LauncherTests {
  private let folder: TemporaryFolder
  /// Written to by commands and launchers once they run.
  private let ready: Fifo
  /// Never written to.
  private let never: Fifo

  init() throws {
    folder = try TemporaryFolder()
    ready = try Fifo(folder.path("ready"))
    never = try Fifo(folder.path("never"))
  }

  /// Runs one command behind a launcher.
  private func events(
    _ launcher: [String], _ command: String, timeout: Duration? = nil, grace: Duration? = nil,
    onStart: @escaping @Sendable (GraphExecution) async throws -> Void = { _ in }
  ) async throws -> [String] {
    let node = Graph.Node(id: "a", run: command, directory: folder.path, timeout: timeout, launcher: launcher)
    let options = RunOptions(
      width: 1, failureLimit: nil, grace: .milliseconds(10), launcherGrace: grace ?? .seconds(1000))
    return try await GraphExecution.events(of: Graph(nodes: [node]), options: options) { execution, event in
      if case .started = event { try await onStart(execution) }
    }
  }

  // MARK: Words

  @Test(
    "A command is the same whether a launcher passes its words on or joins them with blanks as ssh does",
    arguments: ["ssh", "srun"])
  func words(name: String) async throws {
    // The shell by another name: a script that has just been written could still be open for writing in a process that
    // another test starts meanwhile, and then cannot be executed.
    let program = folder.path(name)
    try FileManager.default.createSymbolicLink(atPath: program, withDestinationPath: "/bin/sh")
    let script = name == "ssh" ? #"exec /bin/sh -c "$*""# : #"exec "$@""#
    let command = """
      printf '%s|' "it's  $((40 + 2))" '$HOME' \\* >out
      echo "second  line" >>out; exit 3
      """
    let events = try await events([program, "-c", script, "somewhere"], command)
    #expect(events == ["started a", "failed a, exit status 3"])
    #expect(folder.text("out") == "it's  42|$HOME|*|second  line\n")
  }

  @Test(
    "Only a launcher whose first word is ssh is taken for one",
    arguments: [
      (["ssh"], true), (["/usr/bin/ssh", "-x", "host"], true), (["nice", "ssh"], false), (["sshd"], false), ([], false),
    ])
  func joining(launcher: [String], isQuoted: Bool) {
    #expect(
      CommandWords.words(of: "a b", launcher: launcher)
        == launcher + ["/bin/sh", "-c", "--", isQuoted ? "'a b'" : "a b"])
  }

  // MARK: Kills

  /// As `srun`, with a helper in its group that ends the job when the launcher is gone.
  ///
  /// The launcher holds the writing end of a pipe, so that the helper sees its end; the fifo is opened for both first,
  /// because opening it for one waits for the other.
  private static let cleaning = [
    "sh", "-c",
    #"""
    trap '' TERM
    mkfifo alive
    (echo >ready; read line; echo ended >job) <alive &
    exec 3>alive
    read line <never
    """#,
    "launcher",
  ]

  @Test("A launcher that is killed leaves its helper the time to end the job, and the run waits for that")
  func killedLauncher() async throws {
    let events = try await events(Self.cleaning, ":") { [ready] execution in
      _ = try await ready.line()
      execution.end()
      execution.kill()
    }
    #expect(events == ["started a", "cancelled a, killed by signal 9"])
    #expect(folder.text("job") == "ended\n")
  }

  @Test("So does one that is killed because its time is up")
  func lateLauncher() async throws {
    let process = try CommandProcess(command: ":", directory: folder.path, launcher: Self.cleaning)
    _ = try await ready.line()
    #expect(process.timeOut(after: .seconds(1)))
    process.killLate()
    let result = await process.result
    #expect(result.ending == .timedOut(after: .seconds(1)))
    #expect(folder.text("job") == "ended\n")
  }

  /// Starts the command as a child, as `time` does.
  private static let parent = ["sh", "-c", #"trap '' TERM; "$@" & wait"#, "launcher"]

  @Test("What a killed launcher leaves is killed after a time, for a signal as for a time-out")
  func grace() async throws {
    let deaf = "echo >ready; read line <never"
    let cancelled = try await events(Self.parent, deaf, grace: .milliseconds(50)) { [ready] execution in
      _ = try await ready.line()
      execution.end()
      execution.kill()
    }
    #expect(cancelled == ["started a", "cancelled a, killed by signal 9"])

    let late = try await events(Self.parent, deaf, timeout: .milliseconds(100), grace: .milliseconds(50))
    #expect(late == ["started a", "failed a, timed out after 0.1 s"])
  }

  @Test("What a killed launcher leaves is killed at once if nothing of it holds the output")
  func withoutOutput() async throws {
    let held = folder.path("held")
    mkfifo(held, 0o600)
    let reading = open(held, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    defer { close(reading) }

    let events = try await events(Self.parent, "exec >held 2>&1; echo >ready; read line <never") { [ready] execution in
      _ = try await ready.line()
      execution.end()
      execution.kill()
    }
    #expect(events == ["started a", "cancelled a, killed by signal 9"])
    // Its end is the end of the one that held it.
    await #expect(throws: NoLine.self) { try await nextLine(from: reading) }
  }
}
