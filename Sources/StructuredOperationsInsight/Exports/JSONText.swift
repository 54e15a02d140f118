/// Text of JSON, put together piece by piece; safe within a `script` element, too.
struct JSONText {
  private(set) var text = ""

  /// Appends what is JSON already: punctuation, numbers, keys.
  mutating func append(_ json: String) { text += json }

  mutating func append(_ number: Int) { text += String(number) }

  /// Appends a string in quotes.
  ///
  /// Besides what JSON demands, `<`, `>` and `&` are escaped, so that no markup appears, and the two line separators
  /// that old JavaScript does not take.
  mutating func append(string: String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "<", ">", "&", "\u{2028}", "\u{2029}", "\0"..."\u{1F}", "\u{7F}":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }

  /// Appends elements, separated by commas, in brackets.
  mutating func append<Elements: Sequence>(
    array elements: Elements, _ append: (inout JSONText, Elements.Element) -> Void
  ) {
    text += "["
    var isFirst = true
    for element in elements {
      if !isFirst { text += "," }
      isFirst = false
      append(&self, element)
    }
    text += "]"
  }

  /// Appends a time in microseconds, with three decimals at most.
  mutating func append(microseconds duration: Duration) {
    let nanoseconds = duration.nanoseconds
    let (whole, rest) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: 1_000)
    if nanoseconds < 0 { text += "-" }
    text += String(whole)
    if rest != 0 { text += "." + String(1_000 + rest).dropFirst() }
  }
}
