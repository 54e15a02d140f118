import Foundation
import Testing

@testable import opgraph

@Suite("OutputSpool")
struct OutputSpoolTests {
  private let file: Descriptor
  private let spool: OutputSpool

  init() throws {
    let file = try Descriptor.unnamedTemporaryFile()
    self.file = file
    spool = OutputSpool { file }
  }

  private func block(_ byte: UInt8) -> [UInt8] { [UInt8](repeating: byte, count: OutputSpool.blockSize) }

  private var fileSize: Int {
    var status = stat()
    return fstat(file.number, &status) == 0 ? Int(status.st_size) : -1
  }

  @Test("A block that is free is used again, and the others keep their contents")
  func reuse() throws {
    let first = try spool.store(block(1))
    let second = try spool.store(block(2))
    spool.free([first])
    let third = try spool.store(block(3))

    #expect(third == first)
    #expect(fileSize == 2 * OutputSpool.blockSize)
    var read = block(0)
    try spool.read(second, into: &read)
    #expect(read == block(2))
    try spool.read(third, into: &read)
    #expect(read == block(3))
  }

  @Test("The file has no contents once the last output is gone")
  func truncation() throws {
    var outputs = (1...2).map { _ in CommandOutput(spool: spool) }
    for output in outputs { output.append((block(1) + block(2))[...]) }
    #expect(fileSize == 4 * OutputSpool.blockSize)

    outputs.removeLast()
    #expect(fileSize == 4 * OutputSpool.blockSize)
    outputs.removeAll()
    #expect(fileSize == 0)
  }
}
