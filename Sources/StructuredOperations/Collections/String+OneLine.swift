extension String {
  /// On one line: control characters and line separators become visible signs of the same meaning, or where there are none, and in
  /// the place of what turns the direction of writing, the sign for a character that cannot be shown.
  package var onOneLine: String {
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar.value {
      case 0..<0x20: result.append(Unicode.Scalar(UInt16(0x2400 + scalar.value)) ?? " ")
      case 0x7F: result.append("\u{2421}")
      case 0x85, 0x2028, 0x2029: result.append("\u{2424}")
      case 0x80...0x9F, 0x202A...0x202E, 0x2066...0x2069: result.append("\u{FFFD}")
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}
