import Foundation

extension Row {
  /// The titles of the columns.
  static let titles =
    ["workload", "unit"] + Competitor.allCases.map(\.rawValue) + Competitor.others.map { "/\($0.rawValue)" }
    + counted.map { "mallocs \($0.rawValue)" } + counted.map { "switches \($0.rawValue)" }

  /// The competitors whose allocations and context switches are shown.
  private static let counted: [Competitor] = [.taskGroup, .asyncOperationQueue, .operationQueue]

  /// The texts of the columns.
  var cells: [String] {
    let digits = Figure.Unit(rawValue: unit)?.digits ?? 2
    return [name, unit]
      + Competitor.allCases.map { Self.text(medians[$0.rawValue], digits: digits) }
      + Competitor.others.map { Self.text(ratios[$0.rawValue], digits: 2) }
      + Self.counted.map { Self.text(mallocsPerOperation[$0.rawValue], digits: 1) }
      + Self.counted.map { Self.text(contextSwitchesPerOperation[$0.rawValue], digits: 3) }
  }

  /// A number, or a dash if there is none.
  static func text(_ number: Double?, digits: Int) -> String {
    number.map { String(format: "%.\(digits)f", $0) } ?? "–"
  }
}
