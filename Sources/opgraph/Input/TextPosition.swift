/// A place in a text; both are counted from 1.
struct TextPosition: Equatable, Sendable {
  var line: Int
  /// In characters.
  var column: Int
}
