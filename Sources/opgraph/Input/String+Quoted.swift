extension String {
  /// The string in quotes for a message, with escapes for what cannot be seen or would do something to a terminal.
  var quoted: String {
    var result = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": result += #"\""#
      case "\\": result += #"\\"#
      case "\n": result += #"\n"#
      case "\r": result += #"\r"#
      case "\t": result += #"\t"#
      case _ where scalar.isUnseen: result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}

extension Unicode.Scalar {
  /// Whether it is of the category Cc.
  var isControl: Bool { value < 0x20 || 0x7F...0x9F ~= value }

  /// Whether it is a control, a line separator, of no width, or turns the direction of writing.
  ///
  /// Joiners are not: emoji and some scripts need them.
  var isUnseen: Bool {
    switch value {
    case 0xAD, 0x61C, 0x180E, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060, 0x2066...0x2069, 0xFEFF: true
    default: isControl
    }
  }
}
