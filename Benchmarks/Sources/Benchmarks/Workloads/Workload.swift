/// The same work for every competitor.
struct Workload: Sendable {
  /// The shape and the width, as in `blocking/width-64`.
  let name: String
  let figures: [Figure]
  let rounds: Int
  /// How many operations there are in a round.
  let operationCount: Int
  /// Whether a round of its own counts what is allocated for each operation, from its making until it is freed.
  let isCounted: Bool
  /// Those who do the work, in the order of a round.
  let contestants: [Contestant]

  /// A competitor, and how it does the work.
  struct Contestant: Sendable {
    let competitor: Competitor
    /// Does all of the work once, and gives the figures of the workload in their order.
    let run: Run
  }

  typealias Run = @Sendable () async -> [Double]
  /// Makes the operations, has them run, waits for the last and lets go of them; each counts once.
  typealias Work = @Sendable (Counter) async -> Void

  /// A workload whose competitors take their figures themselves.
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

  /// A workload whose figure is the time that all of the work takes, for each operation.
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

  /// The names of the rows that the workload makes in a table.
  var rowNames: [String] { figures.map { $0.name.isEmpty ? name : "\(name)/\($0.name)" } }

  /// The units of those rows.
  var unitNames: [String] { figures.map(\.unit.rawValue) }

  /// The same for one competitor alone.
  func limited(to competitor: Competitor) -> Workload {
    Workload(self, contestants: contestants.filter { $0.competitor == competitor })
  }
}
