@testable import opgraph

/// What a person sees of what has been written to a terminal.
///
/// Knows what the tool uses: line breaks, carriage returns, the erasure of a line's rest, and colours.
struct Screen {
  private struct Cell {
    var character: Character = " "
    /// The colour as its sequence tells it; nil for the usual one.
    var color: String?
  }

  private var rows: [[Cell]] = [[]]
  private var row = 0
  private var column = 0
  private var color: String?
  private let columns: Int

  init(_ bytes: [UInt8], columns: Int = 80) {
    self.columns = columns
    // An unfinished character at the end is one that the next bytes complete.
    var rest = Substring(String(decoding: bytes, as: UTF8.self))
    while let character = rest.popFirst() {
      switch character {
      case "\r": column = 0
      // A line break of a terminal goes straight down, but its driver puts a carriage return before it.
      case "\n": breakLine()
      case "\r\n":
        column = 0
        breakLine()
      case "\u{1B}": sequence(&rest)
      default: put(character)
      }
    }
  }

  /// The lines, without spaces at their ends.
  var lines: [String] {
    rows.map { cells in
      var line = String(cells.map(\.character))
      while line.last == " " { line.removeLast() }
      return line
    }
  }

  /// The line that the cursor is in.
  var currentLine: String { lines[row] }

  /// Where the next character goes.
  var cursorColumn: Int { column }

  /// The colour of the first character of the first such text.
  func color(of text: String) -> String? {
    for (line, cells) in zip(lines, rows) {
      guard let range = line.firstRange(of: text) else { continue }
      return cells[line.distance(from: line.startIndex, to: range.lowerBound)].color
    }
    return nil
  }

  private mutating func breakLine() {
    row += 1
    if row == rows.count { rows.append([]) }
  }

  private mutating func put(_ character: Character) {
    let width = character.displayWidth
    if column + width > columns {
      column = 0
      breakLine()
    }
    while rows[row].count < column + width { rows[row].append(Cell()) }
    rows[row][column] = Cell(character: character, color: color)
    // The second half of a wide character shows nothing of its own.
    for half in 1..<max(width, 1) { rows[row][column + half].character = "\u{200B}" }
    column += width
  }

  private mutating func sequence(_ rest: inout Substring) {
    guard rest.popFirst() == "[" else { return }
    let parameters = rest.prefix { !$0.isLetter }
    rest = rest.dropFirst(parameters.count)
    switch rest.popFirst() {
    case "K": rows[row] = Array(rows[row].prefix(column))
    case "m": color = ["", "0"].contains(parameters) ? nil : String(parameters)
    case let other: preconditionFailure("the screen does not know the end \(String(describing: other)) of a sequence")
    }
  }
}
