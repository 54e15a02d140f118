/// A JSON object on one line, with its members in the order in which they are added.
///
/// By hand: Foundation's encoder takes an intermediate copy of all that a command prints.
struct JSONLine {
  private(set) var bytes: [UInt8] = [UInt8(ascii: "{")]

  mutating func add(_ key: StaticString, _ value: String) {
    begin(key)
    Self.append(value, to: &bytes)
  }

  mutating func add(_ key: StaticString, _ value: Int) {
    begin(key)
    bytes += "\(value)".utf8
  }

  mutating func add(_ key: StaticString, _ value: Bool) {
    begin(key)
    bytes += "\(value)".utf8
  }

  /// In seconds.
  mutating func add(_ key: StaticString, _ value: Duration) {
    begin(key)
    bytes += value.secondsNumber.utf8
  }

  /// The object with its line break.
  consuming func ended() -> [UInt8] {
    bytes += "}\n".utf8
    return bytes
  }

  private mutating func begin(_ key: StaticString) {
    if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
    bytes.append(UInt8(ascii: "\""))
    key.withUTF8Buffer { bytes += $0 }
    bytes += "\":".utf8
  }

  private static func append(_ value: String, to bytes: inout [UInt8]) {
    var value = value
    bytes.append(UInt8(ascii: "\""))
    value.withUTF8 { text in
      // What needs no escape is appended in runs: outputs are long.
      var start = text.startIndex
      for index in text.indices where needsEscape(text[index]) {
        bytes += text[start..<index]
        appendEscape(of: text[index], to: &bytes)
        start = index + 1
      }
      bytes += text[start...]
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Whether JSON forbids the byte in a string; also for DEL, which it allows, but which is invisible to people.
  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F
  }

  private static func appendEscape(of byte: UInt8, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
    case UInt8(ascii: "\n"): bytes.append(UInt8(ascii: "n"))
    case UInt8(ascii: "\r"): bytes.append(UInt8(ascii: "r"))
    case UInt8(ascii: "\t"): bytes.append(UInt8(ascii: "t"))
    default: bytes += [UInt8(ascii: "u"), 0x30, 0x30, hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 15)]]
    }
  }

  private static let hexadecimal = Array("0123456789abcdef".utf8)
}
