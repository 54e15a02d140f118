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

  /// An explanation of a suspended queue with a chain of operations, with all reasons and roots.
  static func explanation(_ scale: Options.Scale) -> Workload {
    let count = scale.operationCount
    return Workload(
      name: "explanation/chain", figures: [Figure(name: "", unit: .nanosecondsPerOperation)], rounds: scale.rounds,
      operationCount: count,
      [
        .asyncOperationQueue: {
          let queue = AsyncOperationQueue(isSuspended: true)
          var operations: [AsyncOperation<Void>] = []
          for _ in 0..<count {
            let operation = AsyncOperation {}
            if let last = operations.last { await operation.depend(on: last) }
            operations.append(operation)
          }
          await queue.add(operations)
          let nanoseconds = await Stopwatch.time {
            for explanation in await queue.explanation { precondition(explanation.rootCauses.count <= 1) }
          }
          await queue.resume()
          await queue.waitUntilAllOperationsAreFinished()
          return [nanoseconds / Double(count)]
        }
      ])
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
    return Workload(
      name: name, figures: [Figure(name: "", unit: .ratio)], rounds: scale.rounds, operationCount: count,
      [.asyncOperationQueue: { [await time(count, observer()) / (await time(count, nil))] }])
  }

  private static func time(_ count: Int, _ observer: (any OperationObserver)?) async -> Double {
    let counter = Counter()
    let nanoseconds = await Stopwatch.time {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 2, observer: observer)
      for _ in 0..<count { await queue.add(AsyncOperation(start: { counter.increment() })) }
      await queue.waitUntilAllOperationsAreFinished()
    }
    counter.check(count, in: "observers")
    return nanoseconds
  }
}
