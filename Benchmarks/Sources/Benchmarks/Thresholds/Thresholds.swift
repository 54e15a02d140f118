import Foundation

/// Limits for figures that are the same in every run: allocations and bytes, never times.
enum Thresholds {
  /// How the names of limits begin that `.ci/instructions` checks: nothing can count its own instructions everywhere.
  private static let instructions = "instructions/"

  /// The `thresholds.json` of this package.
  private static let defaultPath = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "thresholds.json").path(percentEncoded: false)

  /// Counts everything that has a limit and shows each count beside its limit.
  ///
  /// - Parameter path: A JSON file with an object of row names and limits; nil means ``defaultPath``.
  /// - Returns: Whether no limit is exceeded. A limit without a count, or a count without a limit, fails too.
  static func check(path: String?) async -> Bool {
    var limits: [String: Double]
    do {
      limits = try JSONDecoder().decode([String: Double].self, from: Data(contentsOf: url(path ?? defaultPath)))
        .filter { !$0.key.hasPrefix(instructions) }
    } catch {
      Output.complain("\(path ?? defaultPath): \(error)")
      return false
    }
    let workloads = Workload.counts(for: .full).map { $0.limited(to: .asyncOperationQueue) }
    let table = Table(
      titles: ["count", "unit", "ours", "at most"],
      leading: [workloads.flatMap(\.rowNames), workloads.flatMap(\.unitNames)])
    Output.show(table.header)
    var faults: [String] = []
    for workload in workloads {
      let row = Row(await Measurement(of: workload), at: 0)
      guard let count = row.medians[Competitor.asyncOperationQueue.rawValue] else {
        Output.show("Allocations cannot be counted on this platform: nothing to check.")
        return true
      }
      let limit = limits.removeValue(forKey: row.name)
      Output.show(
        table.row([row.name, row.unit, Row.text(count, digits: 2), Row.text(limit, digits: 2)]))
      switch limit {
      case nil: faults.append("\(row.name) has no limit")
      case let limit? where count > limit:
        faults.append("\(row.name) is \(Row.text(count, digits: 2)) \(row.unit), above \(Row.text(limit, digits: 2))")
      default: break
      }
    }
    faults += limits.keys.sorted().map { "nothing is called \($0)" }
    for fault in faults { Output.complain("threshold: \(fault)") }
    return faults.isEmpty
  }

  private static func url(_ path: String) -> URL { URL(filePath: path) }
}
