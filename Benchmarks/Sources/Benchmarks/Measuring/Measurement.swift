import CCounters

/// The figures of each competitor in each round of a workload.
struct Measurement {
  let workload: Workload
  /// One array of figures for each round.
  private var rounds: [Competitor: [[Double]]] = [:]
  /// For each operation, one for each round.
  private var contextSwitches: [Competitor: [Double]] = [:]
  /// For each operation, of one round more that is not timed.
  private var allocations: [Competitor: Double] = [:]

  /// How often whoever is slow takes part, where there are more rounds.
  static let slowRounds = 3
  /// From where on a competitor is slow, in nanoseconds for a round.
  private static let slowness = 1e9

  /// Has the competitors take turns, so that whatever else the machine does meets all of them.
  ///
  /// Slow ones sit out the later rounds: there are workloads that take Foundation minutes.
  init(of workload: Workload) async {
    self.workload = workload
    var durations: [Competitor: [Double]] = [:]
    for round in 0..<workload.rounds {
      for contestant in workload.contestants {
        let competitor = contestant.competitor
        if round >= Self.slowRounds, durations[competitor, default: []].median > Self.slowness { continue }
        let switches = counters_contextSwitches()
        let stopwatch = Stopwatch()
        let figures = await contestant.run()
        durations[competitor, default: []].append(stopwatch.nanoseconds)
        let switched = switches < 0 ? .nan : Double(counters_contextSwitches() - switches)
        precondition(figures.count == workload.figures.count, "\(workload.name) has other figures than it says")
        rounds[competitor, default: []].append(figures)
        contextSwitches[competitor, default: []].append(switched / Double(workload.operationCount))
      }
    }
    guard workload.isCounted else { return }
    for contestant in workload.contestants {
      let count = await Allocations.count { _ = await contestant.run() }
      allocations[contestant.competitor] = count / Double(workload.operationCount)
    }
  }

  /// All figures of a competitor at one place among those of the workload, one for each round.
  func values(of competitor: Competitor, at figure: Int) -> [Double] {
    rounds[competitor, default: []].map { $0[figure] }
  }

  /// The median of the ratios in each round that both took part in, which a slow round of the whole machine does not
  /// move.
  func ratio(of competitor: Competitor, to other: Competitor, at figure: Int) -> Double {
    zip(values(of: competitor, at: figure), values(of: other, at: figure)).map { $0 / $1 }.median
  }

  /// How often threads were switched for each operation: the median of all rounds.
  func contextSwitches(of competitor: Competitor) -> Double { contextSwitches[competitor, default: []].median }

  /// How many blocks were allocated for each operation; nil where that is not counted.
  func allocations(of competitor: Competitor) -> Double? { allocations[competitor] }
}
