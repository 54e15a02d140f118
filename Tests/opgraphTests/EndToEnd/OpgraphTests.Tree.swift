import Foundation
import Testing

extension OpgraphTests {
  @Suite("the built-in graph")
  struct Tree {
    private let folder: TemporaryFolder
    /// The tool's temporary directory; a folder of the test's, to see what is left in it.
    private let scratch: TemporaryFolder
    /// The first place where the shell looks for tools.
    private let tools: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
      scratch = try TemporaryFolder()
      tools = try TemporaryFolder()
    }

    @Test("Every file is hashed, counted, packed and verified, whatever its name; no other is")
    func tree() async throws {
      try folder.makeFolder("sub/.build-x")
      try folder.makeFolder(".build/debug")
      try folder.makeFolder(".git")
      try folder.write("one\ntwo\n", to: "a b")
      try folder.write("three\n", to: "-rf")
      try folder.write("", to: "sub/it's\n new")
      try folder.write("four\n", to: "sub/.buildup")
      for ignored in [".git/HEAD", ".build/debug/x", "sub/.build-x/y"] { try folder.write("ignored\n", to: ignored) }

      let outcome = try await run()

      #expect(outcome.status == 0)
      #expect(outcome.errors.isEmpty)
      #expect(outcome.lines.contains("           4  files"))
      #expect(outcome.lines.contains("           4  lines"))
      #expect(outcome.lines.contains { $0.hasSuffix("  bytes in the archive, verified") })
      #expect(outcome.lines.last == "6 operations: 6 done, 0 failed, 0 skipped, TIME")
      #expect(try scratch.names.isEmpty)
    }

    @Test("A tree without files is fine")
    func empty() async throws {
      let outcome = try await run()
      #expect(outcome.status == 0)
      #expect(outcome.lines.contains("           0  files"))
    }

    @Test("The same files have the same checksum, another file another one")
    func checksum() async throws {
      try folder.write("one\n", to: "a")
      let first = try await run().lines.first { $0.hasSuffix("checksum of all") }
      let again = try await run().lines.first { $0.hasSuffix("checksum of all") }
      try folder.write("two\n", to: "a")
      let other = try await run().lines.first { $0.hasSuffix("checksum of all") }

      #expect(first != nil && first == again && first != other)
    }

    @Test("The temporary directory may stand in the tree")
    func nested() async throws {
      try folder.write("one\n", to: "a")
      try folder.makeFolder("tmp")

      let outcome = try await run(temporaryDirectory: folder.path("tmp"))

      #expect(outcome.status == 0)
      #expect(outcome.lines.contains("           1  files"))
    }

    @Test("An archive that does not hold what the tree does is found")
    func verification() async throws {
      try folder.write("one\n", to: "a")
      try replace("tar", with: #"PATH=${PATH#*:}; tar "$@" && case $1 in -xf) printf x >>a;; esac"#)

      let outcome = try await run()

      #expect(outcome.status == 1)
      #expect(outcome.lines.contains { $0.hasPrefix("failed     verify") })
    }

    @Test("Ctrl-C leaves no temporary directory behind")
    func interrupted() async throws {
      let ready = try Fifo(folder.path("ready"))
      let never = try Fifo(folder.path("never"))
      try replace("cksum", with: "echo >ready; exec cat <never")
      let running = try start()
      _ = try await ready.line()

      running.send(SIGINT)

      #expect(await running.outcome().status == 130)
      #expect(try scratch.names.isEmpty)
      withExtendedLifetime(never) {}
    }

    @Test("Neither does Ctrl-C many times over")
    func interruptedOften() async throws {
      let ready = try Fifo(folder.path("ready"))
      let never = try Fifo(folder.path("never"))
      try replace("cksum", with: "echo >ready; exec cat <never")
      let running = try start()
      _ = try await ready.line()

      for _ in 1...4 { running.send(SIGINT) }

      #expect(await running.outcome().status == 130)
      #expect(try scratch.names.isEmpty)
      withExtendedLifetime(never) {}
    }

    @Test(
      "Neither does the third Ctrl-C, which waits for nothing",
      .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/setsid"), "not every system has setsid"))
    func interruptedThrice() async throws {
      let ready = try Fifo(folder.path("ready"))
      let never = try Fifo(folder.path("never"))
      try replace("cksum", with: "exec setsid sh -c 'echo $$ >id; echo >ready; exec cat <never'")
      let running = try start()
      _ = try await ready.line()
      let id = try #require(folder.text("id").flatMap { pid_t($0.dropLast()) })

      for _ in 1...2 {
        running.send(SIGINT)
        _ = try await running.nextError()
      }
      running.send(SIGINT)

      // The end of standard error is the tool's own end.
      await #expect(throws: NoLine.self) { try await running.nextError() }
      Foundation.kill(id, SIGKILL)
      #expect(await running.outcome().status == 130)
      #expect(try scratch.names.isEmpty)
      withExtendedLifetime(never) {}
    }

    private func run(temporaryDirectory: String? = nil) async throws -> Tool.Outcome {
      await (try start(temporaryDirectory: temporaryDirectory)).outcome()
    }

    private func start(temporaryDirectory: String? = nil) throws -> RunningTool {
      let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
      return try Tool(folder: folder).start(
        [], environment: ["TMPDIR": temporaryDirectory ?? scratch.path, "PATH": "\(tools.path):\(path)"])
    }

    /// Puts a script in front of one of the tools that the graph uses.
    private func replace(_ tool: String, with script: String) throws {
      let path = try tools.write("#!/bin/sh\n\(script)\n", to: tool)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }
  }
}
