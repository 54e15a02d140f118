/// Counts the results of a run.
struct Tally: Sendable {
  /// All operations of the run.
  let total: Int
  /// Those whose failure does not count.
  private let allowed: Set<String>
  /// The operations whose result has been counted.
  private var counted: Set<String> = []

  private(set) var done = 0
  private(set) var upToDate = 0
  private(set) var failed = 0
  /// Those of them that could not be started.
  private(set) var notStarted = 0
  /// Failures of operations that may fail.
  private(set) var failedAllowed = 0
  private(set) var cancelledRunning = 0
  private(set) var cancelledWaiting = 0
  /// How many did not run because of a failure, by the operation that failed, in the order of the first.
  private(set) var skipped: [(root: String, count: Int)] = []
  private var skippedIndex: [String: Int] = [:]

  init(_ graph: Graph) {
    total = graph.nodes.count
    allowed = Set(graph.nodes.lazy.filter(\.allowsFailure).map(\.id))
  }

  /// The operations that have a result.
  var finished: Int { counted.count }
  var cancelled: Int { cancelledRunning + cancelledWaiting }
  var skippedCount: Int { skipped.reduce(0) { $0 + $1.count } }

  /// Whether every operation succeeded, or did not have to.
  var isSuccess: Bool { done + upToDate + failedAllowed == total }

  mutating func received(_ event: RunEvent) {
    switch event {
    case .ended(let id, let result): ended(id, result)
    case .notRun(let id, let reason): notRun(id, reason)
    case .started, .output, .retrying: break
    }
  }

  private mutating func ended(_ id: String, _ result: CommandResult) {
    counted.insert(id)
    switch result.verdict {
    case .done: done += 1
    case .failed where allowed.contains(id): failedAllowed += 1
    case .failed:
      failed += 1
      if case .notStarted = result.ending { notStarted += 1 }
    case .cancelled: cancelledRunning += 1
    }
  }

  private mutating func notRun(_ id: String, _ reason: NotRunReason) {
    // The result of an operation that was cancelled while it ran has been counted by its `ended` event.
    guard counted.insert(id).inserted else { return }
    switch reason {
    case .cancelled: cancelledWaiting += 1
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
