import Foundation
import Testing

@testable import opgraph

@Suite("what the tool asks of the system")
struct ToolSurroundingsTests {
  @Test("The processors are those that this process may use")
  func processors() {
    #expect(ProcessorCount.available == ProcessInfo.processInfo.activeProcessorCount)
  }

  @Test("The variables are those that the tool was started with")
  func variables() {
    #expect(ToolEnvironment.variables == ProcessInfo.processInfo.environment)
  }

  @Test("A folder is told from a file, and from what is not there")
  func folders() throws {
    let folder = try TemporaryFolder()
    #expect(FileSystem.isDirectory(folder.path))
    #expect(!FileSystem.isDirectory(try folder.write("", to: "file")))
    #expect(!FileSystem.isDirectory(folder.path("nothing")))
  }
}
