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

  @Test("Paths to one file are told from those to others, whether it is there or not", arguments: [false, true])
  func identity(isThere: Bool) throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("sub")
    if isThere { try folder.write("", to: "sub/file") }
    let identities = ["sub/file", "./sub/../sub/file", "sub/other"].map {
      FileSystem.identity(ofFileAt: folder.path($0))
    }
    #expect(identities[0] == identities[1])
    #expect(identities[0] != identities[2])
  }

  #if os(Linux)
    @Test("So are paths through folders whose names are no text")
    func identityWithoutText() throws {
      let folder = try TemporaryFolder()
      for (link, byte) in [("one", -1), ("two", -2)] as [(String, CChar)] {
        let name = folder.path("").utf8CString.dropLast() + [byte, 0]
        #expect(mkdir(Array(name), 0o755) == 0)
        #expect(symlink(Array(name), folder.path(link)) == 0)
      }
      let identities = ["one/file", "./one/./file", "two/file"].map { FileSystem.identity(ofFileAt: folder.path($0)) }
      #expect(identities[0] == identities[1])
      #expect(identities[0] != identities[2])
    }
  #endif
}
