extension JSONParser {
  /// Parses a string from its opening quote.
  mutating func string() throws -> String {
    let start = index
    index += 1
    // Most strings have no escape sequences, and are decoded in place.
    skipPlain()
    if next == UInt8(ascii: "\"") {
      index += 1
      return try decoded(bytes[(start + 1)..<(index - 1)], from: start)
    }
    var collected = Array(bytes[(start + 1)..<index])
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        index += 1
        return try decoded(collected[...], from: start)
      case UInt8(ascii: "\\"):
        collected += String(try escaped(in: start)).utf8
      case ..<0x20:
        throw failure("a line break or control character in a string must be escaped")
      default:
        let plain = index
        skipPlain()
        collected += bytes[plain..<index]
      }
    }
    throw unclosed(start)
  }

  private mutating func skipPlain() {
    while let next, next >= 0x20, next != UInt8(ascii: "\""), next != UInt8(ascii: "\\") { index += 1 }
  }

  private func decoded(_ bytes: ArraySlice<UInt8>, from start: Int) throws -> String {
    guard let string = String(validating: bytes, as: UTF8.self) else {
      throw failure("a string is not UTF-8", at: start)
    }
    return string
  }

  private func unclosed(_ start: Int) -> Mistake { failure("a string has no closing quote", at: start) }

  /// Parses an escape sequence from its backslash, in the string that begins at `start`.
  private mutating func escaped(in start: Int) throws -> Unicode.Scalar {
    let backslash = index
    index += 1
    guard let byte = next else { throw unclosed(start) }
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try codePoint(at: backslash)
    default: throw failure("a string has an unknown escape sequence", at: backslash)
    }
  }

  /// Parses one `\u` unit, or two if they are a surrogate pair.
  private mutating func codePoint(at backslash: Int) throws -> Unicode.Scalar {
    var units = [try codeUnit(at: backslash)]
    if UTF16.isLeadSurrogate(units[0]), take("\\"), take("u") { units.append(try codeUnit(at: backslash)) }
    guard let decoded = String(validating: units, as: UTF16.self)?.unicodeScalars, decoded.count == 1 else {
      throw failure("a string has half of a surrogate pair", at: backslash)
    }
    return decoded[decoded.startIndex]
  }

  private mutating func codeUnit(at backslash: Int) throws -> UInt16 {
    let digits = bytes[index...].prefix(4)
    guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw failure("\\u needs four hexadecimal digits", at: backslash) }
    index += 4
    return unit
  }
}
