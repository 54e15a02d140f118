/// Finds the lines and columns of places in a text.
///
/// Goes on from the place before: as long as the places come in order, finding them all is one pass through the text,
/// even where the text is a single line.
struct TextPositions {
  private let bytes: [UInt8]
  /// The place before, in bytes from the start of the text.
  private var offset: Int
  /// The position of ``offset``.
  private var position = TextPosition(line: 1, column: 1)

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    offset = bytes.lengthOfByteOrderMark
  }

  /// The position of a place, given in bytes from the start of the text.
  mutating func position(of target: Int) -> TextPosition {
    if target < offset { self = TextPositions(bytes) }
    while let end = bytes[offset..<max(offset, target)].firstIndex(of: UInt8(ascii: "\n")) {
      position = TextPosition(line: position.line + 1, column: 1)
      offset = end + 1
    }
    position.column += Self.characters(in: bytes[offset..<max(offset, target)])
    offset = max(offset, target)
    return position
  }

  /// The number of characters as a reader counts them; bytes that are not UTF-8 count as well.
  private static func characters(in bytes: ArraySlice<UInt8>) -> Int {
    bytes.allSatisfy { $0 < 0x80 } ? bytes.count : String(decoding: bytes, as: UTF8.self).count
  }
}

extension [UInt8] {
  /// The number of bytes of UTF-8's byte order mark at the start: 3 or 0.
  var lengthOfByteOrderMark: Int { starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0 }
}
