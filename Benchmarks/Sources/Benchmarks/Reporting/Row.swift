/// One figure of a workload, for all competitors.
struct Row: Encodable {
  /// The workload's name, followed by that of the figure if the workload has several.
  let name: String
  let unit: String
  /// The keys of these dictionaries are the names of the competitors; a competitor without such a figure has no entry.
  let medians: [String: Double]
  /// The figures of all rounds, in their order.
  let rounds: [String: [Double]]
  /// The ratios of this package's queue to the others: the medians of the ratios in each round.
  let ratios: [String: Double]
  /// Blocks allocated per operation, from its creation until it is freed.
  let mallocsPerOperation: [String: Double]
  let contextSwitchesPerOperation: [String: Double]

  init(_ measurement: Measurement, at figure: Int) {
    let workload = measurement.workload
    name = workload.rowNames[figure]
    unit = workload.figures[figure].unit.rawValue
    let competitors = workload.contestants.map(\.competitor)
    let values = competitors.map { ($0, measurement.values(of: $0, at: figure)) }
    medians = Self.named(values.map { ($0, $1.median) })
    rounds = Dictionary(uniqueKeysWithValues: values.map { ($0.rawValue, $1.filter(\.isFinite)) })
    ratios = Self.named(
      competitors.filter { $0 != .asyncOperationQueue }.map {
        ($0, measurement.ratio(of: .asyncOperationQueue, to: $0, at: figure))
      })
    mallocsPerOperation = Self.named(competitors.map { ($0, measurement.allocations(of: $0)) })
    contextSwitchesPerOperation = Self.named(competitors.map { ($0, measurement.contextSwitches(of: $0)) })
  }

  private static func named(_ values: [(Competitor, Double?)]) -> [String: Double] {
    var named: [String: Double] = [:]
    for case (let competitor, let value?) in values where value.isFinite { named[competitor.rawValue] = value }
    return named
  }
}
