import Foundation

/// Everything that a run has measured.
struct Report: Encodable {
  let machine = Machine()
  let rounds: Int
  private(set) var rows: [Row] = []

  init(rounds: Int) {
    self.rounds = rounds
  }

  /// Adds the figures of a workload.
  ///
  /// - Returns: The rows of the workload.
  mutating func add(_ measurement: Measurement) -> [Row] {
    let new = measurement.workload.figures.indices.map { Row(measurement, at: $0) }
    rows += new
    return new
  }

  /// The report as JSON.
  func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self)
  }
}
