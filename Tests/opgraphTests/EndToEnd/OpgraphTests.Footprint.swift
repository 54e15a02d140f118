import Foundation
import Testing

extension OpgraphTests {
  @Suite("footprint")
  struct Footprint {
    private let folder: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
    }

    @Test("The tool is not linked with Foundation, which alone would take half of its memory")
    func linkage() async throws {
      let outcome = try await Tool(folder: folder).start(
        [], through: ["/bin/sh", "-c", #"grep -c libFoundation "$1""#, "sh"]
      ).outcome()
      #expect(String(decoding: outcome.output, as: UTF8.self) == "0\n")
    }

    @Test(
      "As many commands run at a time as there are processors for the tool, not for the machine",
      .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/taskset"), "not every system has taskset"))
    func processors() async throws {
      let starter = #"exec taskset -c "$(taskset -cp $$ | sed 's/.*[^0-9]//')" "$@""#
      let outcome = try await Tool(folder: folder).start(
        ["--json", "-"], input: #"{"operations": []}"#, through: ["/bin/sh", "-c", starter, "sh"]
      ).outcome()
      #expect(outcome.status == 0)
      #expect(outcome.lines.first?.contains(#""jobs":1}"#) == true)
    }
  }
}
