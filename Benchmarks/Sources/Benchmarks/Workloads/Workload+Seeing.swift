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

  /// Operations that are observed, alone.
  static func observed(_ scale: Options.Scale, width: Int) -> Workload {
    alone(scale, name: "observed", width: width) { CountingObserver() }
  }

  /// Operations in a journal, alone.
  static func journaled(_ scale: Options.Scale, width: Int) -> Workload {
    alone(scale, name: "journaled", width: width) { OperationJournal() }
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
    let width = 2
    return relative(
      name: name, rounds: scale.rounds, operationCount: count,
      { await run(count, width, observer(), $0) }, to: [("", { await run(count, width, nil, $0) })])
  }

  private static func alone(
    _ scale: Options.Scale,
    name: String,
    width: Int,
    observer: @escaping @Sendable () -> any OperationObserver
  ) -> Workload {
    let count = scale.operationCount
    return Workload(
      name: "\(name)/width-\(width)", rounds: scale.rounds, operationCount: count,
      timing: [.asyncOperationQueue: { await run(count, width, observer(), $0) }])
  }

  private static func run(_ count: Int, _ width: Int, _ observer: (any OperationObserver)?, _ counter: Counter) async {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: width, observer: observer)
    for _ in 0..<count { await queue.add(AsyncOperation(start: { counter.increment() })) }
    await queue.waitUntilAllOperationsAreFinished()
  }
}
