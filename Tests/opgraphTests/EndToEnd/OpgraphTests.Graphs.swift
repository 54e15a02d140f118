import Foundation
import Testing

extension OpgraphTests {
  @Suite("running a graph")
  struct Graphs {
    private let folder: TemporaryFolder
    private let tool: Tool

    init() throws {
      folder = try TemporaryFolder()
      tool = Tool(folder: folder)
    }

    @Test("Operations run after what they come after, each told with its end, status and time")
    func success() async throws {
      try folder.write(
        #"""
        {"operations": [
          {"id": "link", "run": "cat a.o b.o >app; cat app", "after": ["compile a", "compile b"]},
          {"id": "compile b", "run": "echo b >b.o", "after": ["configure"]},
          {"id": "compile a", "run": "echo a >a.o", "after": ["configure", "compile b"]},
          {"id": "configure", "run": "printf done"}
        ]}
        """#, to: "graph.json")

      let outcome = try await tool.run("graph.json")

      #expect(outcome.status == 0)
      #expect(outcome.errors.isEmpty)
      #expect(
        outcome.lines.dropLast(2) == [
          "done       configure TIME  exit status 0",
          "done",
          "done       compile b TIME  exit status 0",
          "done       compile a TIME  exit status 0",
          "done       link TIME  exit status 0",
          "a",
          "b",
        ])
      let summary = outcome.lines.suffix(2)
      #expect(summary.first?.hasPrefix("critical path: configure -> compile b -> compile a -> link, ") == true)
      #expect(summary.last == "4 operations: 4 done, 0 failed, 0 skipped, TIME")
      #expect(folder.text("app") == "a\nb\n")
    }

    @Test("What comes after a failure is not run and says whose it was; the rest is")
    func failure() async throws {
      try folder.write(
        #"""
        {"operations": [
          {"id": "bad", "run": "echo broken >&2; exit 3"},
          {"id": "next", "run": "touch next", "after": ["bad"]},
          {"id": "last", "run": "touch last", "after": ["next", "good"]},
          {"id": "good", "run": "touch good"}
        ]}
        """#, to: "graph.json")

      let outcome = try await tool.run("-j1", "-k", "0", "graph.json")

      #expect(outcome.status == 1)
      #expect(outcome.lines.contains("failed     bad TIME  exit status 3"))
      #expect(outcome.lines.contains("broken"))
      #expect(outcome.lines.contains("2 operations were not run, because bad failed"))
      #expect(outcome.lines.last == "4 operations: 1 done, 1 failed, 2 skipped, TIME")
      #expect(try folder.names == ["good", "graph.json"])
    }

    @Test("A command that a signal ended is failed, and has the usual signal handling")
    func killed() async throws {
      let outcome = try await tool.run(
        "-k", "0", "-",
        input: #"{"operations": [{"id": "a", "run": "kill -INT $$"}, {"id": "b", "run": "kill -PIPE $$"}]}"#)

      #expect(outcome.status == 1)
      #expect(outcome.lines.contains("failed     a TIME  killed by signal 2"))
      #expect(outcome.lines.contains("failed     b TIME  killed by signal 13"))
    }

    @Test("Directories are relative to the file's folder, and from standard input to the current one")
    func directories() async throws {
      try folder.makeFolder("sub/deeper")
      let graph = #"{"operations": [{"id": "a", "run": "pwd -P"}, {"id": "b", "run": "pwd -P", "directory": "DIR"}]}"#
      try folder.write(graph.replacing("DIR", with: "deeper"), to: "sub/graph.json")

      let file = try await tool.run("-j1", "sub/graph.json")
      let input = try await tool.run("-j1", "-", input: graph.replacing("DIR", with: "sub"))

      #expect(file.lines.filter { $0.hasPrefix("/") } == [folder.path("sub"), folder.path("sub/deeper")])
      #expect(input.lines.filter { $0.hasPrefix("/") } == [folder.path, folder.path("sub")])
    }

    @Test("Commands run in their directories whatever CDPATH says")
    func directorySearch() async throws {
      try folder.makeFolder("sub")
      try folder.makeFolder("elsewhere/sub")
      try folder.write(#"{"operations": [{"id": "a", "run": "pwd -P; echo $CDPATH"}]}"#, to: "sub/graph.json")

      let outcome = try await tool.run("sub/graph.json", environment: ["CDPATH": folder.path("elsewhere")])

      #expect(outcome.lines.filter { $0.hasPrefix("/") } == [folder.path("sub"), folder.path("elsewhere")])
    }

    @Test("A command whose directory has gone by then has failed, and the directory is named")
    func missingDirectory() async throws {
      try folder.makeFolder("sub")
      let outcome = try await tool.run(
        "-",
        input: #"""
          {"operations": [
            {"id": "a", "run": "rmdir sub"},
            {"id": "b", "run": "touch ran", "after": ["a"], "directory": "sub"}
          ]}
          """#)

      #expect(outcome.status == 1)
      let reason = #"could not be started: cannot enter the directory "./sub": No such file or directory"#
      #expect(outcome.lines.contains("failed     b TIME  \(reason)"))
      #expect(try folder.names.isEmpty)
    }

    @Test("Of those that could start the one with the higher priority does")
    func priorities() async throws {
      let outcome = try await tool.run(
        "-j1", "-",
        input: #"""
          {"operations": [
            {"id": "a", "run": ":", "priority": "low"}, {"id": "b", "run": ":"},
            {"id": "c", "run": ":", "priority": "veryHigh"}, {"id": "d", "run": ":", "priority": "high"},
            {"id": "e", "run": ":", "priority": "veryLow"}
          ]}
          """#)

      #expect(
        outcome.lines.filter { $0.hasPrefix("done") }.map { $0.dropFirst(11).prefix(1) } == ["c", "d", "b", "a", "e"])
    }

    @Test("-j is the number of commands that run at once: reached, and never exceeded")
    func width() async throws {
      let fifos = try ["one", "two"].map { try Fifo(folder.path($0)) }
      // The first two can end only together.
      let others = (1...6).map { #"{"id": "c\#($0)", "run": ":"}"# }.joined(separator: ", ")
      let outcome = try await tool.run(
        "-j", "2", "--json", "-",
        input: #"""
          {"operations": [
            {"id": "a", "run": "echo >one; read line <two", "priority": "high"},
            {"id": "b", "run": "echo >two; read line <one", "priority": "high"}, \#(others)
          ]}
          """#)

      #expect(outcome.status == 0)
      var running = 0
      var most = 0
      for line in outcome.lines {
        if line.contains(#""event":"started""#) { running += 1 }
        if line.contains(#""event":"ended""#) { running -= 1 }
        most = max(most, running)
      }
      #expect(most == 2)
      withExtendedLifetime(fifos) {}
    }

    @Test("The outputs of commands that write in turns are printed one after the other")
    func unmixed() async throws {
      let fifos = try ["ping", "pong"].map { try Fifo(folder.path($0)) }
      let outcome = try await tool.run(
        "-j2", "-",
        input: #"""
          {"operations": [
            {"id": "a", "run": "for i in 1 2 3; do echo a$i; echo >ping; read line <pong; done"},
            {"id": "b", "run": "for i in 1 2 3; do read line <ping; echo b$i; echo >pong; done"}
          ]}
          """#)

      let text = outcome.lines.joined(separator: "\n")
      #expect(text.contains("done       a TIME  exit status 0\na1\na2\na3\n"))
      #expect(text.contains("done       b TIME  exit status 0\nb1\nb2\nb3\n"))
      withExtendedLifetime(fifos) {}
    }

    @Test("An output is printed whole and as it is")
    func bytes() async throws {
      let outcome = try await tool.run(
        "-", input: #"{"operations": [{"id": "a", "run": "head -c 2000000 /dev/zero; printf '\\377\\n'"}]}"#)

      #expect(outcome.output.range(of: Data(repeating: 0, count: 2_000_000) + [0xFF, 0x0A]) != nil)
    }

    @Test("Standard input and output that are closed are not mistaken for other files")
    func closedDescriptors() async throws {
      try folder.write(#"{"operations": [{"id": "a", "run": "echo x"}]}"#, to: "graph.json")

      let running = try tool.start(["graph.json"], through: ["/bin/sh", "-c", #"exec "$@" <&- >&-"#, "sh"])
      let outcome = await running.outcome()

      #expect(outcome.status == 1)
      #expect(outcome.errors == "opgraph: cannot write the report: Bad file descriptor\n")
    }

    @Test("A report that nobody reads cancels the run")
    func brokenOutput() async throws {
      let never = try Fifo(folder.path("never"))
      let unread = Pipe()
      try unread.fileHandleForReading.close()

      let running = try tool.start(
        ["-j2", "-"],
        input: #"{"operations": [{"id": "a", "run": "exec cat <never"}, {"id": "b", "run": ":"}]}"#,
        output: unread.fileHandleForWriting)
      let outcome = await running.outcome()

      #expect(outcome.status == 1)
      #expect(outcome.errors == "opgraph: cannot write the report: Broken pipe\n")
      withExtendedLifetime(never) {}
    }
  }
}
