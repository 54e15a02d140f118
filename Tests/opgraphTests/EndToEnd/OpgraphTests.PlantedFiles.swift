import Foundation
import Testing

@testable import opgraph

extension OpgraphTests {
  /// What others may have put beside a graph.
  @Suite("planted files")
  struct PlantedFiles {
    private let folder: TemporaryFolder
    private let tool: Tool

    init() throws {
      folder = try TemporaryFolder()
      tool = Tool(folder: folder)
      try folder.write(#"{"operations": [{"id": "check", "run": "touch checked"}]}"#, to: "g.json")
      try folder.makeFolder(".opgraph")
    }

    @Test("A link in the place of a file of the notes is not followed", arguments: ["lock", "state"])
    func link(name: String) async throws {
      try folder.write("mine", to: "private")
      try link(".opgraph/g.json.\(name)", to: "private")
      let error = ".opgraph/g.json.\(name): Too many levels of symbolic links\n"

      let outcome = try await tool.run("g.json")

      #expect(outcome.status == 0)
      #expect(outcome.errors == "opgraph: what succeeds is not noted, so everything runs: \(error)")
      #expect(folder.text("checked") == "")
      #expect(folder.text("private") == "mine")
      let resumed = try await tool.run("--resume", "g.json")
      #expect(resumed.status == 2)
      #expect(resumed.errors == "opgraph: --resume: \(error)")
    }

    @Test("Whatever has the name of the new notes is removed, not written to or waited for", arguments: [true, false])
    func newNotes(isLink: Bool) async throws {
      try folder.write("mine", to: "private")
      if isLink {
        try link(".opgraph/g.json.state.new", to: "private")
      } else {
        // Without a reader: whoever opened it would wait.
        try #require(mkfifo(folder.path(".opgraph/g.json.state.new"), 0o600) == 0)
      }

      let outcome = try await tool.run("g.json")

      #expect(outcome.status == 0)
      #expect(outcome.errors == "")
      #expect(folder.text("private") == "mine")
      #expect(
        try StateLog(Array(folder.text(".opgraph/g.json.state")?.utf8 ?? "".utf8)).notes.keys.sorted() == ["check"])
    }

    @Test("Nobody but the user and the group can hold the lock")
    func lockMode() async throws {
      _ = try await tool.run("g.json")
      var status = stat()
      #expect(stat(folder.path(".opgraph/g.json.lock"), &status) == 0)
      #expect(status.st_mode & 0o007 == 0)
    }

    @Test(
      "In a folder where files are their owners' alone to replace, notes of a stranger are neither believed nor changed",
      .enabled(if: getuid() == 0, "only the superuser gives files away"), arguments: [0o1777, 0o777] as [mode_t])
    func stranger(mode: mode_t) async throws {
      _ = try await tool.run("g.json")
      let notes = folder.text(".opgraph/g.json.state")
      for path in [".opgraph", ".opgraph/g.json.state"] { #expect(chown(folder.path(path), 4242, 4242) == 0) }
      #expect(chmod(folder.path, mode) == 0)
      let isBelieved = mode & S_ISVTX == 0
      let error = ".opgraph is another user's: Operation not permitted\n"

      let resumed = try await tool.run("--resume", "g.json")
      #expect(resumed.status == (isBelieved ? 0 : 2))
      #expect(resumed.errors == (isBelieved ? "" : "opgraph: --resume: \(error)"))
      #expect(try await tool.run("-n", "--resume", "g.json").status == (isBelieved ? 0 : 2))
      #expect(folder.text(".opgraph/g.json.state") == notes)

      let outcome = try await tool.run("g.json")
      #expect(outcome.status == 0)
      #expect(outcome.errors == (isBelieved ? "" : "opgraph: what succeeds is not noted, so everything runs: \(error)"))
      #expect((folder.text(".opgraph/g.json.state") == notes) == !isBelieved)
    }

    @Test(
      "There notes are believed that belong to the owner of the graph, or of the folder",
      .enabled(if: getuid() == 0, "only the superuser gives files away"), arguments: ["g.json", ""])
    func owner(name: String) async throws {
      _ = try await tool.run("g.json")
      for path in [".opgraph", name] { #expect(chown(folder.path(path), 4242, 4242) == 0) }
      #expect(chmod(folder.path, 0o1777) == 0)

      let outcome = try await tool.run("--resume", "g.json")
      #expect(outcome.errors == "")
      #expect(outcome.lines.last?.hasPrefix("1 operation: 1 up to date, 0 done") == true)
    }

    private func link(_ path: String, to target: String) throws {
      try FileManager.default.createSymbolicLink(atPath: folder.path(path), withDestinationPath: folder.path(target))
    }
  }
}
