/// The goal of a row, at full scale on an otherwise idle machine; missing one is shown and fails nothing.
struct Goal {
  /// The row's name.
  let row: String
  var toFloor: Double?
  var toFoundation: Double?
  /// The upper limit of the figure itself.
  var figure: Double?
  /// The upper limit of the blocks allocated per operation, where the figure is another one.
  var mallocs: Double?

  static let all: [Goal] = [
    Goal(row: "asynchronous-batch/width-1", toFloor: 0.8, toFoundation: 0.3),
    Goal(row: "asynchronous-batch/width-2", toFloor: 1, toFoundation: 0.3),
    Goal(row: "asynchronous-batch/width-64", toFloor: 1, toFoundation: 0.3),
    Goal(row: "asynchronous-one-by-one/width-1", toFloor: 1, toFoundation: 0.35),
    Goal(row: "asynchronous-one-by-one/width-2", toFloor: 1.2, toFoundation: 0.35),
    Goal(row: "asynchronous-one-by-one/width-64", toFloor: 1.3, toFoundation: 0.35),
    Goal(row: "synchronous-one-by-one/width-1", toFoundation: 0.3),
    Goal(row: "synchronous-one-by-one/width-2", toFoundation: 0.4),
    Goal(row: "synchronous-one-by-one/width-64", toFoundation: 0.8),
    Goal(row: "chain/width-1", toFloor: 0.8, toFoundation: 0.3),
    // With more than one thread, Foundation's chain and fan-out vary up to 35-fold from run to run.
    Goal(row: "chain/width-2", toFloor: 0.8),
    Goal(row: "fan-in/width-2", toFloor: 0.9, toFoundation: 0.25),
    Goal(row: "fan-in/width-64", toFloor: 1, toFoundation: 0.25),
    Goal(row: "fan-out/width-2", toFloor: 0.9),
    Goal(row: "fan-out/width-64", toFloor: 1.1),
    Goal(row: "layered-graph/width-2", toFloor: 1.1, toFoundation: 0.3),
    Goal(row: "layered-graph/width-64", toFloor: 1.5, toFoundation: 0.3),
    Goal(row: "priorities/width-1", toFloor: 0.8, toFoundation: 0.3),
    Goal(row: "priorities/width-2", toFloor: 0.8, toFoundation: 0.3),
    Goal(row: "priorities/width-64", toFloor: 0.8, toFoundation: 0.3),
    Goal(row: "8-producers/width-2", toFloor: 0.25, toFoundation: 0.3),
    Goal(row: "8-producers/width-64", toFloor: 0.25, toFoundation: 0.3),
    Goal(row: "scopes/of-1", toFoundation: 0.9),
    Goal(row: "scopes/of-4", toFoundation: 0.8),
    Goal(row: "scopes/of-16", toFoundation: 0.5),
    Goal(row: "cancelling/pending", toFoundation: 0.2),
    Goal(row: "add-to-finish/asynchronous/p50", toFoundation: 0.4),
    Goal(row: "add-to-finish/asynchronous/p99", toFoundation: 0.7),
    Goal(row: "add-to-finish/synchronous/p50", toFoundation: 0.9),
    Goal(row: "add-to-finish/synchronous/p99", toFoundation: 1),
    Goal(row: "add-to-finish/asynchronous-to-bare-task/p50", figure: 1.5),
    Goal(row: "latency-under-load/width-1/p99", figure: 2),
    Goal(row: "latency-under-load/width-2/p99", figure: 2),
    // The same cost in all graphs, but for what fits into the caches.
    Goal(row: "add-dependency/no-loop-possible/100000-to-1000", figure: 1.5),
    // A quarter of 660 µs and of 804 allocations.
    Goal(row: "states/100-observers", figure: 165_000, mallocs: 201),
    Goal(row: "limit/free", figure: 1.3),
    Goal(row: "limit/contended", figure: 2),
    Goal(row: "limit/one-queue", figure: 2),
    Goal(row: "limit/of-some", figure: 1.3),
    Goal(row: "start-rate/width-2", figure: 1.1),
    Goal(row: "retry/width-2", figure: 1.3),
    Goal(row: "timeout/width-2/to-child-task", figure: 1.3),
    Goal(row: "observer/width-2", figure: 1.2),
    Goal(row: "journal/width-2", figure: 2),
    Goal(row: "explanation/10000/time", figure: 20),
    Goal(row: "explanation/10000/queue-held-up", figure: 1),
    // The same cost for each of few and of many; of the scopes a share of it is for all around, and of the queues a heap.
    Goal(row: "sizes/stalled-chain/8000-to-1000", figure: 1.5),
    Goal(row: "sizes/explained-limits/8000-to-1000", figure: 1.5),
    Goal(row: "sizes/stalled-queues/8000-to-1000", figure: 1.5),
    Goal(row: "sizes/pauses-in-scope/8000-to-1000", figure: 1.5),
    Goal(row: "sizes/nested-scopes/400-to-50", figure: 4),
    Goal(row: "sizes/shared-limit/8000-to-1000", figure: 2),
    Goal(row: "blocking/width-64/time", toFoundation: 0.1, figure: 1.1 * Workload.blockingMilliseconds),
    Goal(row: "blocking/width-64/worst-beat", figure: 10),
    Goal(row: "pending-bytes/no-dependency", toFoundation: 0.4),
    Goal(row: "pending-bytes/one-dependency", toFoundation: 0.5),
    Goal(row: "mallocs/asynchronous", toFoundation: 0.35, figure: 5),
    Goal(row: "mallocs/synchronous", toFoundation: 0.35, figure: 5),
    Goal(row: "growth-one-by-one/1000000-to-10000", figure: 1.2),
    Goal(row: "growth-backlog/1000000-to-10000", figure: 1.2),
  ]

  static let titles = [
    "row", "ours", "at most", "/floor", "at most", "/foundation", "at most", "mallocs", "at most", "reached",
  ]

  /// The row beside its goal.
  func cells(for row: Row) -> [String] {
    let ours = Competitor.asyncOperationQueue.rawValue
    let comparisons = [
      (row.medians[ours], figure),
      (row.ratios[Competitor.taskGroup.rawValue], toFloor),
      (row.ratios[Competitor.operationQueue.rawValue], toFoundation),
      (row.mallocsPerOperation[ours], mallocs),
    ]
    let held = comparisons.filter { $1 != nil }
    let isKnown = held.allSatisfy { $0.0 != nil }
    let isReached = held.allSatisfy { value, limit in (value ?? 0) <= (limit ?? 0) }
    return [row.name] + comparisons.flatMap { [Row.text($0, digits: 2), Row.text($1, digits: 2)] }
      + [isKnown ? (isReached ? "yes" : "no") : "–"]
  }
}
