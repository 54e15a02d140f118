/// A parser of JSON as specified by RFC 8259.
///
/// Foundation's decoder does not report line numbers on Linux, accepts trailing commas, and ignores duplicate keys.
struct JSONParser {
  /// The maximum nesting: far above that of a graph, but not enough to overflow the stack.
  private static let depthLimit = 64

  private let bytes: [UInt8]
  private var index = 0
  private var line = 1

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Parses a text that consists of one value; throws ``InputError`` with the line.
  static func value(of bytes: [UInt8]) throws -> JSONValue {
    var parser = JSONParser(bytes)
    let value = try parser.value(depth: 0)
    parser.skipSpace()
    guard parser.index == parser.bytes.count else { throw parser.unexpected("the end") }
    return value
  }

  // MARK: Values

  private mutating func value(depth: Int) throws -> JSONValue {
    guard depth < Self.depthLimit else { throw failure("nested too deeply") }
    skipSpace()
    let start = line
    let kind: JSONValue.Kind =
      switch next {
      case UInt8(ascii: "{"): .object(try members(depth: depth))
      case UInt8(ascii: "["): .array(try elements(depth: depth))
      case UInt8(ascii: "\""): .string(try string())
      case UInt8(ascii: "-"): try number()
      case .some(UInt8(ascii: "0")...UInt8(ascii: "9")): try number()
      case UInt8(ascii: "t"): try word("true", .boolean)
      case UInt8(ascii: "f"): try word("false", .boolean)
      case UInt8(ascii: "n"): try word("null", .null)
      default: throw unexpected("a value")
      }
    return JSONValue(kind: kind, line: start)
  }

  private mutating func members(depth: Int) throws -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    try list(endingWith: "}") { parser in
      guard parser.next == UInt8(ascii: "\"") else { throw parser.unexpected("a key in quotes") }
      let line = parser.line
      let key = try parser.string()
      parser.skipSpace()
      try parser.expect(":")
      members.append(JSONValue.Member(key: key, line: line, value: try parser.value(depth: depth + 1)))
    }
    return members
  }

  private mutating func elements(depth: Int) throws -> [JSONValue] {
    var elements: [JSONValue] = []
    try list(endingWith: "]") { parser in elements.append(try parser.value(depth: depth + 1)) }
    return elements
  }

  /// Parses the common structure of objects and arrays: items between brackets, separated by commas.
  private mutating func list(endingWith end: Unicode.Scalar, item: (inout JSONParser) throws -> Void) throws {
    index += 1
    skipSpace()
    if take(end) { return }
    repeat {
      skipSpace()
      try item(&self)
      skipSpace()
    } while take(",")
    guard take(end) else { throw unexpected("\",\" or \"\(end)\"") }
  }

  private mutating func word(_ word: String, _ kind: JSONValue.Kind) throws -> JSONValue.Kind {
    guard bytes[index...].starts(with: word.utf8) else { throw unexpected("a value") }
    index += word.utf8.count
    return kind
  }

  private mutating func number() throws -> JSONValue.Kind {
    _ = take("-")
    if !take("0") { try digits() }
    if take(".") { try digits() }
    if take("e") || take("E") {
      _ = take("+") || take("-")
      try digits()
    }
    return .number
  }

  private mutating func digits() throws {
    let start = index
    while let next, UInt8(ascii: "0")...UInt8(ascii: "9") ~= next { index += 1 }
    guard index > start else { throw unexpected("a digit") }
  }

  // MARK: Strings

  private mutating func string() throws -> String {
    var decoded: [UInt8] = []
    index += 1
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        index += 1
        guard let string = String(validating: decoded, as: UTF8.self) else { throw failure("a string is not UTF-8") }
        return string
      case UInt8(ascii: "\\"):
        index += 1
        decoded += try String(escaped()).utf8
      case ..<0x20:
        throw failure("a line break or control character in a string must be escaped")
      default:
        decoded.append(byte)
        index += 1
      }
    }
    throw failure("a string has no closing quote")
  }

  /// Parses an escape sequence after its backslash.
  private mutating func escaped() throws -> Unicode.Scalar {
    guard let byte = next else { throw failure("a string has no closing quote") }
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try codePoint()
    default: throw failure("a string has an unknown escape sequence")
    }
  }

  /// Parses one `\u` unit, or two if they are a surrogate pair.
  private mutating func codePoint() throws -> Unicode.Scalar {
    var units = [try codeUnit()]
    if UTF16.isLeadSurrogate(units[0]), take("\\"), take("u") { units.append(try codeUnit()) }
    guard let decoded = String(validating: units, as: UTF16.self)?.unicodeScalars, decoded.count == 1 else {
      throw failure("a string has half of a surrogate pair")
    }
    return decoded[decoded.startIndex]
  }

  private mutating func codeUnit() throws -> UInt16 {
    let digits = bytes[index...].prefix(4)
    guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw failure("\\u needs four hexadecimal digits") }
    index += 4
    return unit
  }

  // MARK: Bytes

  private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: scalar) else { return false }
    index += 1
    return true
  }

  private mutating func expect(_ scalar: Unicode.Scalar) throws {
    guard take(scalar) else { throw unexpected("\"\(scalar)\"") }
  }

  private mutating func skipSpace() {
    while let next, [0x20, 0x09, 0x0A, 0x0D].contains(next) {
      if next == 0x0A { line += 1 }
      index += 1
    }
  }

  private func failure(_ message: String) -> InputError {
    InputError("bad JSON: \(message)", line: line)
  }

  private func unexpected(_ expected: String) -> InputError {
    guard let next else { return failure("expected \(expected), found the end of the text") }
    let found = 0x21...0x7E ~= next ? "\"\(Unicode.Scalar(next))\"" : "the byte \(next)"
    return failure("expected \(expected), found \(found)")
  }
}
