import StructuredOperations
import StructuredOperationsInsight

extension Workload {
  /// The time of operations that are observed, relative to that of others.
  static func observer(_ scale: Options.Scale) -> Workload {
    relative(scale, name: "observer/width-2") { CountingObserver() }
  }

  /// The time of operations in a journal, relative to that of others.
  static func journal(_ scale: Options.Scale) -> Workload {
    relative(scale, name: "journal/width-2") { OperationJournal() }
  }

  private struct CountingObserver: OperationObserver {
    let counter = Counter()

    func observe(_ event: OperationEvent) { counter.increment() }
  }

  private static func relative(
    _ scale: Options.Scale,
    name: String,
    observer: @escaping @Sendable () -> any OperationObserver
  ) -> Workload {
    let count = scale.operationCount
    return relative(
      name: name, rounds: scale.rounds, operationCount: count,
      { await run(count, observer(), $0) }, to: [("", { await run(count, nil, $0) })])
  }

  private static func run(_ count: Int, _ observer: (any OperationObserver)?, _ counter: Counter) async {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 2, observer: observer)
    for _ in 0..<count { await queue.add(AsyncOperation(start: { counter.increment() })) }
    await queue.waitUntilAllOperationsAreFinished()
  }
}
