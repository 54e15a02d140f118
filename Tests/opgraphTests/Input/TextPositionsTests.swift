import Testing

@testable import opgraph

@Suite("TextPositions")
struct TextPositionsTests {
  /// The positions of all bytes of the mark `|` in the text, which is left out.
  private func positions(_ text: String) -> [TextPosition] {
    let pieces = text.split(separator: "|", omittingEmptySubsequences: false)
    var bytes: [UInt8] = []
    var offsets: [Int] = []
    for piece in pieces {
      bytes += Array(piece.utf8)
      offsets.append(bytes.count)
    }
    var positions = TextPositions(bytes)
    return offsets.dropLast().map { positions.position(of: $0) }
  }

  @Test(
    "Lines and columns are counted from 1, columns in characters",
    arguments: [
      ("|a", [(1, 1)]), ("ab|", [(1, 3)]), ("a\n|b|\n\n|", [(2, 1), (2, 2), (4, 1)]), ("a\r\n\tb|", [(2, 3)]),
      ("é€😀|x|", [(1, 4), (1, 5)]), ("e\u{301}|", [(1, 2)]), ("👩‍👩‍👧|", [(1, 2)]), ("\u{FEFF}{|", [(1, 2)]),
      ("ab|\n|", [(1, 3), (2, 1)]),
    ] as [(String, [(Int, Int)])])
  func columns(text: String, expected: [(Int, Int)]) {
    #expect(positions(text) == expected.map { TextPosition(line: $0.0, column: $0.1) })
  }

  @Test("A place before the one before is found as well")
  func back() {
    var positions = TextPositions(Array("a\nbc".utf8))

    #expect(positions.position(of: 3) == TextPosition(line: 2, column: 2))
    #expect(positions.position(of: 0) == TextPosition(line: 1, column: 1))
    #expect(positions.position(of: 2) == TextPosition(line: 2, column: 1))
  }

  @Test("Bytes that are not UTF-8 have positions, too")
  func otherBytes() {
    var positions = TextPositions([0xFF, 0xFE, 0x0A, 0xFF])
    #expect(positions.position(of: 4) == TextPosition(line: 2, column: 2))
  }
}
