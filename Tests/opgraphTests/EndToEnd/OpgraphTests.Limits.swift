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
      "Where the system has no more processes, commands wait for others to end, and all succeed",
      .enabled(if: ProcessLimit.isAvailable, "not every system has prlimit and setpriv"),
      arguments: [60, 61])
    func refusedProcesses(limit: Int) async throws {
      let started = try Fifo(folder.path("started"))
      let go = try Fifo(folder.path("go"))
      // The commands are another user's.
      #expect(chmod(folder.path, 0o755) == 0)
      for name in ["started", "go"] { #expect(chmod(folder.path(name), 0o666) == 0) }
      let operations = (1...300).map { #"{"id": "\#($0)", "run": "echo >started; read line <go"}"# }
      let running = try tool.start(
        ["-j300", "-"], input: #"{"operations": [\#(operations.joined(separator: ","))]}"#,
        through: ProcessLimit(count: limit).arguments)

      // The limit has been nearly reached, while all want to run: those that do may end.
      for _ in 1...50 { _ = try await started.line() }
      for _ in operations { go.writeLine() }

      let outcome = await running.outcome()
      #expect(outcome.status == 0)
      #expect(outcome.lines.last == "300 operations: 300 done, 0 failed, 0 skipped, TIME")
    }

    @Test("Where there are fewer descriptors than commands, commands wait for others to end, and all succeed")
    func refusedDescriptors() async throws {
      let started = try Fifo(folder.path("started"))
      let go = try Fifo(folder.path("go"))
      let operations = (1...600).map { #"{"id": "\#($0)", "run": "echo >started; read line <go"}"# }
      let running = try tool.start(
        ["-j600", "-"], input: #"{"operations": [\#(operations.joined(separator: ","))]}"#,
        through: ["/bin/sh", "-c", #"ulimit -n 256; exec "$@""#, "sh"])

      // As many as one for each descriptor, but not all.
      for _ in 1...200 { _ = try await started.line() }
      for _ in operations { go.writeLine() }

      let outcome = await running.outcome()
      #expect(outcome.status == 0)
      #expect(outcome.lines.last == "600 operations: 600 done, 0 failed, 0 skipped, TIME")
    }

    @Test(
      "Where the limit for descriptors is lowered below the number of those that are open, the run goes on",
      .enabled(if: ProcessLimit.isAvailable, "not every system has prlimit and setpriv"))
    func loweredDescriptors() async throws {
      let started = try Fifo(folder.path("started"))
      let go = try Fifo(folder.path("go"))
      let others = (1...30).map { #"{"id": "\#($0)", "run": "echo >started; read line <go; echo end"}"# }
      let each = "for i in $(seq 30)"
      let lower = "\(each); do read line <started; done; prlimit --pid $PPID --nofile=24:; \(each); do echo >go; done"

      let outcome = try await tool.run(
        "-j31", "-",
        input: #"{"operations": [\#(others.joined(separator: ",")), {"id": "lower", "run": "\#(lower)"}]}"#)

      #expect(outcome.status == 0)
      #expect(outcome.lines.count { $0 == "end" } == 30)
      #expect(outcome.lines.last == "31 operations: 31 done, 0 failed, 0 skipped, TIME")
      withExtendedLifetime((started, go)) {}
    }

    @Test("Where not even one command can be started, it has failed")
    func refusedFirst() async throws {
      let running = try tool.start(
        ["-"], input: #"{"operations": [{"id": "a", "run": "touch ran"}]}"#,
        through: ["/bin/sh", "-c", #"ulimit -n 7; exec "$@""#, "sh"])

      let outcome = await running.outcome()
      #expect(outcome.status == 1, "\(outcome)")
      #expect(outcome.lines.contains("failed     a TIME  could not be started: Too many open files"))
    }

    @Test(
      "The memory that the tool needs does not grow with the output of a command",
      .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/status"), "not every system tells the memory"))
    func memory() async throws {
      let megabytes = 300
      let output = try #require(FileHandle(forWritingAtPath: "/dev/null"))
      let running = try tool.start(
        ["-j1", "-"],
        input: #"""
          {"operations": [
            {"id": "a", "run": "head -c \#(megabytes)000000 /dev/zero"},
            {"id": "b", "run": "sed -n 's/^VmHWM: *//p' /proc/$PPID/status >most", "after": ["a"]}
          ]}
          """#, output: output)

      #expect(await running.outcome().status == 0)
      let most = try #require(folder.text("most")?.split(whereSeparator: \.isWhitespace).first.flatMap { Int($0) })
      #expect(most / 1000 < megabytes / 2, "kB: \(most)")
    }

    @Test("What cannot be stored of an output is told, and the run has not succeeded")
    func fileSize() async throws {
      let report = try Fifo(folder.path("report"))
      // A file may have a few blocks, which is less than what the command writes to a pipe.
      let running = try tool.start(
        ["-"], input: #"{"operations": [{"id": "a", "run": "yes | head -n 30000"}]}"#,
        output: FileHandle(forWritingAtPath: folder.path("report")),
        through: ["/bin/sh", "-c", #"ulimit -f 32; exec "$@""#, "sh"])

      var lineCount = 0
      while case let line = try await report.line(), !line.hasPrefix("1 operation: ") {
        lineCount += line == "y" ? 1 : 0
      }
      let outcome = await running.outcome()
      #expect(outcome.status == 1)
      // At least what may lie in memory.
      #expect(lineCount >= 8192 && lineCount < 30_000)
      let lost = 60_000 - 2 * lineCount
      #expect(
        outcome.errors
          == "opgraph: the output of \"a\" lacks its last \(lost) bytes, which could not be stored in a temporary file: "
          + "File too large\n")
    }

    @Test(
      "Where no thread can be made, that is the error, and nothing is run",
      .enabled(if: ProcessLimit.isAvailable, "not every system has prlimit and setpriv"))
    func refusedThreads() async throws {
      // Under the address sanitizer the search for leaks at exit would need a thread, too.
      let running = try tool.start(
        ["-"], input: #"{"operations": [{"id": "a", "run": "touch ran"}]}"#,
        environment: ["ASAN_OPTIONS": "detect_leaks=0"], through: ProcessLimit(count: 1).arguments)

      let outcome = await running.outcome()

      #expect(outcome.status == 2)
      #expect(outcome.errors == "opgraph: cannot make a thread: Resource temporarily unavailable\n")
      #expect(outcome.output.isEmpty)
      #expect(try folder.names.isEmpty)
    }
  }
}
