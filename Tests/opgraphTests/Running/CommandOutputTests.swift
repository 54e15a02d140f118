import Foundation
import Testing

@testable import opgraph

@Suite("CommandOutput")
struct CommandOutputTests {
  /// Bytes that differ from block to block.
  private func pattern(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 / OutputSpool.blockSize &+ $0) }
  }

  @Test(
    "An output of any size comes back as it was, however it arrived",
    arguments: [0, 1, OutputSpool.blockSize - 1, OutputSpool.blockSize, OutputSpool.blockSize + 1, 100_000],
    [1000, OutputSpool.blockSize, 65_536])
  func whole(size: Int, pieceSize: Int) throws {
    let output = CommandOutput(spool: OutputSpool())
    let bytes = pattern(size)
    for start in stride(from: 0, to: size, by: pieceSize) { output.append(bytes[start..<min(start + pieceSize, size)]) }

    #expect(try output.bytes == bytes)
    #expect(output.loss == nil)
  }

  @Test("Outputs that are written in turns stay apart")
  func apart() throws {
    let spool = OutputSpool()
    let outputs = (0..<3).map { _ in CommandOutput(spool: spool) }
    for round in 0..<10 {
      for (index, output) in outputs.enumerated() {
        output.append(ArraySlice(repeating: UInt8(10 * index + round), count: OutputSpool.blockSize / 2 + index))
      }
    }
    for (index, output) in outputs.enumerated() {
      let expected = (0..<10).flatMap { round in
        [UInt8](repeating: UInt8(10 * index + round), count: OutputSpool.blockSize / 2 + index)
      }
      #expect(try output.bytes == expected)
    }
  }

  @Test("Where no file can be made, outputs come back as they were all the same")
  func withoutFile() throws {
    let spool = OutputSpool { throw SystemError(code: EACCES) }
    for _ in 0..<3 {
      let outputs = (0..<3).map { _ in CommandOutput(spool: spool) }
      for (index, output) in outputs.enumerated() { output.append(pattern(100_000 + index)[...]) }
      for (index, output) in outputs.enumerated() {
        #expect(try output.bytes == pattern(100_000 + index))
        #expect(output.loss == nil)
      }
    }
  }

  @Test("Of what cannot be written to the file the first block is kept, and the rest is counted")
  func loss() throws {
    let output = CommandOutput(spool: OutputSpool { try Descriptor(reading: "/dev/null") })
    let bytes = pattern(100_000)
    output.append(bytes[..<50_000])
    output.append(bytes[50_000...])

    #expect(try output.bytes == Array(bytes.prefix(OutputSpool.blockSize)))
    let loss = CommandOutput.Loss(byteCount: 100_000 - OutputSpool.blockSize, error: SystemError(code: EBADF))
    #expect(output.loss == loss)
  }
}
