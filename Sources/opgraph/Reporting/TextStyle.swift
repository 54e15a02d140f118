/// Colours for people; nothing where they are not wanted.
struct TextStyle: Equatable, Sendable {
  let isColored: Bool

  enum Color: String {
    case red = "31"
    case green = "32"
    case yellow = "33"
    case bold = "1"
    case faint = "2"
  }

  func callAsFunction(_ text: String, _ color: Color) -> String {
    isColored ? "\u{1B}[\(color.rawValue)m\(text)\(reset)" : text
  }

  /// Ends whatever colour a command has left behind.
  var reset: String { isColored ? "\u{1B}[0m" : "" }
}
