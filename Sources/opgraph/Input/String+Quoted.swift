extension String {
  /// The string in quotes for a message, with escapes for what cannot be seen or would do something to a terminal.
  var quoted: String {
    var result = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": result += #"\""#
      case "\\": result += #"\\"#
      default: scalar.appendSeen(to: &result)
      }
    }
    return result + "\""
  }

  /// The string without quotes, with escapes for what cannot be seen or would do something to a terminal.
  var seen: String { unicodeScalars.reduce(into: "") { $1.appendSeen(to: &$0) } }
}

extension Unicode.Scalar {
  fileprivate func appendSeen(to text: inout String) {
    switch self {
    case "\n": text += #"\n"#
    case "\r": text += #"\r"#
    case "\t": text += #"\t"#
    case _ where isUnseen: text += "\\u{\(String(value, radix: 16, uppercase: true))}"
    default: text.unicodeScalars.append(self)
    }
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
    case 0xAD, 0x61C, 0x115F, 0x1160, 0x180E, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x2064, 0x2066...0x206F,
      0x3164, 0xFEFF, 0xFFA0:
      true
    default: isControl
    }
  }
}
