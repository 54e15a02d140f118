/// The same work for every competitor.
struct Workload: Sendable {
  /// The shape and the width, as in `blocking/width-64`.
  let name: String
  /// What the counter stands at when the work is done: a body increments it once.
  let operationCount: Int
  let unit: Unit
  /// Does all of the work once: makes the operations, has them run, waits for the last and lets go of them.
  let run: @Sendable (Competitor, Counter) async -> Void

  /// What the figures are.
  enum Unit {
    case nanosecondsPerOperation
    case milliseconds
  }

  /// The workloads in the order of the table.
  ///
  /// A new shape is a file of its own and a line here.
  static func all(for scale: Options.Scale) -> [Workload] {
    let widths = [1, 2, 64]
    return widths.map { asynchronousBatch(count: scale.operationCount, width: $0) }
      + widths.map { asynchronousOneByOne(count: scale.operationCount, width: $0) }
      + widths.map { synchronousOneByOne(count: scale.operationCount, width: $0) }
      + [blocking(count: 64, width: 64, milliseconds: 50)]
  }
}
