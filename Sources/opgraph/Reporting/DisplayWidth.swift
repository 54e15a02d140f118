/// The columns that text takes on a terminal.
///
/// `wcwidth` is not used: it knows nothing but ASCII unless a locale is set, which a container often does not have, and
/// it counts the parts of a character that are drawn as one, such as a family of emoji.
extension StringProtocol {
  var displayWidth: Int {
    // The common case, without looking for the bounds of characters.
    if utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return utf8.count }
    return reduce(0) { $0 + $1.displayWidth }
  }

  /// With spaces after it up to a width; unchanged where it is wider.
  func padded(toWidth width: Int) -> String {
    self + String(repeating: " ", count: Swift.max(0, width - displayWidth))
  }

  /// The longest start that fits, with an ellipsis where something is missing.
  func cut(toWidth width: Int) -> String {
    guard displayWidth > width else { return String(self) }
    guard width > 0 else { return "" }
    return start(ofWidth: width - 1) + "…"
  }

  /// With an ellipsis in place of the middle where it does not fit: names often differ in their ends.
  func cutInTheMiddle(toWidth width: Int) -> String {
    guard displayWidth > width else { return String(self) }
    guard width > 0 else { return "" }
    let start = start(ofWidth: width / 2)
    let end = String(reversed()).start(ofWidth: width - 1 - start.displayWidth)
    return start + "…" + String(end.reversed())
  }

  private func start(ofWidth width: Int) -> String {
    var rest = width
    return String(
      prefix { character in
        rest -= character.displayWidth
        return rest >= 0
      })
  }
}

extension Character {
  /// 0 for control characters and marks on their own, 2 for the wide ones of East Asia and emoji, otherwise 1.
  var displayWidth: Int {
    let widths = unicodeScalars.lazy.map(\.displayWidth)
    guard let first = unicodeScalars.first, first.properties.isEmoji, unicodeScalars.count > 1 else {
      // Marks have none, but some scripts join several letters.
      return widths.reduce(0, +)
    }
    // A flag of two letters, or a symbol that the selector after it turns into an emoji.
    let isPicture = first.isRegionalIndicator || unicodeScalars.contains("\u{FE0F}")
    // Several emoji that are joined are drawn as one.
    return isPicture ? 2 : widths.max() ?? 0
  }
}

extension Unicode.Scalar {
  fileprivate var isRegionalIndicator: Bool { (0x1F1E6...0x1F1FF).contains(value) }

  fileprivate var displayWidth: Int {
    switch properties.generalCategory {
    case .control, .nonspacingMark, .enclosingMark, .lineSeparator, .paragraphSeparator: return 0
    // All but the soft hyphen, which terminals show.
    case .format where value != 0xAD: return 0
    default: break
    }
    // Vowels and final consonants of Korean syllables are drawn into the first letter's columns.
    if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value) { return 0 }
    if isRegionalIndicator { return 1 }
    if properties.isEmojiPresentation || Self.wide.contains(where: { $0.contains(value) }) { return 2 }
    return 1
  }

  /// What Unicode's `EastAsianWidth.txt` calls wide or full-width, without emoji, and with the gaps that no character uses.
  ///
  /// The standard library does not have this property.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x3247, 0x3250...0x4DBF, 0x4E00...0xA4CF,
    0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE1F, 0xFE30...0xFE6F, 0xFF01...0xFF60,
    0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F2FF, 0x20000...0x3FFFD,
  ]
}
