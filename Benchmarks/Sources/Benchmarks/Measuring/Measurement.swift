import CCounters

/// The figures of each competitor in each round of a workload.
struct Measurement {
  let workload: Workload
  /// One array of figures for each round.
  private var rounds: [Competitor: [[Double]]] = [:]
  /// Context switches per operation, one value per round.
  private var contextSwitches: [Competitor: [Double]] = [:]
  /// Allocations per operation, counted in an additional round that is not timed.
  private var allocations: [Competitor: Double] = [:]

  /// The number of rounds that a slow competitor takes part in.
  static let slowRounds = 3
  /// A competitor whose rounds take more nanoseconds than this is slow.
  private static let slowness = 1e9

  /// Measures the competitors in turns, so that other load of the machine affects all of them.
  ///
  /// Slow competitors skip the later rounds: some workloads take Foundation minutes.
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

  /// One of the workload's figures, by its index, for a competitor: one value per round.
  func values(of competitor: Competitor, at figure: Int) -> [Double] {
    rounds[competitor, default: []].map { $0[figure] }
  }

  /// The median of the ratios in the rounds that both took part in; a round that is slow for both does not change it.
  func ratio(of competitor: Competitor, to other: Competitor, at figure: Int) -> Double {
    zip(values(of: competitor, at: figure), values(of: other, at: figure)).map { $0 / $1 }.median
  }

  /// Context switches per operation: the median of all rounds.
  func contextSwitches(of competitor: Competitor) -> Double { contextSwitches[competitor, default: []].median }

  /// Blocks allocated per operation; nil if they are not counted.
  func allocations(of competitor: Competitor) -> Double? { allocations[competitor] }
}
