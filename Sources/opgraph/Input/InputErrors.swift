/// Mistakes in a file, each described in one line that editors understand, `FILE:LINE:COLUMN: message`.
struct InputErrors: Error, Equatable, CustomStringConvertible {
  struct Entry: Equatable, Sendable {
    let position: TextPosition
    let message: String
  }

  let file: String
  /// In the order of the file.
  let entries: [Entry]
  /// The number of further mistakes, which are not described.
  let omitted: Int

  var description: String {
    var lines = entries.map { "\(file.seen):\($0.position.line):\($0.position.column): \($0.message)" }
    if omitted > 0 { lines.append("… and \(omitted) more") }
    return lines.joined(separator: "\n")
  }
}
