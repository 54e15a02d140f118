/// How long each competitor took in each round.
struct Measurement {
  /// One for each round and competitor, in nanoseconds.
  private var times: [Competitor: [Double]] = [:]

  /// Has the competitors take turns, so that whatever else the machine does meets all of them.
  init(of workload: Workload, rounds: Int) async {
    let clock = ContinuousClock()
    for _ in 0..<rounds {
      for competitor in Competitor.allCases {
        let counter = Counter()
        let start = clock.now
        await workload.run(competitor, counter)
        times[competitor, default: []].append((clock.now - start) / .nanoseconds(1))
        precondition(
          counter.value == workload.operationCount,
          "\(competitor) ran \(counter.value) of \(workload.operationCount) operations in \(workload.name)")
      }
    }
  }

  /// The median time of a competitor, in nanoseconds.
  func median(of competitor: Competitor) -> Double {
    times[competitor, default: []].median
  }

  /// The median of the ratios in each round, which a slow round of the whole machine does not move.
  func ratio(of competitor: Competitor, to other: Competitor) -> Double {
    zip(times[competitor, default: []], times[other, default: []]).map { $0 / $1 }.median
  }
}
