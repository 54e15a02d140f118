import Foundation
import Testing

extension OpgraphTests {
  /// The graphs of the folder of examples, run in folders that stand for the package.
  @Suite("the examples")
  struct ExampleGraphs {
    private let folder: TemporaryFolder
    /// The first place where the shell looks for tools.
    private let tools: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
      tools = try TemporaryFolder()
    }

    @Test("Every example succeeds, and leaves nothing behind", arguments: Examples.runnableNames)
    func success(name: String) async throws {
      let file = try Examples.copy(name, into: folder)
      try folder.makeFolder("Tests")
      for document in ["README.md", "CHANGELOG.md", "LICENSE"] { try folder.write("some words, some\n", to: document) }

      let outcome = try await Tool(folder: folder).run(file)

      #expect(outcome.status == 0)
      #expect(outcome.errors.isEmpty)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path(".build")) == [])
    }

    @Test("Words are counted")
    func words() async throws {
      let file = try Examples.copy("word-frequencies.json", into: folder)
      try folder.write("A queue and an Operation.\n", to: "README.md")
      try folder.write("Queue, queue\n", to: "CHANGELOG.md")
      try folder.write("operation: queue\n", to: "LICENSE")

      let outcome = try await Tool(folder: folder).run(file)

      let words = outcome.lines.map { $0.split(separator: " ") }.filter { $0.count == 2 && Int($0[0]) != nil }
      let expected: [[Substring]] = [["4", "queue"], ["2", "operation"]]
      #expect(words == expected)
    }

    @Test("Of the sources and tests every file is hashed, counted, packed and verified, whatever its name; no other is")
    func tree() async throws {
      let file = try makeTree()
      try folder.write("one\ntwo\n", to: "Sources/a b")
      try folder.write("three\n", to: "Tests/-rf")
      try folder.write("", to: "Sources/opgraph/it's\n new")
      for other in ["a", "Source"] { try folder.write("ignored\n", to: other) }

      let outcome = try await start(file).outcome()

      let example = try Examples.text("source-tree.json").split(separator: "\n", omittingEmptySubsequences: false)
      #expect(outcome.status == 0)
      #expect(outcome.errors.isEmpty)
      #expect(outcome.lines.contains("           4  files"))
      #expect(outcome.lines.contains { $0.hasSuffix(" \(3 + example.count - 1)  lines") })
      #expect(outcome.lines.contains { $0.hasSuffix("  bytes in the archive, verified") })
    }

    @Test("The same files have the same checksum, another file another one")
    func checksum() async throws {
      let file = try makeTree()
      try folder.write("one\n", to: "Sources/a")
      let first = try await start(file).outcome().lines.first { $0.hasSuffix("checksum of all") }
      let again = try await start(file).outcome().lines.first { $0.hasSuffix("checksum of all") }
      try folder.write("two\n", to: "Sources/a")
      let other = try await start(file).outcome().lines.first { $0.hasSuffix("checksum of all") }

      #expect(first != nil && first == again && first != other)
    }

    @Test(
      "An archive that does not hold what the tree does is found, and what is left of it does not harm the next run")
    func verification() async throws {
      let file = try makeTree()
      try folder.write("one\n", to: "Sources/a")
      try replace("tar", with: #"PATH=${PATH#*:}; tar "$@" && case $1 in -xf) printf x >>"$4/Sources/a";; esac"#)

      let outcome = try await start(file).outcome()

      #expect(outcome.status == 1)
      #expect(outcome.lines.contains { $0.hasPrefix("failed") && $0.contains("verify") })

      try FileManager.default.removeItem(atPath: tools.path("tar"))
      #expect(try await start(file).outcome().status == 0)
    }

    @Test("A run after one that was interrupted succeeds")
    func interrupted() async throws {
      let file = try makeTree()
      let ready = try Fifo(folder.path("ready"))
      let never = try Fifo(folder.path("never"))
      try replace("cksum", with: "echo >ready; exec cat <never")
      let running = try start(file)
      _ = try await ready.line()

      running.send(SIGINT)

      #expect(await running.outcome().signal == SIGINT)
      try FileManager.default.removeItem(atPath: tools.path("cksum"))
      #expect(try await start(file).outcome().status == 0)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path(".build")) == [])
      withExtendedLifetime(never) {}
    }

    /// Makes the folders of a package, with the example in one; returns the path of the example.
    private func makeTree() throws -> String {
      try folder.makeFolder("Tests")
      return try Examples.copy("source-tree.json", into: folder)
    }

    private func start(_ file: String) throws -> RunningTool {
      let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
      return try Tool(folder: folder).start([file], environment: ["PATH": "\(tools.path):\(path)"])
    }

    /// Puts a script in front of one of the tools that the graph uses.
    private func replace(_ tool: String, with script: String) throws {
      let path = try tools.write("#!/bin/sh\n\(script)\n", to: tool)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }
  }
}
