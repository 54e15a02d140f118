import Foundation
import Testing

@testable import opgraph

@Suite("Spawn")
struct SpawnTests {
  @Test("Where what commands read from is missing, that is named, and not the program")
  func missingInput() throws {
    let (reading, writing) = try Descriptor.pipe()
    defer {
      reading.close()
      writing.close()
    }
    let spawn = Spawn(output: writing, directory: ".", environment: [:], input: "/nowhere/null")
    let error = SystemError(code: ENOENT, #"cannot open "/nowhere/null""#)
    #expect(throws: error) { try spawn.process(arguments: ["/bin/sh", "-c", ":"]) }
  }
}
