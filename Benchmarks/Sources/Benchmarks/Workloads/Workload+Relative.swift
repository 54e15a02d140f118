extension Workload {
  /// The time of a work on this package's queue, relative to others that do the same without something.
  ///
  /// All of them run in each round, one right after the other, so that other load of the machine affects all of them.
  /// Allocations are not counted: they would be those of all works together.
  static func relative(
    name: String,
    rounds: Int,
    operationCount count: Int,
    _ work: @escaping Work,
    to others: [(name: String, work: Work)]
  ) -> Workload {
    Workload(
      name: name, figures: others.map { Figure(name: $0.name, unit: .ratio) }, rounds: rounds, operationCount: count,
      isCounted: false,
      [
        .asyncOperationQueue: {
          let nanoseconds = await time(work, count, in: name)
          var ratios: [Double] = []
          for other in others { ratios.append(nanoseconds / (await time(other.work, count, in: name))) }
          return ratios
        }
      ])
  }

  private static func time(_ work: Work, _ count: Int, in name: String) async -> Double {
    let counter = Counter()
    let nanoseconds = await Stopwatch.time { await work(counter) }
    counter.check(count, in: name)
    return nanoseconds
  }
}
