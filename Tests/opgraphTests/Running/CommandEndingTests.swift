import Testing
import TestSupport

@testable import opgraph

@Suite("CommandEnding")
struct CommandEndingTests {
  @Test(
    "What the system says of an exit is told apart",
    arguments: [
      (0, "exit status 0"), (0x0200, "exit status 2"), (0xFF00, "exit status 255"), (9, "killed by signal 9"),
      // With a core dump.
      (0x86, "killed by signal 6"),
    ] as [(Int32, String)])
  func waitStatus(status: Int32, description: String) {
    let ending = CommandEnding(waitStatus: status)
    #expect(ending.description == description)
    #expect(ending.isSuccess == (status == 0))
  }
}
