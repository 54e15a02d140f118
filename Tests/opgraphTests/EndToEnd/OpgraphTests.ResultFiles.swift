import Foundation
import Testing

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
  }
}
