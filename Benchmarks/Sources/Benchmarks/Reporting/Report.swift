import Foundation

/// All that one run has measured.
struct Report: Encodable {
  let machine = Machine()
  let rounds: Int
  private(set) var rows: [Row] = []

  init(rounds: Int) {
    self.rounds = rounds
  }

  /// Takes in the figures of a workload.
  ///
  /// - Returns: The rows that they make.
  mutating func add(_ measurement: Measurement) -> [Row] {
    let new = measurement.workload.figures.indices.map { Row(measurement, at: $0) }
    rows += new
    return new
  }

  /// The report as text for programs.
  func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self)
  }
}
