extension Options {
  /// How much is measured.
  struct Scale: Sendable {
    /// What figures are to be taken from.
    static let full = Scale(
      rounds: 9, blockingRounds: 9, growthRounds: 3, countingRounds: 3, operationCount: 20_000, linkedCount: 20_000,
      layerCount: 50, layerSize: 200, backlogCount: 10_000, cancelledCount: 100_000, latencyCount: 1_000,
      growthSizes: [1_000, 10_000, 100_000, 1_000_000])
    /// What shows that everything works.
    static let quick = Scale(
      rounds: 3, blockingRounds: 1, growthRounds: 1, countingRounds: 1, operationCount: 4_000, linkedCount: 2_000,
      layerCount: 10, layerSize: 200, backlogCount: 2_000, cancelledCount: 10_000, latencyCount: 100,
      growthSizes: [1_000, 10_000, 100_000])

    let rounds: Int
    /// Rounds of bodies that block, which take a second and more for those who have too few threads.
    let blockingRounds: Int
    /// Rounds of up to a million operations.
    let growthRounds: Int
    /// Rounds of what comes out the same every time, or nearly.
    let countingRounds: Int
    /// The operations of a workload whose bodies do next to nothing.
    let operationCount: Int
    /// The operations of a workload with dependencies.
    ///
    /// Freeing a chain of 50 000 makes Foundation on Linux overflow the
    /// stack; 20 000 are fine.
    let linkedCount: Int
    let layerCount: Int
    let layerSize: Int
    /// The operations that wait before the first runs, for a workload with priorities.
    let backlogCount: Int
    let cancelledCount: Int
    let latencyCount: Int
    /// From small to large, the second being the one that the largest is compared to.
    let growthSizes: [Int]

    /// The operations of a workload with so many observers of each: fewer where there are many.
    func observedCount(_ observerCount: Int) -> Int { operationCount / 5 / max(1, observerCount / 5) }
  }
}
