/// Escapes text for XML 1.0.
enum XMLText {
  /// The text as the content of an element or, in quotes, the value of an attribute.
  ///
  /// What XML 1.0 forbids even as a reference, such as control characters, becomes U+FFFD.
  static func escaped(_ text: some StringProtocol, isAttribute: Bool = false) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;".unicodeScalars
      case "<": result += "&lt;".unicodeScalars
      // It may not stand in "]]>".
      case ">": result += "&gt;".unicodeScalars
      case "\"": result += "&quot;".unicodeScalars
      // Parsers make other line breaks and, in attributes, spaces of them if they stand there themselves.
      case "\r": result += "&#13;".unicodeScalars
      case "\n" where isAttribute: result += "&#10;".unicodeScalars
      case "\t" where isAttribute: result += "&#9;".unicodeScalars
      case "\n", "\t": result.append(scalar)
      case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": result.append("\u{FFFD}")
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}
