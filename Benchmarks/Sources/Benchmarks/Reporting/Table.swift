/// Lays out rows of text: the first column is left-aligned, the others are right-aligned.
struct Table {
  private let titles: [String]
  private let widths: [Int]

  /// Chooses widths that fit the titles, the figures below them, and these texts in the first columns.
  init(titles: [String], leading: [[String]]) {
    self.titles = titles
    widths = titles.enumerated().map { column, title in
      leading.indices.contains(column) ? leading[column].reduce(title.count) { max($0, $1.count) } : max(title.count, 6)
    }
  }

  var header: String {
    row(titles) + "\n" + row(widths.map { String(repeating: "-", count: $0) })
  }

  func row(_ cells: [String]) -> String {
    zip(cells, widths).enumerated().map { column, cell in
      let padding = String(repeating: " ", count: max(0, cell.1 - cell.0.count))
      return column == 0 ? cell.0 + padding : padding + cell.0
    }.joined(separator: "  ")
  }
}
