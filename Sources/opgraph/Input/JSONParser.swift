/// A parser of JSON as specified by RFC 8259, with comments, as editors know it: `// …` and `/* … */`.
///
/// Foundation's decoder does not tell places on Linux, accepts trailing commas, and ignores duplicate keys.
struct JSONParser {
  /// The maximum nesting: far above that of a graph, but not enough to overflow the stack.
  private static let depthLimit = 64

  let bytes: [UInt8]
  var index: Int

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
    index = bytes.lengthOfByteOrderMark
  }

  /// Parses a text that consists of one value; throws ``Mistake``.
  ///
  /// - Parameters:
  ///   - key: A key of the object that the text consists of. If its value is an array, the elements are passed on one
  ///     by one, and are not in the result: a tree of all of them would take more memory than what is made of it.
  ///   - handler: Called for each of these elements.
  static func value(
    of bytes: [UInt8], passingElementsOf key: String? = nil, to handler: (JSONValue) -> Void = { _ in }
  ) throws -> JSONValue {
    var parser = JSONParser(bytes)
    try parser.refuseOtherEncodings()
    try parser.skipSpace()
    let start = parser.index
    let value: JSONValue
    if parser.next == UInt8(ascii: "{") {
      let members = try parser.members { memberKey, parser in
        guard memberKey == key, parser.next == UInt8(ascii: "[") else { return try parser.value(depth: 1) }
        let start = parser.index
        try parser.list(endingWith: "]") { handler(try $0.value(depth: 2)) }
        return JSONValue(kind: .array([]), offset: start)
      }
      value = JSONValue(kind: .object(members), offset: start)
    } else {
      value = try parser.value(depth: 0)
    }
    try parser.skipSpace()
    guard parser.index == parser.bytes.count else { throw parser.unexpected("the end") }
    return value
  }

  /// Every JSON text begins with two ASCII characters, so that a zero byte there tells UTF-16 and UTF-32.
  private func refuseOtherEncodings() throws {
    let start = bytes.prefix(2)
    guard start.contains(0) || start.elementsEqual([0xFE, 0xFF]) || start.elementsEqual([0xFF, 0xFE]) else { return }
    throw failure("this is UTF-16 or UTF-32, only UTF-8 can be read", at: 0)
  }

  // MARK: Values

  private mutating func value(depth: Int) throws -> JSONValue {
    guard depth < Self.depthLimit else { throw failure("nested too deeply") }
    try skipSpace()
    let start = index
    let kind: JSONValue.Kind =
      switch next {
      case UInt8(ascii: "{"): .object(try members { try $1.value(depth: depth + 1) })
      case UInt8(ascii: "["): .array(try elements(depth: depth))
      case UInt8(ascii: "\""): .string(try string())
      case UInt8(ascii: "-"): .number(try number())
      case .some(UInt8(ascii: "0")...UInt8(ascii: "9")): .number(try number())
      case UInt8(ascii: "t"): try word("true", .boolean(true))
      case UInt8(ascii: "f"): try word("false", .boolean(false))
      case UInt8(ascii: "n"): try word("null", .null)
      default: throw unexpected("a value")
      }
    return JSONValue(kind: kind, offset: start)
  }

  private mutating func members(
    value: (_ key: String, inout JSONParser) throws -> JSONValue
  ) throws -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    try list(endingWith: "}") { parser in
      guard parser.next == UInt8(ascii: "\"") else { throw parser.unexpected("a key in quotes") }
      let start = parser.index
      let key = try parser.string()
      try parser.skipSpace()
      try parser.expect(":")
      try parser.skipSpace()
      members.append(JSONValue.Member(key: key, offset: start, value: try value(key, &parser)))
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
    try skipSpace()
    if take(end) { return }
    while true {
      try item(&self)
      try skipSpace()
      let comma = index
      guard take(",") else { break }
      try skipSpace()
      if next == UInt8(ascii: end) { throw failure("nothing follows this comma but \"\(end)\"", at: comma) }
    }
    guard take(end) else { throw unexpected("\",\" or \"\(end)\"") }
  }

  private mutating func word(_ word: String, _ kind: JSONValue.Kind) throws -> JSONValue.Kind {
    guard bytes[index...].starts(with: word.utf8) else { throw unexpected("a value") }
    index += word.utf8.count
    return kind
  }

  private mutating func number() throws -> Double {
    let start = index
    _ = take("-")
    if !take("0") { try digits() }
    if take(".") { try digits() }
    if take("e") || take("E") {
      _ = take("+") || take("-")
      try digits()
    }
    guard let number = Double(String(decoding: bytes[start..<index], as: UTF8.self)) else {
      preconditionFailure("a number of JSON is one of Swift")
    }
    return number
  }

  private mutating func digits() throws {
    let start = index
    while let next, UInt8(ascii: "0")...UInt8(ascii: "9") ~= next { index += 1 }
    guard index > start else { throw unexpected("a digit") }
  }

  // MARK: Bytes

  var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: scalar) else { return false }
    index += 1
    return true
  }

  private mutating func expect(_ scalar: Unicode.Scalar) throws {
    guard take(scalar) else { throw unexpected("\"\(scalar)\"") }
  }

  // MARK: Mistakes

  /// - Parameter place: Where the mistake is; nil for the place that has been reached.
  func failure(_ message: String, at place: Int? = nil) -> Mistake {
    Mistake(offset: place ?? index) { "bad JSON: \(message)" }
  }

  private func unexpected(_ expected: String) -> Mistake {
    guard index < bytes.count else { return failure("expected \(expected), found the end of the text") }
    // The whole character, which may be of several bytes.
    let found = String(decoding: bytes[index...].prefix(16), as: UTF8.self).first.map { String($0).quoted }
    return failure("expected \(expected), found \(found ?? "")")
  }
}
