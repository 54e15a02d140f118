import Foundation
import Testing

extension OpgraphTests {
  @Suite("seeing")
  struct Seeing {
    private let folder: TemporaryFolder
    /// Written to by commands once they run.
    private let ready: Fifo
    /// Commands that read it run until the test writes to it.
    private let go: Fifo

    init() throws {
      folder = try TemporaryFolder()
      ready = try Fifo(folder.path("ready"))
      go = try Fifo(folder.path("go"))
    }

    @Test("--trace leaves a slice for each command on the track of its slot, and an arrow for each dependency")
    func trace() async throws {
      // The first two run at the same time, because each waits for the other.
      let outcome = try await Tool(folder: folder).run(
        "-j2", "--trace", "trace.json", "-",
        input: #"""
          {"operations": [
            {"id": "\"a\" <é>", "run": "echo >go; read line <ready"}, {"id": "b", "run": "echo >ready; read line <go"},
            {"id": "c", "run": ":", "after": ["b", "\"a\" <é>"]}
          ]}
          """#)
      #expect(outcome.status == 0)
      #expect(try folder.names == ["go", "ready", "trace.json"])
      let trace = try JSONDecoder().decode(Trace.self, from: Data((folder.text("trace.json") ?? "").utf8))
      let slices = trace.traceEvents.filter { $0.ph == "X" }
      #expect(slices.map(\.name) == ["\"a\" <é>", "b", "c"])
      #expect(Set(slices.prefix(2).map(\.tid)) == [1, 2])
      #expect([1, 2].contains(slices.last?.tid))
      #expect(Set(trace.traceEvents.filter { $0.name == "thread_name" }.map(\.tid)) == [1, 2])
      #expect(trace.traceEvents.count { $0.ph == "s" } == 2)
    }

    @Test("--report leaves a page with the operations, their results and dependencies, also of a run that failed")
    func report() async throws {
      let outcome = try await Tool(folder: folder).run(
        "-k0", "-j3", "--report", "page.html", "-",
        input: #"""
          {"operations": [
            {"id": "compile", "run": ":"}, {"id": "test", "run": "exit 3", "after": ["compile"]},
            {"id": "ship", "run": ":", "after": ["test"]}
          ]}
          """#)
      #expect(outcome.status == 1)
      let page = try #require(folder.text("page.html"))
      #expect(page.hasPrefix("<!doctype html>"))
      #expect(page.contains("<title>standard input (-j 3)</title>"))
      let history = try #require(page.firstMatch(of: #/<script type="application/json" id="history">(.*?)</script>/#))
      let json = try #require(try JSONSerialization.jsonObject(with: Data(history.1.utf8)) as? [String: Any])
      let operations = try #require(json["operations"] as? [[Any]])
      #expect(operations.map { $0[1] as? String } == ["compile", "test", "ship"])
      #expect(operations.map { $0[4] as? String } == ["succeeded", "failed", "failed"])
      #expect(operations[1][5] as? String == "exit status 3")
      // The indices of the dependencies, which the page draws its graph by.
      #expect(operations.map { $0[7] as? [Int] } == [[], [0], [1]])
    }

    @Test(
      "A file that cannot be written is said before anything runs",
      arguments: ["--trace", "--report"], ["nowhere/file", "sub"])
    func refused(option: String, path: String) async throws {
      try folder.makeFolder("sub")
      let outcome = try await Tool(folder: folder).run(
        option, path, "-", input: #"{"operations": [{"id": "a", "run": "touch ran"}]}"#)
      #expect(outcome.status == 2)
      #expect(outcome.errors.contains(path))
      #expect(try folder.names == ["go", "ready", "sub"])
    }

    @Test("A file that cannot be written in the end is a failure, and does not keep the other from being written")
    func failed() async throws {
      try folder.makeFolder("sub")
      let outcome = try await Tool(folder: folder).run(
        "--trace", "sub/trace.json", "--report", "page.html", "-",
        input: #"{"operations": [{"id": "a", "run": "rmdir sub"}]}"#)
      #expect(outcome.status == 1)
      #expect(outcome.errors == "opgraph: cannot write sub/trace.json: No such file or directory\n")
      #expect(folder.text("page.html")?.isEmpty == false)
    }

    @Test("An interrupted run leaves its files, too")
    func interrupted() async throws {
      let running = try Tool(folder: folder).start(
        ["--trace", "trace.json", "-"],
        input: #"{"operations": [{"id": "a", "run": "echo >ready; exec cat <go"}]}"#)
      _ = try await ready.line()
      running.send(SIGINT)
      #expect(await running.outcome().signal == SIGINT)
      let trace = try JSONDecoder().decode(Trace.self, from: Data((folder.text("trace.json") ?? "").utf8))
      #expect(trace.traceEvents.filter { $0.ph == "X" }.map(\.name) == ["a"])
    }

    @Test("The summary of a run that succeeds tells the critical path")
    func summary() async throws {
      let graph = #"{"operations": [{"id": "a", "run": ":"}, {"id": "b", "run": "exit $STATUS", "after": ["a"]}]}"#
      let tool = Tool(folder: folder)
      let success = try await tool.run("-j1", "-", input: graph, environment: ["STATUS": "0"])
      let line = try #require(success.lines.suffix(2).first)
      #expect(
        line.contains(#/^critical path: a -> b, TIME of TIME; slots [0-9]+ % busy; -j2 would have taken as long$/#))
      for option in ["-q", "--json"] {
        let outcome = try await tool.run("-j1", option, "-", input: graph, environment: ["STATUS": "0"])
        #expect(!outcome.lines.contains { $0.contains("critical path") })
      }
      let failure = try await tool.run("-j1", "-", input: graph, environment: ["STATUS": "1"])
      #expect(failure.status == 1)
      #expect(!failure.lines.contains { $0.hasPrefix("critical path") })
    }

    @Test("SIGUSR1 has it told why operations wait, as often as it comes, and the run goes on")
    func explanation() async throws {
      let running = try Tool(folder: folder).start(
        ["-j1", "-"],
        input: #"""
          {"operations": [
            {"id": "fetch", "run": "echo >ready; read line <go"}, {"id": "unpack", "run": ":", "after": ["fetch"]},
            {"id": "other", "run": ":"}
          ]}
          """#)
      _ = try await ready.line()
      for _ in 1...2 {
        running.send(SIGUSR1)
        #expect(try await running.nextError() == "opgraph: 1 operation is running, 2 wait:")
        let reasons = [try await running.nextError(), try await running.nextError()]
        #expect(reasons[0] == #"  "unpack" waits for "fetch"; "fetch" is executing: its body has not returned."#)
        #expect(reasons[1].hasPrefix(#"  "other" "#))
        #expect(reasons[1].contains("slot"))
        #expect(reasons[1].contains(#""fetch""#))
      }
      go.writeLine()
      #expect(await running.outcome().status == 0)
    }

    @Test("An operation in a pause between attempts is told as one, and not as running")
    func pause() async throws {
      let running = try Tool(folder: folder).start(
        ["-j1", "--json", "-"],
        input: #"""
          {"operations": [
            {"id": "flaky", "run": "exit 1", "priority": "high",
             "retries": {"attempts": 2, "delay": 1000, "maximumDelay": 1000}},
            {"id": "other", "run": "echo >ready; read line <go"}
          ]}
          """#)
      // It has the slot that the pause has lent.
      _ = try await ready.line()

      running.send(SIGUSR1)

      #expect(
        try await running.nextError()
          == "opgraph: 1 operation is running, 1 pauses between attempts, 0 wait")
      running.send(SIGINT)
      #expect(await running.outcome().signal == SIGINT)
    }

    @Test("SIGUSR1 before the first operation is told, and does no harm")
    func early() async throws {
      let input = Pipe()
      let running = try Tool(folder: folder).start(["-"], inputPipe: input)
      // More than a pipe takes: when it has been written, the tool reads, and so is there to be signalled.
      let spaces = Data(repeating: UInt8(ascii: " "), count: 1 << 20)
      try input.fileHandleForWriting.write(contentsOf: spaces)

      running.send(SIGUSR1)

      #expect(try await running.nextError() == "opgraph: no operation is running")
      try input.fileHandleForWriting.write(contentsOf: Data(#"{"operations": [{"id": "a", "run": ":"}]}"#.utf8))
      try input.fileHandleForWriting.close()
      #expect(await running.outcome().status == 0)
    }

    @Test("SIGUSR1 after the last operation, while the report waits for its reader, does no harm")
    func late() async throws {
      let output = try Fifo(folder.path("output"))
      output.fill()
      let running = try Tool(folder: folder).start(
        ["-"], input: #"{"operations": [{"id": "a", "run": "echo >ready"}]}"#,
        through: ["/bin/sh", "-c", #"exec "$@" >output"#, "sh"])
      _ = try await ready.line()

      // Until the operation has finished it is told as running or as waiting.
      var line = ""
      while line != "opgraph: no operation is running" {
        if line.isEmpty || line.hasPrefix("opgraph: ") { running.send(SIGUSR1) }
        line = try await running.nextError()
      }

      // The pipe has had nothing but empty lines.
      while !(try await output.line()).hasPrefix("1 operation: 1 done") {}
      #expect(await running.outcome().status == 0)
    }

    private struct Trace: Decodable {
      struct Event: Decodable {
        let ph: String
        let name: String
        let tid: Int
      }

      let traceEvents: [Event]
    }
  }
}
