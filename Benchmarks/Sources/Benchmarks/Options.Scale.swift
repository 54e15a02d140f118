extension Options {
  /// The number of rounds and of operations.
  struct Scale: Sendable {
    /// For figures to be published.
    static let full = Scale(
      rounds: 9, blockingRounds: 9, growthRounds: 3, countingRounds: 3, operationCount: 20_000, linkedCount: 20_000,
      layerCount: 50, layerSize: 200, backlogCount: 10_000, cancelledCount: 100_000, latencyCount: 1_000,
      graphSizes: [1_000, 10_000, 100_000], searchedCounts: [10, 100, 1_000, 10_000],
      growthSizes: [1_000, 10_000, 100_000, 1_000_000])
    /// A few seconds long: shows that everything works.
    static let quick = Scale(
      rounds: 3, blockingRounds: 1, growthRounds: 1, countingRounds: 1, operationCount: 4_000, linkedCount: 2_000,
      layerCount: 10, layerSize: 200, backlogCount: 2_000, cancelledCount: 10_000, latencyCount: 100,
      graphSizes: [1_000, 10_000], searchedCounts: [10, 100, 1_000],
      growthSizes: [1_000, 10_000, 100_000])

    let rounds: Int
    /// Rounds of bodies that block; a round takes a second and more with too few threads.
    let blockingRounds: Int
    /// Rounds of up to a million operations.
    let growthRounds: Int
    /// Rounds of workloads whose figures hardly vary.
    let countingRounds: Int
    /// The operations of a workload whose bodies increment a counter.
    let operationCount: Int
    /// The operations of a workload with dependencies.
    ///
    /// Freeing a chain of 50 000 overflows the stack in Foundation on Linux; 20 000 do not.
    let linkedCount: Int
    let layerCount: Int
    let layerSize: Int
    /// The operations that wait before the first runs, for a workload with priorities.
    let backlogCount: Int
    let cancelledCount: Int
    let latencyCount: Int
    /// The operations of graphs to which others are added; in ascending order.
    let graphSizes: [Int]
    /// The operations on each side of a dependency that could close a loop; in ascending order.
    let searchedCounts: [Int]
    /// In ascending order; the largest is compared with the second.
    let growthSizes: [Int]

    /// The operations of a workload with a number of observers for each: the more observers, the fewer operations.
    func observedCount(_ observerCount: Int) -> Int { operationCount / 5 / max(1, observerCount / 5) }
  }
}
