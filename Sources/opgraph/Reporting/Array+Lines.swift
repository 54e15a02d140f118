extension [UInt8] {
  /// Appends a text and a line break.
  mutating func append(line: String) {
    append(contentsOf: line.utf8)
    append(UInt8(ascii: "\n"))
  }
}
