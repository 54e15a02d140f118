import Foundation

/// A row of the table: the figures of one workload.
struct Report {
  let workload: Workload
  let measurement: Measurement

  /// The competitors that the queue of this package is compared to.
  private static let others = Competitor.allCases.filter { $0 != .asyncOperationQueue }

  static let titles = ["workload", "unit"] + Competitor.allCases.map(\.description) + others.map { "to \($0)" }

  var cells: [String] {
    let divisor: Double
    let unit: String
    switch workload.unit {
    case .nanosecondsPerOperation:
      divisor = Double(workload.operationCount)
      unit = "ns/op"
    case .milliseconds:
      divisor = 1_000_000
      unit = "ms"
    }
    return [workload.name, unit]
      + Competitor.allCases.map { String(format: "%.0f", measurement.median(of: $0) / divisor) }
      + Self.others.map { String(format: "%.2f", measurement.ratio(of: .asyncOperationQueue, to: $0)) }
  }
}
