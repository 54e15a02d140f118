import Testing
import TestSupport

/// The tool as its users see it: arguments, files and signals in, output and exit status out.
///
/// One at a time, because each test is several processes already.
@Suite("opgraph", .hangGuard, .serialized, .timeLimit(.minutes(15)))
struct OpgraphTests {
  @Test("--help prints the usage and runs nothing")
  func help() async throws {
    let folder = try TemporaryFolder()
    try folder.write("x", to: "file")

    let outcome = try await Tool(folder: folder).run("--help")

    #expect(outcome.status == 0)
    #expect(outcome.lines.first == "usage: opgraph [OPTION]... [FILE [ID]...]")
    #expect(outcome.errors.isEmpty)
  }
}
