import Foundation
import Testing

extension OpgraphTests {
  @Suite("limits of the system")
  struct Limits {
    private let folder: TemporaryFolder
    private let tool: Tool

    init() throws {
      folder = try TemporaryFolder()
      tool = Tool(folder: folder)
    }

    @Test(
      "The number of threads does not grow with the number of commands",
      .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/task"), "not every system tells the number"))
    func threads() async throws {
      let started = try Fifo(folder.path("started"))
      let go = try Fifo(folder.path("go"))
      let others = (1...20).map { #"{"id": "\#($0)", "run": "echo >started; read line <go"}"# }
      let numbers = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20"
      let count = """
        for i in \(numbers); do read line <started; done; ls /proc/$PPID/task | wc -l; for i in \(numbers); do echo >go; done
        """

      let outcome = try await tool.run(
        "-j21", "-",
        input: #"{"operations": [\#(others.joined(separator: ",")), {"id": "count", "run": "\#(count)"}]}"#)

      #expect(outcome.status == 0)
      let lines = outcome.lines
      let end = try #require(lines.firstIndex { $0.hasPrefix("done       count") })
      #expect(lines[end + 1] == "3")
      withExtendedLifetime((started, go)) {}
    }

    @Test(
      "Where the system refuses threads and processes, every command ends all the same",
      .enabled(if: ProcessLimit.isAvailable, "not every system has prlimit and setpriv"),
      // An even and an odd one, so that a tool with a thread for each command would lack one in the end.
      arguments: [60, 61])
    func refusedProcesses(limit: Int) async throws {
      let report = try Fifo(folder.path("report"))
      let go = try Fifo(folder.path("go"))
      // The commands are another user's.
      #expect(chmod(folder.path, 0o755) == 0 && chmod(folder.path("go"), 0o666) == 0)
      let operations = (1...300).map { #"{"id": "\#($0)", "run": "read line <go"}"# }
      let running = try tool.start(
        ["-j300", "-"], input: #"{"operations": [\#(operations.joined(separator: ","))]}"#,
        output: FileHandle(forWritingAtPath: folder.path("report")), through: ProcessLimit(count: limit).arguments)

      var endings: [String] = []
      while endings.count < 300 {
        let line = try await report.line()
        if line.hasPrefix("start ") { continue }
        endings.append(line)
        // The limit has been reached: those that run may end.
        if endings.count == 1 { for _ in operations { go.writeLine() } }
      }
      #expect(endings[0].hasSuffix("could not be started: Resource temporarily unavailable"))
      #expect(endings.contains { $0.hasPrefix("done ") })
      #expect(try await report.line().hasPrefix("300 operations: "))
      #expect(await running.outcome().status == 1)
    }

    @Test(
      "Where no thread can be made, that is the error, and nothing is run",
      .enabled(if: ProcessLimit.isAvailable, "not every system has prlimit and setpriv"))
    func refusedThreads() async throws {
      let running = try tool.start(
        ["-"], input: #"{"operations": [{"id": "a", "run": "touch ran"}]}"#, through: ProcessLimit(count: 1).arguments)

      let outcome = await running.outcome()

      #expect(outcome.status == 2)
      #expect(outcome.errors == "opgraph: cannot make a thread: Resource temporarily unavailable\n")
      #expect(outcome.output.isEmpty)
      #expect(try folder.names.isEmpty)
    }
  }
}
