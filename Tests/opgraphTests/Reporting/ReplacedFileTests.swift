import Foundation
import Testing

@testable import opgraph

@Suite("ReplacedFile")
struct ReplacedFileTests {
  private let folder: TemporaryFolder
  private let file: ReplacedFile

  init() throws {
    folder = try TemporaryFolder()
    file = ReplacedFile(path: try folder.write("old", to: "file"))
  }

  @Test("It has the old contents until it has all of the new")
  func replaced() throws {
    try file.replace { descriptor in
      try descriptor.write(Array("new".utf8))
      #expect(folder.text("file") == "old")
    }
    #expect(folder.text("file") == "new")
    #expect(try folder.names == ["file"])
  }

  @Test("If that fails, it is as it was, and nothing is left beside it")
  func failed() throws {
    #expect(throws: CancellationError.self) {
      try file.replace { descriptor in
        try descriptor.write(Array("new".utf8))
        throw CancellationError()
      }
    }
    #expect(folder.text("file") == "old")
    #expect(try folder.names == ["file"])
  }

  @Test("A program that exits meanwhile leaves nothing beside it")
  func exit() async throws {
    // A process of its own, whose closure captures nothing before Swift 6.3. It knows the number of this one.
    let folder = try TemporaryFolder(name: "of-\(getpid())")
    try folder.write("old", to: "file")
    await #expect(processExitsWith: .exitCode(3)) {
      let path = "\(TemporaryFolder.path(of: "of-\(getppid())"))/file"
      try ReplacedFile(path: path).replace { descriptor in
        try descriptor.write(Array("new".utf8))
        ProgramExit().exit(3)
      }
    }
    #expect(folder.text("file") == "old")
    #expect(try folder.names == ["file"])
  }

  @Test("A pipe stays one, as does a device, and is written to")
  func pipe() async throws {
    let pipe = try Fifo(folder.path("pipe"))
    try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "pipe")
    let link = ReplacedFile(path: folder.path("link"))
    try link.check()
    try link.replace { try $0.write(Array("new\n".utf8)) }
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("link")) == "pipe")
    #expect(try await pipe.line() == "new")
  }

  @Test("Of a symbolic link the file is replaced")
  func link() throws {
    try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "file")
    try ReplacedFile(path: folder.path("link")).replace { try $0.write(Array("new".utf8)) }
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("link")) == "file")
    #expect(folder.text("file") == "new")
  }

  @Test("Of symbolic links that the system does not follow to where they lead nothing is written to")
  func refusedLink() throws {
    try folder.write("other", to: "other")
    let (file, other) = (folder.path("file"), folder.path("other"))
    #expect(FileSystem.error(ofReaching: file, by: folder.path("./file")) == nil)
    #expect(FileSystem.error(ofReaching: other, by: file) == SystemError(code: ELOOP))
    #expect(FileSystem.error(ofReaching: folder.path("new"), by: folder.path("link")) == nil)
    #expect(FileSystem.error(ofReaching: folder.path("new"), by: file) == SystemError(code: ELOOP))
    #expect(FileSystem.error(ofReaching: other, by: "\(file)/link") == SystemError(code: ENOTDIR))
  }

  #if os(Linux)
    @Test("A file that has been removed, and is still open elsewhere, is not made anew under another name")
    func removed() throws {
      let open = try Descriptor(reading: folder.path("file"))
      defer { open.close() }
      try FileManager.default.removeItem(atPath: folder.path("file"))
      let file = ReplacedFile(path: "/proc/\(getpid())/fd/\(open.number)")
      #expect(throws: InputError.self) { try file.check() }
      #expect(throws: SystemError.self) { try file.replace { _ in } }
      #expect(try folder.names == [])
    }

    @Test("A pipe of any process is written to by its name under /proc, a link whose text is no path")
    func pipeOfProcess() throws {
      let (reading, writing) = try Descriptor.pipe()
      defer { reading.close() }
      let file = ReplacedFile(path: "/proc/\(getpid())/fd/\(writing.number)")
      try file.check()
      try file.replace { try $0.write(Array("new".utf8)) }
      writing.close()
      var buffer = [UInt8](repeating: 0, count: 8)
      let count = try reading.read(into: &buffer)
      #expect(Array(buffer[..<count]) == Array("new".utf8))
    }
  #endif

  @Test("Symbolic links that lead to nothing stay, and the file is made where they lead")
  func danglingLinks() throws {
    try folder.makeFolder("sub")
    let manager = FileManager.default
    try manager.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "sub/link")
    try manager.createSymbolicLink(atPath: folder.path("sub/link"), withDestinationPath: "../made")
    let link = ReplacedFile(path: folder.path("link"))
    try link.check()
    try link.replace { try $0.write(Array("new".utf8)) }
    #expect(try manager.destinationOfSymbolicLink(atPath: folder.path("link")) == "sub/link")
    #expect(try manager.destinationOfSymbolicLink(atPath: folder.path("sub/link")) == "../made")
    #expect(folder.text("made") == "new")
  }

  @Test("Symbolic links that lead to each other are refused, and stay")
  func circle() throws {
    let manager = FileManager.default
    try manager.createSymbolicLink(atPath: folder.path("one"), withDestinationPath: "two")
    try manager.createSymbolicLink(atPath: folder.path("two"), withDestinationPath: "one")
    let link = ReplacedFile(path: folder.path("one"))
    let error = SystemError(code: ELOOP)
    #expect(throws: InputError("\(folder.path("one")) cannot be written: \(error)")) { try link.check() }
    #expect(throws: error) { try link.replace { _ in } }
    #expect(try manager.destinationOfSymbolicLink(atPath: folder.path("one")) == "two")
  }

  @Test("Descriptors that the program has opened itself, and that are for reading, are refused")
  func ownDescriptors() throws {
    let (reading, writing) = try Descriptor.pipe()
    defer {
      reading.close()
      writing.close()
    }
    for number in [writing.number, reading.number] {
      let path = "/dev/fd/\(number)"
      let error = InputError("\(path) cannot be written: \(SystemError(code: EBADF))")
      #expect(throws: error) { try ReplacedFile(path: path).check() }
    }
  }

  @Test("A folder that is not there is found out also where the name begins with a combining mark")
  func combiningMark() {
    #expect(throws: InputError.self) { try ReplacedFile(path: folder.path("nowhere/\u{301}")).check() }
  }

  @Test("Others may read it as far as any new file, or as the one that it replaces")
  func permissions() throws {
    try folder.write("", to: "usual")
    try ReplacedFile(path: folder.path("new")).replace { _ in }
    #expect(try mode("new") == mode("usual"))
    for mode in [0o600, 0o444, 0o666] as [mode_t] {
      #expect(chmod(folder.path("file"), mode) == 0)
      try file.replace { _ in
        // Before anything is in it.
        let ofNew = try self.mode(folder.names[1])
        #expect(ofNew == mode)
      }
      #expect(try self.mode("file") == mode)
    }
  }

  private func mode(_ name: String) throws -> mode_t {
    var status = stat()
    try #require(stat(folder.path(name), &status) == 0)
    return status.st_mode & 0o777
  }
}
