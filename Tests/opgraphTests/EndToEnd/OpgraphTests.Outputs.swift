import Foundation
import Testing

extension OpgraphTests {
  @Suite("inputs and outputs")
  struct Outputs {
    private let folder: TemporaryFolder
    private let tool: Tool
    private let graph = #"""
      {"operations": [
        {"id": "a", "run": "echo a >>ran; cat a.in >a.out", "inputs": ["a.in"], "outputs": ["a.out"]},
        {"id": "b", "run": "echo b >>ran; cat b.in >b.out", "inputs": ["b.in"], "outputs": ["b.out"]},
        {"id": "c", "run": "echo c >>ran; cat a.out b.out >c.out", "after": ["a", "b"],
         "inputs": ["a.out", "b.out"], "outputs": ["c.out"]}
      ]}
      """#

    init() throws {
      folder = try TemporaryFolder()
      tool = Tool(folder: folder)
      try folder.write(graph, to: "g.json")
      for name in ["a.in", "b.in"] { try folder.write("\(name)\n", to: name) }
    }

    private func ran() throws -> String {
      defer { try? FileManager.default.removeItem(atPath: folder.path("ran")) }
      return (folder.text("ran") ?? "").filter { $0 != "\n" }
    }

    private func setAge(of name: String, to seconds: Double) throws {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -seconds)], ofItemAtPath: folder.path(name))
    }

    @Test("What is up to date is not run, and said to be so")
    func upToDate() async throws {
      #expect(try await tool.run("-j1", "g.json").status == 0)
      #expect(try ran() == "abc")

      let again = try await tool.run("g.json")
      #expect(again.status == 0)
      #expect(again.lines.last?.hasPrefix("3 operations: 3 up to date, 0 done, 0 failed, 0 skipped, ") == true)
      #expect(try await tool.run("-n", "g.json").output.isEmpty)
      #expect(try ran() == "")
    }

    @Test("A touched input and a deleted output have it run again, and what comes after it", arguments: [false, true])
    func outOfDate(isResuming: Bool) async throws {
      let options = isResuming ? ["-j1", "--resume"] : ["-j1"]
      func run() async throws -> String {
        #expect(try await tool.start(options + ["g.json"]).outcome().status == 0)
        return try ran()
      }
      for name in ["a.in", "b.in"] { try setAge(of: name, to: 100) }
      #expect(try await run() == "abc")

      try FileManager.default.removeItem(atPath: folder.path("b.out"))
      #expect(try await tool.run("-n", "g.json").lines.map { $0.first } == ["b", "c"])
      #expect(try await run() == "bc")
      try setAge(of: "a.in", to: 50)
      #expect(try await run() == "ac")
      // Older than its input, although everything is as it was at the last success.
      try setAge(of: "c.out", to: 10)
      #expect(try await run() == "c")
      #expect(try await run() == "")
    }

    @Test("An input that is not there is a failure that names it, and the command is not started")
    func missing() async throws {
      try FileManager.default.removeItem(atPath: folder.path("b.in"))

      let outcome = try await tool.run("-j1", "g.json")

      #expect(outcome.status == 1)
      #expect(
        outcome.lines.contains(
          #"failed     b TIME  could not be started: there is no input "b.in": No such file or directory"#))
      #expect(try ran() == "a")
    }

    @Test("An input that an operation before it makes need not be there before that")
    func madeInput() async throws {
      try folder.write(
        #"""
        {"operations": [
          {"id": "a", "run": "touch made"},
          {"id": "b", "run": "touch ran", "after": "a", "inputs": ["made"], "outputs": ["ran"]}
        ]}
        """#, to: "g.json")
      #expect(try await tool.run("g.json").status == 0)
    }

    @Test("Of a graph from standard input, or a descriptor, everything runs", arguments: ["-", "/dev/fd/0"])
    func standardInput(argument: String) async throws {
      for _ in 0..<2 {
        #expect(try await tool.run("-j1", argument, input: graph).status == 0)
        #expect(try ran() == "abc")
      }
      #expect(try await tool.run("-n", argument, input: graph).lines.map { $0.first } == ["a", "b", "c"])
      #expect(!FileManager.default.fileExists(atPath: folder.path(".opgraph")))
    }

    @Test("-n shows that everything runs where a run could note nothing")
    func dryRun() async throws {
      #expect(try await tool.run("-j1", "g.json").status == 0)
      try FileManager.default.removeItem(atPath: folder.path(".opgraph/g.json.lock"))
      try folder.makeFolder(".opgraph/g.json.lock")

      #expect(try await tool.run("-n", "g.json").lines.map { $0.first } == ["a", "b", "c"])
      let resumed = try await tool.run("-n", "--resume", "g.json")
      #expect(resumed.errors == "opgraph: --resume: .opgraph/g.json.lock: Is a directory\n")
    }

    @Test("What a failed command has left is not up to date where nothing can be noted", arguments: [false, true])
    func leftOver(isInFile: Bool) async throws {
      let graph =
        #"{"operations": [{"id": "a", "run": "echo a >>ran; echo half >out; exit 1", "outputs": ["out"]}]}"#
      try folder.write(graph, to: "g.json")
      // In the place of the folder.
      try folder.write("", to: ".opgraph")
      for _ in 0..<2 {
        let outcome = try await tool.run(isInFile ? "g.json" : "-", input: graph)
        #expect(outcome.status == 1)
        #expect(try ran() == "a")
      }
    }
  }
}
