import Foundation
import Testing

extension OpgraphTests {
  @Suite("signals")
  struct Signals {
    private let folder: TemporaryFolder
    /// Written to by commands once they run.
    ///
    /// Where a shell has a trap, by its child: a signal that comes while the shell forks is lost on the child.
    private let ready: Fifo
    /// Never written to: whoever reads it waits until a signal comes.
    private let never: Fifo

    init() throws {
      folder = try TemporaryFolder()
      ready = try Fifo(folder.path("ready"))
      never = try Fifo(folder.path("never"))
    }

    @Test(
      "A signal to the tool becomes SIGTERM for what runs, and ends it, one that leaves a core file by a status",
      arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGUSR2, SIGXCPU])
    func cancel(signal: Int32) async throws {
      let tool = try start(
        #"""
        {"id": "trapped", "run": "trap 'echo bye; exit 7' TERM; (echo >ready; exec cat <never)"},
        {"id": "plain", "run": "echo >ready; exec cat <never"},
        {"id": "next", "run": "touch ran", "after": ["plain"]},
        {"id": "free", "run": "touch ran"}
        """#)
      _ = try await ready.line()
      _ = try await ready.line()

      tool.send(signal)

      let outcome = await tool.outcome()
      let leavesCore = [SIGQUIT, SIGXCPU].contains(signal)
      #expect(outcome.signal == (leavesCore ? nil : signal))
      #expect(outcome.status == (leavesCore ? 128 + signal : nil))
      #expect(outcome.errors == "opgraph: interrupted; waiting for the running commands, once more to kill them\n")
      #expect(outcome.lines.contains("cancelled  trapped TIME  exit status 7"))
      #expect(outcome.lines.contains("bye"))
      #expect(outcome.lines.contains("cancelled  plain TIME  killed by signal 15"))
      #expect(outcome.lines.contains("2 operations were not run, because the run was cancelled"))
      #expect(outcome.lines.last == "4 operations: 0 done, 0 failed, 0 skipped, 4 cancelled, TIME")
      #expect(folder.text("ran") == nil)
    }

    @Test("A command that ignores SIGTERM is waited for, and killed at the second Ctrl-C")
    func kill() async throws {
      let tool = try start(#"{"id": "deaf", "run": "trap '' TERM; echo >ready; cat <never"}"#)
      _ = try await ready.line()

      tool.send(SIGINT)
      _ = try await tool.nextError()
      tool.send(SIGINT)

      let outcome = await tool.outcome()
      #expect(outcome.signal == SIGINT)
      #expect(outcome.lines.contains("cancelled  deaf TIME  killed by signal 9"))
      #expect(outcome.errors.hasSuffix("opgraph: killing the running commands\n"))
    }

    @Test("A command that ignores SIGTERM is killed after the grace period, without a second signal")
    func grace() async throws {
      let tool = try Tool(folder: folder).start(
        ["--grace", "0.2", "-"],
        input: #"{"operations": [{"id": "deaf", "run": "trap '' TERM; echo >ready; cat <never"}]}"#)
      _ = try await ready.line()

      tool.send(SIGHUP)

      let outcome = await tool.outcome()
      #expect(outcome.signal == SIGHUP)
      #expect(outcome.lines.contains("cancelled  deaf TIME  killed by signal 9"))
      #expect(outcome.errors.hasSuffix("opgraph: killing the running commands\n"))
    }

    @Test("A command that ends within the grace period is not killed")
    func withinGrace() async throws {
      let go = try Fifo(folder.path("go"))
      let tool = try start(
        #"""
        {"id": "slow",
         "run": "trap 'echo >ready; read line <go; echo cleaned; exit 3' TERM; (echo >ready; exec cat <never)"}
        """#)
      _ = try await ready.line()

      tool.send(SIGINT)
      _ = try await ready.line()
      go.writeLine()

      let outcome = await tool.outcome()
      #expect(outcome.lines.contains("cancelled  slow TIME  exit status 3"))
      #expect(outcome.lines.contains("cleaned"))
    }

    @Test(
      "A third Ctrl-C leaves behind what escaped from its group and holds the output open",
      .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/setsid"), "not every system has setsid"))
    func leave() async throws {
      let tool = try start(
        #"{"id": "escaped", "run": "setsid sh -c 'echo $$ >id; echo >ready; exec cat <never'"}"#)
      _ = try await ready.line()
      let id = try folder.processID

      tool.send(SIGINT)
      _ = try await tool.nextError()
      tool.send(SIGINT)
      _ = try await tool.nextError()
      tool.send(SIGINT)

      // The end of standard error is the tool's own end.
      await #expect(throws: NoLine.self) { try await tool.nextError() }
      Foundation.kill(id, SIGKILL)
      let outcome = await tool.outcome()
      #expect(outcome.signal == SIGINT)
      #expect(outcome.lines.isEmpty)
    }

    @Test("A command that has done its work in spite of the signal is done")
    func success() async throws {
      let tool = try start(#"{"id": "a", "run": "trap 'exit 0' TERM; (echo >ready; exec cat <never)"}"#)
      _ = try await ready.line()

      tool.send(SIGINT)

      let outcome = await tool.outcome()
      #expect(outcome.signal == SIGINT)
      #expect(outcome.lines.contains("done       a TIME  exit status 0"))
    }

    @Test(
      "A signal that the tool is started to ignore has no effect",
      arguments: [
        ("HUP", SIGHUP), ("INT", SIGINT), ("QUIT", SIGQUIT), ("ALRM", SIGALRM), ("USR2", SIGUSR2), ("XCPU", SIGXCPU),
      ])
    func ignored(name: String, signal: Int32) async throws {
      let tool = try start(
        #"{"id": "a", "run": "echo >ready; exec cat <never"}"#,
        through: ["/bin/sh", "-c", #"trap '' \#(name); exec "$@""#, "sh"])
      _ = try await ready.line()

      tool.send(signal)
      // Of signals that are pending at once the later one may be heard of first: the answer to another one tells that it has been seen.
      tool.send(SIGUSR1)
      #expect(try await tool.nextError().hasPrefix("opgraph: 1 operation is running"))
      tool.send(SIGTERM)

      #expect(await tool.outcome().signal == SIGTERM)
    }

    @Test("Nobody has to read the messages for a signal to have its effect")
    func unreadMessages() async throws {
      let full = try Fifo(folder.path("full"))
      full.fill()
      let tool = try start(
        #"{"id": "a", "run": "echo >ready; exec cat <never"}"#, through: ["/bin/sh", "-c", #"exec "$@" 2>full"#, "sh"])
      _ = try await ready.line()

      tool.send(SIGINT)

      #expect(await tool.outcome().signal == SIGINT)
    }

    private func start(_ operations: String, through starter: [String] = []) throws -> RunningTool {
      try Tool(folder: folder).start(
        ["-j2", "-k", "0", "-"], input: #"{"operations": [\#(operations)]}"#, through: starter)
    }
  }
}
