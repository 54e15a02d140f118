/// Counts the results of a run.
struct Tally: Sendable {
  /// All operations of the run.
  let total: Int

  private(set) var done = 0
  private(set) var upToDate = 0
  private(set) var failed = 0
  /// Those of them that could not be started.
  private(set) var notStarted = 0
  /// Failures of operations that may fail.
  private(set) var failedAllowed = 0
  private(set) var cancelledRunning = 0
  private(set) var cancelledWaiting = 0
  /// Those that were not started because the run stopped after failures.
  private(set) var cancelledByLimit = 0
  /// How many did not run because of a failure, by the operation that failed, in the order of the first.
  private(set) var skipped: [(root: String, count: Int)] = []
  private var skippedIndex: [String: Int] = [:]

  init(_ graph: Graph) {
    total = graph.nodes.count
  }

  /// The operations that have a result.
  var finished: Int { done + upToDate + failed + failedAllowed + cancelled + skippedCount }
  var cancelled: Int { cancelledRunning + cancelledWaiting + cancelledByLimit }
  var skippedCount: Int { skipped.reduce(0) { $0 + $1.count } }

  /// Whether every operation succeeded, or did not have to.
  var isSuccess: Bool { done + upToDate + failedAllowed == total }

  mutating func received(_ event: RunEvent) {
    switch event {
    case .ended(_, let result): ended(result)
    case .notRun(_, let reason): notRun(reason)
    case .started, .output, .retrying, .resumed: break
    }
  }

  private mutating func ended(_ result: CommandResult) {
    switch result.verdict {
    case .done: done += 1
    case .failed where result.isFailureAllowed: failedAllowed += 1
    case .failed:
      failed += 1
      if case .notStarted = result.ending { notStarted += 1 }
    case .cancelled: cancelledRunning += 1
    }
  }

  private mutating func notRun(_ reason: NotRunReason) {
    switch reason {
    case .cancelled: cancelledWaiting += 1
    case .failureLimit: cancelledByLimit += 1
    case .upToDate: upToDate += 1
    case .dependencyFailed(let root):
      if let index = skippedIndex[root] {
        skipped[index].count += 1
      } else {
        skippedIndex[root] = skipped.count
        skipped.append((root, 1))
      }
    }
  }
}
