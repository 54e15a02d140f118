import Foundation
import Testing

extension OpgraphTests {
  @Suite("resuming")
  struct Resuming {
    private let folder: TemporaryFolder
    private let tool: Tool
    /// Written to by commands once they run.
    private let ready: Fifo
    /// Never written to: whoever reads it waits until it is killed.
    private let never: Fifo

    init() throws {
      folder = try TemporaryFolder()
      tool = Tool(folder: folder)
      ready = try Fifo(folder.path("ready"))
      never = try Fifo(folder.path("never"))
    }

    /// Each command adds its id to a file.
    private func writeGraph(b: String = "[ -e go ]", to name: String = "g.json") throws {
      try folder.write(
        #"""
        {"operations": [
          {"id": "a", "run": "echo a >>ran"},
          {"id": "b", "run": "echo b >>ran; \#(b)", "after": "a"},
          {"id": "c", "run": "echo c >>ran", "after": "b"},
          {"id": "d", "run": "echo d >>ran", "after": "a", "priority": "high"}
        ]}
        """#, to: name)
    }

    /// The ids of those that have run since the last call, in order.
    private func ran() throws -> String {
      defer { try? FileManager.default.removeItem(atPath: folder.path("ran")) }
      return (folder.text("ran") ?? "").filter { $0 != "\n" }
    }

    @Test("--resume leaves out what has succeeded, after a failure and after a success; without it everything runs")
    func failure() async throws {
      try writeGraph()
      #expect(try await tool.run("-j1", "-k0", "g.json").status == 1)
      #expect(try ran() == "adb")

      try folder.write("", to: "go")
      let resumed = try await tool.run("-j1", "--resume", "g.json")
      #expect(resumed.status == 0)
      #expect(resumed.errors.isEmpty)
      #expect(try ran() == "bc")

      #expect(try await tool.run("-j1", "--resume", "g.json").status == 0)
      #expect(try ran() == "")
      #expect(try await tool.run("-j1", "g.json").status == 0)
      #expect(try ran() == "adbc")
    }

    @Test("A changed command runs again, and what comes after it")
    func changed() async throws {
      try writeGraph(b: ":")
      _ = try await tool.run("-j1", "g.json")
      _ = try ran()

      try writeGraph(b: "true")
      #expect(try await tool.run("-j1", "--resume", "g.json").status == 0)
      #expect(try ran() == "bc")
    }

    @Test("What comes after an operation that has run again by itself is not left out")
    func selected() async throws {
      try writeGraph(b: ":")
      _ = try await tool.run("-j1", "g.json")
      _ = try await tool.run("-j1", "g.json", "a")
      _ = try ran()

      #expect(try await tool.run("-j1", "--resume", "g.json").status == 0)
      #expect(try ran() == "dbc")
    }

    @Test("It does not matter from where, or by which path, the tool is started")
    func otherFolder() async throws {
      try folder.makeFolder("sub")
      try writeGraph(b: ":", to: "sub/g.json")
      _ = try await tool.run("-j1", "sub/g.json")
      try FileManager.default.removeItem(atPath: folder.path("sub/ran"))

      #expect(try await tool.run("--resume", folder.path("sub/g.json")).status == 0)
      #expect(folder.text("sub/ran") == nil)
      #expect(folder.text("sub/.opgraph/g.json.state")?.hasPrefix("opgraph state 1\n") == true)
    }

    @Test("After the tool was killed, what had succeeded is left out, and what ran then runs again")
    func killed() async throws {
      try writeGraph(b: "if [ ! -e go ]; then echo $$ >id; echo >ready; exec cat <never; fi")
      let killed = try tool.start(["-j1", "g.json"])
      _ = try await ready.line()
      try await kill(killed)
      #expect(try ran() == "adb")

      try folder.write("", to: "go")
      #expect(try await tool.run("-j1", "--resume", "g.json").status == 0)
      #expect(try ran() == "bc")
    }

    @Test("Half an output, left by a tool that was killed, is not up to date")
    func half() async throws {
      try folder.write(
        #"""
        {"operations": [{"id": "a", "outputs": ["out"],
          "run": "echo half >out; [ -e go ] || { echo $$ >id; echo >ready; exec cat <never; }; echo whole >out"}]}
        """#, to: "g.json")
      try folder.write("", to: "go")
      _ = try await tool.run("g.json")
      for name in ["go", "out"] { try FileManager.default.removeItem(atPath: folder.path(name)) }
      let killed = try tool.start(["g.json"])
      _ = try await ready.line()
      try await kill(killed)
      #expect(folder.text("out") == "half\n")

      try folder.write("", to: "go")
      #expect(try await tool.run("g.json").status == 0)
      #expect(folder.text("out") == "whole\n")
    }

    @Test("A command that a signal has ended is not done, also where it exits as if it were")
    func interrupted() async throws {
      try folder.write(
        #"""
        {"operations": [{"id": "a",
          "run": "echo a >>ran; [ -e go ] && exit; trap 'exit 0' TERM; echo >ready; cat <never & wait"}]}
        """#, to: "g.json")
      let running = try tool.start(["g.json"])
      _ = try await ready.line()
      running.send(SIGTERM)
      #expect(await running.outcome().signal == SIGTERM)

      try folder.write("", to: "go")
      #expect(try await tool.run("--resume", "g.json").status == 0)
      #expect(try ran() == "aa")
    }

    /// Kills the tool, and its command that has written its process to a file.
    private func kill(_ running: RunningTool) async throws {
      running.send(SIGKILL)
      // Waiting for the tool would be waiting for the command as well: it has the tool's standard error.
      let id = try folder.processID
      Foundation.kill(id, SIGKILL)
      #expect(await running.outcome().status == nil)
    }

    @Test("-n shows what a run would run, and changes nothing")
    func dryRun() async throws {
      try writeGraph()
      _ = try await tool.run("-j1", "-k0", "g.json")
      let state = folder.text(".opgraph/g.json.state")

      #expect(try await tool.run("-n", "--resume", "g.json").lines.map { $0.first } == ["b", "c"])
      #expect(try await tool.run("-n", "g.json").lines.map { $0.first } == ["a", "d", "b", "c"])
      #expect(folder.text(".opgraph/g.json.state") == state)

      try writeGraph(to: "new.json")
      #expect(try await tool.run("-n", "--resume", "new.json").lines.count == 4)
      #expect(folder.text(".opgraph/new.json.lock") == nil)
    }

    // MARK: Where nothing can be noted

    @Test("A graph from standard input cannot be resumed", arguments: [["--resume", "-"], ["-n", "--resume", "-"]])
    func standardInput(arguments: [String]) async throws {
      let running = try tool.start(arguments, input: #"{"operations": [{"id": "a", "run": "touch ran"}]}"#)
      let outcome = await running.outcome()
      #expect(outcome.status == 2)
      #expect(outcome.errors == "opgraph: --resume needs a graph in a file: nothing is noted of standard input\n")
      #expect(folder.text("ran") == nil)
    }

    @Test("A graph with the longest name that a file can have is run, and said not to be noted", arguments: [250, 255])
    func longName(length: Int) async throws {
      let name = String(repeating: "n", count: length)
      try writeGraph(b: ":", to: name)
      for _ in 0..<2 {
        let outcome = try await tool.run("-j1", name)
        #expect(outcome.status == 0)
        #expect(outcome.errors.hasPrefix("opgraph: what succeeds is not noted, so everything runs: .opgraph/\(name)."))
        #expect(try ran() == "adbc")
      }
    }

    @Test("Where no folder can be made the graph is run, and said not to be noted; but it is not resumed")
    func noFolder() async throws {
      try writeGraph(b: ":")
      try folder.write("", to: ".opgraph")

      let outcome = try await tool.run("-j1", "g.json")
      #expect(outcome.status == 0)
      #expect(
        outcome.errors
          == "opgraph: what succeeds is not noted, so everything runs: .opgraph/g.json.lock: Not a directory\n")
      #expect(try ran() == "adbc")

      let resumed = try await tool.run("--resume", "g.json")
      #expect(resumed.status == 2)
      #expect(resumed.errors == "opgraph: --resume: .opgraph/g.json.lock: Not a directory\n")
      #expect(try ran() == "")
    }

    @Test("A run that cannot open its log removes the notes of earlier runs, so that none is believed in vain")
    func unopened() async throws {
      try writeGraph(b: "[ ! -e bad ]")
      _ = try await tool.run("-j1", "g.json")
      let state = try #require(folder.text(".opgraph/g.json.state"))
      // It has to be replaced for its last line, and cannot be.
      try folder.write(state + "torn", to: ".opgraph/g.json.state")
      try folder.makeFolder(".opgraph/g.json.state.new")
      try folder.write("", to: "bad")

      let outcome = try await tool.run("-j1", "g.json")
      #expect(outcome.status == 1)
      #expect(
        outcome.errors == "opgraph: what succeeds is not noted, so everything runs, and earlier notes are removed: "
          + ".opgraph/g.json.state: Is a directory\n")
      #expect(folder.text(".opgraph/g.json.state") == "")

      for name in ["bad", ".opgraph/g.json.state.new", "ran"] {
        try FileManager.default.removeItem(atPath: folder.path(name))
      }
      #expect(try await tool.run("-j1", "--resume", "g.json").status == 0)
      #expect(try ran() == "adbc")
    }

    @Test(
      "Where notes can be neither written nor removed, nothing is run",
      .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv"), "not every system has setpriv"))
    func unremovable() async throws {
      try writeGraph(b: ":")
      _ = try await tool.run("-j1", "g.json")
      let state = folder.text(".opgraph/g.json.state")
      _ = try ran()
      for (name, mode) in [("g.json.lock", 0o444), ("g.json.state", 0o444), ("", 0o555)] as [(String, mode_t)] {
        #expect(chmod(folder.path(".opgraph/\(name)"), mode) == 0)
      }
      defer { chmod(folder.path(".opgraph"), 0o755) }
      // The superuser, too, is to be refused.
      let starter =
        getuid() == 0 ? ["/usr/bin/setpriv", "--bounding-set", "-dac_override,-dac_read_search,-fowner"] : []

      let outcome = try await tool.start(["g.json"], through: starter).outcome()
      #expect(outcome.status == 2)
      #expect(
        outcome.errors == "opgraph: what succeeds cannot be noted, and earlier notes cannot be removed: "
          + ".opgraph/g.json.lock: Permission denied\n")
      #expect(try ran() == "")
      #expect(folder.text(".opgraph/g.json.state") == state)
    }

    @Test("Notes that cannot be locked are removed, and those that there are not need not be")
    func unlocked() async throws {
      try writeGraph(b: ":")
      _ = try await tool.run("-j1", "g.json")
      try FileManager.default.removeItem(atPath: folder.path(".opgraph/g.json.lock"))
      try folder.makeFolder(".opgraph/g.json.lock")
      let error = ".opgraph/g.json.lock: Is a directory\n"

      let message = "opgraph: what succeeds is not noted, so everything runs"
      let outcome = try await tool.run("-j1", "g.json")
      #expect(outcome.errors == "\(message), and earlier notes are removed: \(error)")
      #expect(folder.text(".opgraph/g.json.state") == nil)
      #expect(try await tool.run("-j1", "g.json").errors == "\(message): \(error)")
    }

    @Test("A state that is no regular file is not read", arguments: ["/dev/full", nil])
    func special(device: String?) async throws {
      try writeGraph(b: ":")
      try folder.makeFolder(".opgraph")
      let state = folder.path(".opgraph/g.json.state")
      if let device {
        try FileManager.default.createSymbolicLink(atPath: state, withDestinationPath: device)
      } else {
        // Without a writer: whoever opened it would wait.
        try #require(mkfifo(state, 0o600) == 0)
      }
      let error =
        ".opgraph/g.json.state"
        + (device == nil ? " is no regular file: Invalid argument\n" : ": Too many levels of symbolic links\n")

      let outcome = try await tool.run("-j1", "g.json")
      #expect(outcome.status == 0)
      #expect(outcome.errors == "opgraph: what succeeds is not noted, so everything runs: \(error)")
      #expect(try ran() == "adbc")
      #expect(try await tool.run("-n", "g.json").lines.count == 4)
      #expect(try await tool.run("--resume", "g.json").errors == "opgraph: --resume: \(error)")
    }

    @Test(
      "A state that is damaged, or of another version, is said to be, and everything runs",
      arguments: [
        ("opgraph state 1\nx\ny\n", "is damaged in line 2"), ("opgraph state 7\n", "is of another version"),
      ])
    func damaged(text: String, message: String) async throws {
      try writeGraph(b: ":")
      try folder.makeFolder(".opgraph")
      try folder.write(text, to: ".opgraph/g.json.state")

      let outcome = try await tool.run("-j1", "--resume", "g.json")
      #expect(outcome.status == 0)
      #expect(outcome.errors == "opgraph: .opgraph/g.json.state \(message), so that everything is run\n")
      #expect(try ran() == "adbc")

      // It has been replaced.
      #expect(try await tool.run("--resume", "g.json").errors.isEmpty)
      #expect(try ran() == "")
    }

    @Test("A state whose last line is cut off counts up to there, and goes on behind it")
    func torn() async throws {
      try writeGraph(b: ":")
      _ = try await tool.run("-j1", "g.json")
      _ = try ran()
      let state = try #require(folder.text(".opgraph/g.json.state"))
      try folder.write(String(state.dropLast(3)), to: ".opgraph/g.json.state")

      for expected in ["c", ""] {
        let outcome = try await tool.run("-j1", "--resume", "g.json")
        #expect(outcome.status == 0)
        #expect(outcome.errors.isEmpty)
        #expect(try ran() == expected)
      }
    }

    @Test("A state that cannot be written is emptied, once and with a word, and the run goes on")
    func full() async throws {
      let operations = (0..<40).map { #"{"id": "operation number \#($0)", "run": ":"}"# }
      try folder.write(#"{"operations": [\#(operations.joined(separator: ","))]}"#, to: "g.json")
      // In units of 512 or 1024 bytes. No file may be longer.
      let running = try tool.start(
        ["g.json"], output: .nullDevice, through: ["/bin/sh", "-c", #"ulimit -f 1; exec "$@""#, "sh"])

      let outcome = await running.outcome()
      #expect(outcome.status == 0)
      #expect(
        outcome.errors
          == "opgraph: .opgraph/g.json.state: File too large; it is emptied, and nothing more of this run is noted\n")
      #expect(folder.text(".opgraph/g.json.state") == "")
      #expect(try await tool.run("--resume", "g.json").status == 0)
      #expect(try #require(folder.text(".opgraph/g.json.state")).split(separator: "\n").count == 41)
    }

    @Test("The state does not grow with the number of runs")
    func compacted() async throws {
      try writeGraph(b: ":")
      var most = 0
      for _ in 0..<30 {
        _ = try await tool.run("g.json")
        most = max(most, try #require(folder.text(".opgraph/g.json.state")).split(separator: "\n").count)
      }
      // Twice the notes and 100 before a run, and 8 lines more behind it.
      #expect(30...117 ~= most)
      _ = try ran()
      #expect(try await tool.run("--resume", "g.json").status == 0)
      #expect(try ran() == "")
    }
  }
}
