/// A piece of work that every competitor does in its own way.
struct Workload: Sendable {
  /// The shape and the width, as in `blocking/width-64`.
  let name: String
  let figures: [Figure]
  let rounds: Int
  /// The number of operations in a round.
  let operationCount: Int
  /// Whether an additional round counts the allocations of each operation, from its creation until it is freed.
  let isCounted: Bool
  /// The competitors that do the work, in the order of a round.
  let contestants: [Contestant]

  /// A competitor and its implementation of the work.
  struct Contestant: Sendable {
    let competitor: Competitor
    /// Does all of the work once and returns the workload's figures in their order.
    let run: Run
  }

  typealias Run = @Sendable () async -> [Double]
  /// Creates the operations, runs them, waits for the last and releases them; each body increments the counter once.
  typealias Work = @Sendable (Counter) async -> Void

  /// Creates a workload whose competitors measure their figures themselves.
  init(
    name: String,
    figures: [Figure],
    rounds: Int,
    operationCount: Int,
    isCounted: Bool = true,
    _ contestants: [Competitor: Run]
  ) {
    self.name = name
    self.figures = figures
    self.rounds = rounds
    self.operationCount = operationCount
    self.isCounted = isCounted
    self.contestants = Competitor.allCases.compactMap { competitor in
      contestants[competitor].map { Contestant(competitor: competitor, run: $0) }
    }
  }

  /// Creates a workload whose figure is the time of all of the work, divided by the number of operations.
  init(name: String, rounds: Int, operationCount: Int, timing contestants: [Competitor: Work]) {
    self.init(
      name: name, figures: [Figure(name: "", unit: .nanosecondsPerOperation)], rounds: rounds,
      operationCount: operationCount,
      contestants.mapValues { work in
        {
          let counter = Counter()
          let nanoseconds = await Stopwatch.time { await work(counter) }
          counter.check(operationCount, in: name)
          return [nanoseconds / Double(operationCount)]
        }
      })
  }

  private init(_ other: Workload, contestants: [Contestant]) {
    name = other.name
    figures = other.figures
    rounds = other.rounds
    operationCount = other.operationCount
    isCounted = other.isCounted
    self.contestants = contestants
  }

  /// The names of the workload's rows in a table.
  var rowNames: [String] { figures.map { $0.name.isEmpty ? name : "\(name)/\($0.name)" } }

  /// The units of the workload's rows.
  var unitNames: [String] { figures.map(\.unit.rawValue) }

  /// The same workload for one competitor alone.
  func limited(to competitor: Competitor) -> Workload {
    Workload(self, contestants: contestants.filter { $0.competitor == competitor })
  }
}
