import Foundation
import Testing

extension OpgraphTests {
  @Suite("two runs at once")
  struct TwoRuns {
    private let folder: TemporaryFolder
    private let tool: Tool
    private let ready: Fifo
    private let go: Fifo

    init() throws {
      folder = try TemporaryFolder()
      tool = Tool(folder: folder)
      ready = try Fifo(folder.path("ready"))
      go = try Fifo(folder.path("go"))
      try folder.write(
        #"{"operations": [{"id": "a", "run": "echo a >>ran; echo >ready; read line <go"}]}"#, to: "g.json")
    }

    @Test("The second run of a file waits for the first one, says so, and sees what that has done")
    func waiting() async throws {
      let first = try tool.start(["g.json"])
      _ = try await ready.line()
      let second = try tool.start(["--resume", folder.path("g.json")])
      #expect(try await second.nextError() == "opgraph: waiting for another run of \(folder.path("g.json"))")
      // Other files are not concerned, nor is who only looks.
      try folder.write(#"{"operations": [{"id": "a", "run": ":"}]}"#, to: "other.json")
      #expect(try await tool.run("other.json").errors.isEmpty)
      #expect(try await tool.run("-n", "g.json").errors.isEmpty)

      go.writeLine()

      #expect(await first.outcome().status == 0)
      #expect(await second.outcome().status == 0)
      #expect(folder.text("ran") == "a\n")
    }

    @Test("A run that has waited runs the graph as it is then, and selects in that")
    func readAgain() async throws {
      let first = try tool.start(["g.json"])
      _ = try await ready.line()
      let second = try tool.start(["-j1", "g.json", "a"])
      _ = try await second.nextError()
      try folder.write(
        #"""
        {"operations": [
          {"id": "a", "run": "echo new >>ran", "after": "b"}, {"id": "b", "run": "echo b >>ran"},
          {"id": "c", "run": "echo c >>ran"}
        ]}
        """#, to: "g.json")

      go.writeLine()

      #expect(await first.outcome().status == 0)
      let outcome = await second.outcome()
      #expect(outcome.status == 0)
      #expect(outcome.lines.last == "2 operations: 2 done, 0 failed, 0 skipped, TIME")
      #expect(folder.text("ran") == "a\nb\nnew\n")
    }

    @Test("What is wrong with the graph after the wait is told, and nothing is run")
    func badAfterWait() async throws {
      let first = try tool.start(["g.json"])
      _ = try await ready.line()
      let second = try tool.start(["g.json", "a"])
      _ = try await second.nextError()
      try folder.write(#"{"operations": [{"id": "b", "run": "echo b >>ran"}]}"#, to: "g.json")

      go.writeLine()

      #expect(await first.outcome().status == 0)
      let outcome = await second.outcome()
      #expect(outcome.status == 2)
      #expect(outcome.errors.hasSuffix("\nopgraph: unknown operation \"a\"\n"))
      #expect(folder.text("ran") == "a\n")
    }

    @Test("A run of a graph that is wrong does not wait before it says so")
    func badAtOnce() async throws {
      let first = try tool.start(["g.json"])
      _ = try await ready.line()
      try folder.write(#"{"operations": [{"id": "a"}]}"#, to: "g.json")

      let outcome = try await tool.run("g.json")

      #expect(outcome.status == 2)
      #expect(outcome.errors == "g.json:1:17: the key \"run\" is missing\n")
      go.writeLine()
      #expect(await first.outcome().status == 0)
    }

    @Test("A run whose results cannot be written does not wait before it says so")
    func refusedAtOnce() async throws {
      let first = try tool.start(["g.json"])
      _ = try await ready.line()

      let outcome = try await tool.run("--trace", "g.json", "g.json")

      #expect(outcome.status == 2)
      #expect(outcome.errors == "opgraph: --trace g.json would take the place of the graph\n")
      go.writeLine()
      #expect(await first.outcome().status == 0)
    }

    @Test("A signal ends the wait")
    func interrupted() async throws {
      let first = try tool.start(["g.json"])
      _ = try await ready.line()
      let second = try tool.start(["g.json"])
      _ = try await second.nextError()

      second.send(SIGINT)

      #expect(await second.outcome().signal == SIGINT)
      go.writeLine()
      #expect(await first.outcome().status == 0)
      #expect(folder.text("ran") == "a\n")
    }

    @Test("A run that was killed keeps nobody waiting, nor does a command that goes on after a run")
    func left() async throws {
      try folder.write(
        #"""
        {"operations": [{"id": "a",
          "run": "cat <go >/dev/null 2>&1 & echo $! >id; [ -e second ] || { echo >ready; wait; }"}]}
        """#, to: "g.json")
      let killed = try tool.start(["g.json"])
      _ = try await ready.line()
      var left = [try folder.processID]
      killed.send(SIGKILL)
      try folder.write("", to: "second")

      // A lock that a command still held would be waited for without end. The killed tool may have it a moment longer.
      var runs = [killed]
      for isFirst in [true, false] {
        let running = try tool.start(["g.json"])
        // Not the exit, which is not reported while the command goes on.
        let messages = try await messages(of: running)
        if !isFirst { #expect(messages == []) }
        left.append(try folder.processID)
        runs.append(running)
      }
      #expect(Set(left).count == 3)
      #expect(left.allSatisfy { Foundation.kill($0, 0) == 0 })
      for id in left { Foundation.kill(id, SIGKILL) }
      var statuses: [Int32?] = []
      for run in runs { statuses.append(await run.outcome().status) }
      #expect(statuses == [nil, 0, 0])
    }

    /// The lines on standard error, until the tool ends.
    private func messages(of running: RunningTool) async throws -> [String] {
      var lines: [String] = []
      do {
        while true { lines.append(try await running.nextError()) }
      } catch is NoLine {
        return lines
      }
    }

    @Test("What an operation has left behind may run the file again after its own run, and waits for another one")
    func outlived() async throws {
      let later = try Fifo(folder.path("later"))
      let messages = try Fifo(folder.path("messages"))
      let ended = try Fifo(folder.path("ended"))
      // The first run leaves it behind, the second one is waited for, and the third is its own.
      try folder.write(
        """
        echo >>runs
        case $(($(wc -l <runs))) in
          1) sh left & ;;
          2) echo >ready; read line <go ;;
        esac
        """, to: "command")
      try folder.write(#"{"operations": [{"id": "a", "run": "sh command"}]}"#, to: "g.json")
      try folder.write(
        "exec >/dev/null 2>messages; read line <later; $OPGRAPH g.json; echo $? >ended", to: "left")
      let environment = ["OPGRAPH": try #require(Tool.executable).path]
      let first = try tool.start(["g.json"], environment: environment)
      // Not the exit, which is not reported while the command goes on.
      #expect(try await self.messages(of: first) == [])
      let second = try tool.start(["g.json"], environment: environment)
      _ = try await ready.line()

      later.writeLine()
      #expect(try await messages.line() == "opgraph: waiting for another run of g.json")
      go.writeLine()

      #expect(try await ended.line() == "0")
      #expect(await first.outcome().status == 0)
      #expect(await second.outcome().status == 0)
      #expect(folder.text("runs") == "\n\n\n")
    }

    @Test("An operation that runs its own file is told so, in place of a wait without end")
    func nested() async throws {
      try folder.write(
        #"{"operations": [{"id": "a", "run": "$OPGRAPH other.json"}]}"#, to: "g.json")
      try folder.write(
        #"{"operations": [{"id": "b", "run": "$OPGRAPH ./g.json"}]}"#, to: "other.json")
      let executable = try #require(Tool.executable).path

      let outcome = try await tool.run("g.json", environment: ["OPGRAPH": executable])

      #expect(outcome.status == 1)
      #expect(outcome.lines.contains("opgraph: ./g.json is being run by a run that waits for this one"))
    }
  }
}
