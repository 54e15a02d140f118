/// Makes text of bytes that come in pieces, the bounds of which may lie inside of characters.
struct TextPieces: Sendable {
  /// The start of a character whose rest is to come.
  private var unfinished: [UInt8] = []

  /// The text of a piece, but for an unfinished character at its end.
  ///
  /// - Returns: `isLossy` tells whether bytes that are not UTF-8 have been replaced, by U+FFFD.
  mutating func text(of piece: ArraySlice<UInt8>) -> (text: String, isLossy: Bool) {
    let bytes = unfinished.isEmpty ? piece : (unfinished + piece)[...]
    let rest = Self.unfinishedCount(bytes)
    unfinished = Array(bytes.suffix(rest))
    return Self.decoded(bytes.dropLast(rest))
  }

  /// What is left when no further piece comes.
  mutating func end() -> (text: String, isLossy: Bool) {
    defer { unfinished = [] }
    return Self.decoded(unfinished[...])
  }

  private static func decoded(_ bytes: ArraySlice<UInt8>) -> (text: String, isLossy: Bool) {
    if let text = String(validating: bytes, as: UTF8.self) { return (text, false) }
    return (String(decoding: bytes, as: UTF8.self), true)
  }

  /// How many bytes at the end are the start of a character that lacks some.
  private static func unfinishedCount(_ bytes: ArraySlice<UInt8>) -> Int {
    // The first byte of a character tells its length; the others begin with the bits 10.
    for (distance, byte) in bytes.reversed().prefix(3).enumerated() where byte & 0xC0 != 0x80 {
      let length =
        switch byte {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 1
        }
      return distance + 1 < length ? distance + 1 : 0
    }
    return 0
  }
}
