import StructuredOperations

extension OperationHistory {
  /// A table in plain text: a line for each operation, under a headline with the figures of the whole.
  ///
  /// The columns tell when each operation was added, and for how long it was blocked, ready, executing and waiting. Of a name
  /// that is longer than 80 Unicode scalars the first 79 are shown.
  ///
  /// - Complexity: O(n).
  public var summary: String {
    let titles = ["operation", "queue", "outcome", "added", "blocked", "ready", "executing", "waiting"]
    let start = start
    let rows = operations.map { operation in
      [
        operation.name.onOneLine.shown(80), operation.queue?.onOneLine.shown(80) ?? "–", operation.outcome.word,
        (operation.addedAt - start).text,
      ]
        + Span.Kind.allCases.map { kind in
          let duration = operation.duration(kind)
          return duration == .zero ? "–" : duration.text
        }
    }
    let widths = titles.indices.map { column in
      max(titles[column].count, rows.lazy.map { $0[column].count }.max() ?? 0)
    }
    let count = operations.count == 1 ? "1 operation" : "\(operations.count) operations"
    let forgotten = forgottenCount == 0 ? "" : " (\(forgottenCount) more forgotten)"
    let share = Int((utilization * 100).rounded())
    var text = "\(count)\(forgotten) in \(duration.text), \(share) % of the slots' time used\n"
    for row in [titles] + rows {
      var line = ""
      for (column, cell) in row.enumerated() {
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        // Names to the left, times to the right.
        line += column < 3 ? cell + padding + "  " : padding + cell + "  "
      }
      while line.last == " " { line.removeLast() }
      text += line + "\n"
    }
    return text
  }
}
