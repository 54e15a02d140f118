/// How the outputs of commands stand in the report.
struct OutputText: Sendable {
  /// The longest line that is kept back until its end has come; a longer one is broken.
  static let lineLimit = 1 << 16

  private let isPrefixed: Bool
  private let style: TextStyle
  /// The last lines without a line break, by command; only those with a prefix are kept back.
  private var unfinished: [String: [UInt8]] = [:]
  /// Whether the next byte begins a line.
  private(set) var isAtLineStart = true

  init(_ mode: RunOptions.OutputMode, style: TextStyle) {
    isPrefixed = mode == .prefixed
    self.style = style
  }

  mutating func write(_ piece: ArraySlice<UInt8>, of id: String, to text: inout [UInt8]) {
    guard let last = piece.last else { return }
    guard isPrefixed else {
      text += piece
      isAtLineStart = last == UInt8(ascii: "\n")
      return
    }
    var rest = piece
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      writePrefix(of: id, to: &text)
      if let start = unfinished.removeValue(forKey: id) { text += start }
      text += rest[...end]
      rest = rest[(end + 1)...]
    }
    guard !rest.isEmpty else { return }
    unfinished[id, default: []] += rest
    if unfinished[id, default: []].count > Self.lineLimit { finish(id, to: &text) }
  }

  /// Gives the last line of a command its line break, if it has none.
  mutating func finish(_ id: String, to text: inout [UInt8]) {
    guard isPrefixed else { return startLine(in: &text) }
    guard let rest = unfinished.removeValue(forKey: id) else { return }
    writePrefix(of: id, to: &text)
    text += rest
    text.append(UInt8(ascii: "\n"))
  }

  /// Makes what comes next begin a line.
  mutating func startLine(in text: inout [UInt8]) {
    guard !isAtLineStart else { return }
    text.append(UInt8(ascii: "\n"))
    isAtLineStart = true
  }

  private func writePrefix(of id: String, to text: inout [UInt8]) {
    text += style("\(id):", .faint).utf8
    text.append(UInt8(ascii: " "))
  }
}
