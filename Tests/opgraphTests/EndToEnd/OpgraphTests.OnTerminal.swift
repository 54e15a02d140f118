import Foundation
import Testing

extension OpgraphTests {
  @Suite("on a terminal")
  struct OnTerminal {
    private let folder: TemporaryFolder
    private let terminal: PseudoTerminal
    /// Commands that read it run until the test writes to it.
    private let go: Fifo

    init() throws {
      folder = try TemporaryFolder()
      terminal = try PseudoTerminal()
      go = try Fifo(folder.path("go"))
    }

    /// - Parameter hasErrors: Whether standard error goes to the terminal too.
    private func start(
      _ operations: String, arguments: [String] = [], environment: [String: String] = [:], hasErrors: Bool = false
    ) throws -> RunningTool {
      let plain = ["TERM": "xterm", "NO_COLOR": "", "CLICOLOR": "", "CLICOLOR_FORCE": ""]
      let running = try Tool(folder: folder).start(
        ["-j4"] + arguments + ["-"], input: #"{"operations": [\#(operations)]}"#, output: terminal.device,
        environment: plain.merging(environment) { $1 },
        through: hasErrors ? ["/bin/sh", "-c", #"exec "$@" 2>&1"#, "sh"] : [])
      // Closed here, so that the tool's end closes the terminal.
      try terminal.device.close()
      return running
    }

    @Test("One line tells what runs and for how long, and the seconds go on; the summary takes its place")
    func statusLine() async throws {
      let running = try start(#"{"id": "compile a", "run": "read line <go"}, {"id": "b", "run": ":"}"#)

      try await terminal.screen { $0.lines.count == 1 && $0.currentLine.hasPrefix("[1/2] 1 running, ") }
      try await terminal.screen {
        $0.lines.count == 1
          && $0.currentLine.contains(#/^\[1/2\] 1 running, [1-9][0-9]* s: compile a \([1-9][0-9]* s\)$/#)
      }
      go.writeLine()

      let lines = await terminal.lastScreen().lines
      #expect(await running.outcome().status == 0)
      #expect(lines.count == 3)
      #expect(lines[0].hasPrefix("critical path: compile a, "))
      #expect(lines[1].contains(#/^2 operations: 2 done, 0 failed, 0 skipped, [0-9]+\.[0-9]{3} s$/#))
      #expect(lines[2].isEmpty)
    }

    @Test("Only what fails or prints stays, in colours, with the status line below it")
    func permanentLines() async throws {
      let running = try start(
        #"""
        {"id": "quiet", "run": ":"},
        {"id": "loud", "run": "printf warning", "after": ["quiet"]},
        {"id": "bad", "run": "echo broken >&2; exit 3", "after": ["loud"]},
        {"id": "next", "run": ":", "after": ["bad"]},
        {"id": "long", "run": "read line <go"}
        """#, arguments: ["-k0"])

      let screen = try await terminal.screen { $0.currentLine.hasPrefix("[3/5] 1 running, 1 failed, ") }
      let lines = screen.lines.map { $0.replacing(#/ *[0-9]+\.[0-9]{3} s/#, with: " TIME") }
      #expect(
        lines.dropLast() == [
          "done       loud TIME  exit status 0", "warning", "failed     bad TIME  exit status 3", "broken",
        ])
      #expect(screen.color(of: "done") == "32")
      #expect(screen.color(of: "failed") == "31")
      #expect(screen.color(of: "loud") == nil)
      #expect(screen.color(of: "warning") == nil)
      go.writeLine()

      let end = await terminal.lastScreen().lines.dropFirst(4)
      #expect(await running.outcome().status == 1)
      #expect(
        end.dropLast(2) == [
          "bad failed: exit status 3", "  $ echo broken >&2; exit 3", "  broken",
          "1 operation was not run, because bad failed",
        ])
    }

    @Test("The line heeds the width that the terminal has now, and wide characters")
    func resize() async throws {
      let running = try start(#"{"id": "日本語日本語日本語日本語", "run": "read line <go"}"#)
      try await terminal.screen { $0.currentLine.contains("日") && $0.currentLine.hasSuffix(" s)") }

      terminal.resize(columns: 30)

      let screen = try await terminal.screen { $0.currentLine.hasSuffix("…") }
      #expect(screen.cursorColumn == 28 || screen.cursorColumn == 29)
      go.writeLine()
      #expect(await running.outcome().status == 0)
    }

    @Test("A message to the same terminal has a line of its own")
    func message() async throws {
      let running = try start(#"{"id": "a", "run": "trap '' TERM; read line <go"}"#, hasErrors: true)
      try await terminal.screen { $0.currentLine.hasPrefix("[0/1] 1 running") }

      running.send(SIGINT)

      let screen = try await terminal.screen { $0.lines.count > 1 && $0.currentLine.hasPrefix("[0/1] 1 running") }
      #expect(screen.lines[0].hasPrefix("opgraph: interrupted; "))
      go.writeLine()
      #expect(await running.outcome().signal == SIGINT)
    }

    @Test("So does an explanation")
    func explanation() async throws {
      let running = try start(
        #"{"id": "a", "run": "read line <go"}, {"id": "b", "run": ":", "after": ["a"]}"#, hasErrors: true)
      try await terminal.screen { $0.currentLine.hasPrefix("[0/2] 1 running") }

      running.send(SIGUSR1)

      let screen = try await terminal.screen { $0.lines.count > 2 && $0.currentLine.hasPrefix("[0/2] 1 running") }
      #expect(screen.lines[0] == "opgraph: 1 operation is running, 1 waits:")
      #expect(screen.lines[1] == #"  "b" waits for "a"; "a" is executing: its body has not returned."#)
      go.writeLine()
      #expect(await running.outcome().status == 0)
    }

    @Test(
      "A terminal that cannot erase, and somebody who wants all lines or few, have no status line",
      arguments: [
        (["--verbose"], ["NO_COLOR": "1"], 4), ([], ["TERM": "dumb"], 4), (["-q"], ["NO_COLOR": "1"], 1),
      ] as [([String], [String: String], Int)])
    func lines(arguments: [String], environment: [String: String], count: Int) async throws {
      let running = try start(
        #"{"id": "a", "run": ":"}, {"id": "b", "run": ":"}"#, arguments: arguments, environment: environment)
      let screen = await terminal.lastScreen()
      #expect(await running.outcome().status == 0)
      #expect(screen.lines.count == count + 1)
      #expect(!terminal.text.contains("\u{1B}"))
    }

    @Test("In a pipe there are no colours, unless they are asked for")
    func pipe() async throws {
      let graph = #"{"operations": [{"id": "a", "run": ":"}]}"#
      let plain = try await Tool(folder: folder).run("-", input: graph, environment: ["TERM": "xterm"])
      #expect(!String(decoding: plain.output, as: UTF8.self).contains("\u{1B}"))
      let colored = try await Tool(folder: folder).run("--color", "always", "-", input: graph)
      #expect(String(decoding: colored.output, as: UTF8.self).contains("\u{1B}[32mdone\u{1B}[0m"))
    }
  }
}
