import Foundation
import Testing

@testable import opgraph

extension OpgraphTests {
  @Suite("results for programs")
  struct ResultFiles {
    private let folder: TemporaryFolder
    private let graph = #"""
      {"operations": [
        {"id": "a", "run": "echo hello"}, {"id": "b", "run": "exit 3", "after": ["a"]},
        {"id": "c", "run": ":", "after": ["b"]}
      ]}
      """#

    init() throws {
      folder = try TemporaryFolder()
    }

    @Test("--json tells what happens, line by line, and nothing else")
    func events() async throws {
      let outcome = try await Tool(folder: folder).run("--json", "-", input: graph)
      #expect(outcome.status == 1)
      let events = try outcome.output.split(separator: UInt8(ascii: "\n")).map { line in
        try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
      }
      #expect(
        events.map { "\($0["event"] ?? "") \($0["id"] ?? "")" } == [
          "runBegan ", "started a", "output a", "ended a", "started b", "ended b", "notRun c", "runEnded ",
        ])
      #expect(events[2]["text"] as? String == "hello\n")
    }

    @Test(
      "Where standard output takes nothing, it is named, and the status says that something was not written",
      arguments: ["--help", "--version", "--list", "--dry-run", "--graph=dot"])
    func fullOutput(option: String) async throws {
      let running = try Tool(folder: folder).start(
        [option, "-"], input: graph, through: ["/bin/sh", "-c", #"exec "$@" >&-"#, "sh"])
      let outcome = await running.outcome()
      #expect(outcome.status == 1)
      #expect(outcome.errors == "opgraph: cannot write to standard output: Bad file descriptor\n")
    }

    @Test("--junit leaves one file, beside the report for people")
    func junit() async throws {
      try folder.write("old", to: "results.xml")
      let outcome = try await Tool(folder: folder).run("-k0", "--junit", "results.xml", "-", input: graph)
      #expect(outcome.status == 1)
      #expect(outcome.lines.last == "3 operations: 1 done, 1 failed, 1 skipped, TIME")
      #expect(try folder.names == ["results.xml"])
      let document = try XMLTree.document(Data((folder.text("results.xml") ?? "").utf8))
      #expect(document.all("testcase").map { $0.attributes["name"] } == ["a", "b", "c"])
      #expect(document.all("system-out").map(\.text) == ["hello\n"])
    }

    #if os(Linux)
      @Test("Results are left in a folder whose name is no text", arguments: ["--junit", "--trace", "--report"])
      func unreadableFolder(option: String) async throws {
        let script = #"""
          folder=$(printf 'b\377d'); mkdir "$folder"; cd "$folder"
          "$@"; status=$?
          cd ..; mv "$folder" renamed; exit $status
          """#
        let running = try Tool(folder: folder).start(
          [option, "result", "-"], input: #"{"operations": [{"id": "a", "run": ":"}]}"#,
          through: ["/bin/sh", "-c", script, "sh"])
        let outcome = await running.outcome()
        #expect(outcome.status == 0)
        #expect(outcome.errors.isEmpty)
        #expect(try folder.names == ["renamed"])
        #expect(folder.text("renamed/result")?.isEmpty == false)
      }
    #endif

    @Test("Results are left in the folder of the run, also where it is moved meanwhile, with links in it")
    func movedFolder() async throws {
      try folder.makeFolder("sub/deep")
      try FileManager.default.createSymbolicLink(atPath: folder.path("sub/link"), withDestinationPath: "deep/result")
      let running = try Tool(folder: folder).start(
        ["--junit", "junit", "--trace", "link", "--report", "deep/page", "-"],
        input: #"{"operations": [{"id": "a", "run": "mv ../sub ../moved"}]}"#,
        through: ["/bin/sh", "-c", #"cd sub; exec "$@""#, "sh"])
      let outcome = await running.outcome()
      #expect(outcome.status == 0)
      #expect(outcome.errors.isEmpty)
      #expect(try folder.names == ["moved"])
      for name in ["junit", "deep/result", "deep/page"] { #expect(folder.text("moved/\(name)")?.isEmpty == false) }
    }

    @Test("Results are left in a folder also where one above it is closed to the user")
    func closedParent() async throws {
      try folder.makeFolder("closed/sub")
      defer { chmod(folder.path("closed"), 0o755) }
      // The superuser, too, is to be refused.
      let starter =
        getuid() == 0 ? ["/usr/bin/setpriv", "--bounding-set", "-dac_override,-dac_read_search"] : []
      let running = try Tool(folder: folder).start(
        ["--junit", "junit", "--trace", "./trace", "-"], input: #"{"operations": [{"id": "a", "run": ":"}]}"#,
        through: ["/bin/sh", "-c", #"cd closed/sub; chmod 0 ..; exec "$@""#, "sh"] + starter)
      let outcome = await running.outcome()
      #expect(outcome.status == 0)
      #expect(outcome.errors.isEmpty)
      #expect(chmod(folder.path("closed"), 0o755) == 0)
      for name in ["junit", "trace"] { #expect(folder.text("closed/sub/\(name)")?.isEmpty == false) }
    }

    @Test("Where no temporary file can be made, outputs and results come as a whole all the same")
    func noTemporaryFolder() async throws {
      let outcome = try await Tool(folder: folder).run(
        "--junit", "junit", "-",
        input: #"{"operations": [{"id": "a", "run": "yes | head -n 50000; echo end"}]}"#,
        environment: ["TMPDIR": "/nowhere"])
      #expect(outcome.status == 0)
      #expect(outcome.errors.isEmpty)
      #expect(outcome.lines.count { $0 == "y" } == 50_000)
      let document = try XMLTree.document(Data((folder.text("junit") ?? "").utf8))
      let text = try #require(document.all("system-out").first?.text)
      #expect(text.hasSuffix("\ny\nend\n"))
      #expect(text.utf8.count >= 1 << 16)
    }

    @Test("A file that cannot be written is said before anything runs", arguments: ["nowhere/results.xml", "sub"])
    func refused(path: String) async throws {
      try folder.makeFolder("sub")
      let outcome = try await Tool(folder: folder).run(
        "--junit", path, "-", input: #"{"operations": [{"id": "a", "run": "touch ran"}]}"#)
      #expect(outcome.status == 2)
      #expect(outcome.errors.contains(path))
      #expect(try folder.names == ["sub"])
    }

    @Test("A file that cannot be written in the end is a failure")
    func failed() async throws {
      try folder.makeFolder("sub")
      let outcome = try await Tool(folder: folder).run(
        "--junit", "sub/results.xml", "-", input: #"{"operations": [{"id": "a", "run": "rmdir sub"}]}"#)
      #expect(outcome.status == 1)
      #expect(outcome.errors == "opgraph: cannot write sub/results.xml: No such file or directory\n")
    }

    private static let outputs = ["/dev/stdout", "/dev/fd/1", "link", "/dev/stderr", "/dev/fd/3"]

    @Test(
      "A result that goes to an open file comes behind what is there, as it would where that is a pipe",
      arguments: ["--junit", "--trace", "--report"], outputs)
    func openFile(option: String, path: String) async throws {
      try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "/dev/stdout")
      let script = #"echo start; echo start >&2; echo start >&3; exec "$@""#
      let running = try Tool(folder: folder).start(
        [option, path, "-"], input: #"{"operations": [{"id": "a", "run": ":"}]}"#,
        through: ["/bin/sh", "-c", "exec >out 2>err 3>other; \(script)", "sh"])
      #expect(await running.outcome().status == 0)

      let name = path.hasSuffix("err") ? "err" : path.hasSuffix("3") ? "other" : "out"
      for each in ["out", "err", "other"] {
        let text = try #require(folder.text(each))
        #expect(text.hasPrefix("start\n"))
        #expect(text.contains("1 operation: 1 done") == (each == "out"))
        #expect(text.contains(/<testsuites|traceEvents|<!doctype/) == (each == name))
      }
      #expect(try folder.names == ["err", "link", "other", "out"])
    }

    @Test(
      "Two results for one file are refused before anything runs, with the names of both options",
      arguments: [
        (["--trace", "same", "--report", "same"], "--trace same and --report same are the same file"),
        (["--report", "sub/../same", "--trace", "same"], "--trace same and --report sub/../same are the same file"),
        (["--junit", "link", "--report", "same"], "--junit link and --report same are the same file"),
        (["--trace", "same", "--junit", "same"], "--junit same and --trace same are the same file"),
      ], [false, true])
    func sameFile(two: (options: [String], message: String), isThere: Bool) async throws {
      try folder.makeFolder("sub")
      try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "same")
      if isThere { try folder.write("old", to: "same") }
      let running = try Tool(folder: folder).start(
        two.options + ["-"], input: #"{"operations": [{"id": "a", "run": "touch ran"}]}"#)
      let outcome = await running.outcome()
      #expect(outcome.status == 2)
      #expect(outcome.errors == "opgraph: \(two.message)\n")
      #expect(try folder.names == (isThere ? ["link", "same", "sub"] : ["link", "sub"]))
    }

    @Test(
      "A result for the file of the graph is refused before anything runs",
      arguments: [
        ["--trace", "opgraph.json"], ["--report", "./opgraph.json", "opgraph.json"], ["--junit", "link"],
        ["--trace", "opgraph.json", "link"],
      ])
    func graphFile(arguments: [String]) async throws {
      let text = #"{"operations": [{"id": "a", "run": "touch ran"}]}"#
      try folder.write(text, to: "opgraph.json")
      try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "opgraph.json")
      let outcome = try await Tool(folder: folder).start(arguments).outcome()
      #expect(outcome.status == 2)
      let (option, path) = (arguments[0], arguments[1])
      #expect(outcome.errors == "opgraph: \(option) \(path) would take the place of the graph\n")
      #expect(folder.text("opgraph.json") == text)
      #expect(folder.text("ran") == nil)
    }

    @Test("A result of nothing that runs is refused", arguments: ["--dry-run", "--list", "--graph=dot"])
    func withoutRun(option: String) async throws {
      let outcome = try await Tool(folder: folder).run(option, "--report", "page.html", "-", input: graph)
      #expect(outcome.status == 2)
      #expect(outcome.errors.hasPrefix("opgraph: \(option.prefix { $0 != "=" }) runs nothing"))
      #expect(outcome.output.isEmpty)
      #expect(try folder.names == [])
    }

    @Test("Two results may go to one pipe, as to one device")
    func samePipe() async throws {
      // No device of the system: where the tool takes one for a file it takes it away from all.
      let pipe = try Fifo(folder.path("pipe"))
      let outcome = try await Tool(folder: folder).run(
        "--trace", "pipe", "--junit", "pipe", "-", input: #"{"operations": [{"id": "a", "run": ":"}]}"#)
      #expect(outcome.status == 0)
      #expect(FileSystem.isSpecial(folder.path("pipe")))
      #expect(try await !pipe.line().isEmpty)
    }
  }
}
