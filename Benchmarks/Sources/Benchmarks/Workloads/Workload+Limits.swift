import StructuredOperations

extension Workload {
  /// Operations of one queue with a limit that always has room, relative to those without a limit.
  static func freeLimit(_ scale: Options.Scale) -> Workload {
    let count = scale.operationCount
    let width = 2
    return relative(
      name: "limit/free", rounds: scale.rounds, operationCount: count,
      { await run(count, queueCount: 1, width: width, ConcurrencyLimit(width), $0) },
      to: [("", { await run(count, queueCount: 1, width: width, nil, $0) })])
  }

  /// Operations of eight queues that share one limit, relative to those of eight queues without a limit.
  ///
  /// The limit is that of two bodies at a time, and the queues have 16 slots together: nearly all stand in line. Each
  /// queue is filled by a task of its own.
  static func contendedLimit(_ scale: Options.Scale) -> Workload {
    let queueCount = 8
    let width = 2
    let count = scale.operationCount / queueCount
    return relative(
      name: "limit/contended", rounds: scale.rounds, operationCount: count * queueCount,
      { await run(count, queueCount: queueCount, width: width, ConcurrencyLimit(width), $0) },
      to: [("", { await run(count, queueCount: queueCount, width: width, nil, $0) })])
  }

  /// Operations of one queue with slots for many and a limit of two bodies at a time, relative to those without a limit of a
  /// queue with two slots.
  static func limitOfOneQueue(_ scale: Options.Scale) -> Workload {
    let count = scale.operationCount
    let limit = 2
    return relative(
      name: "limit/one-queue", rounds: scale.rounds, operationCount: count,
      { await run(count, queueCount: 1, width: 64, ConcurrencyLimit(limit), $0) },
      to: [("", { await run(count, queueCount: 1, width: limit, nil, $0) })])
  }

  /// Operations of one queue of which each eighth needs a limit that all of these share, relative to those without a limit.
  static func limitOfSome(_ scale: Options.Scale) -> Workload {
    let count = scale.operationCount
    let width = 4
    return relative(
      name: "limit/of-some", rounds: scale.rounds, operationCount: count,
      { await run(count, queueCount: 1, width: width, ConcurrencyLimit(1), each: 8, $0) },
      to: [("", { await run(count, queueCount: 1, width: width, nil, $0) })])
  }

  /// Operations of a queue with slots for many that stand in line for a limit, alone.
  static func inLine(_ scale: Options.Scale, width limit: Int) -> Workload {
    let count = scale.operationCount
    return Workload(
      name: "in-line/width-\(limit)", rounds: scale.rounds, operationCount: count,
      timing: [.asyncOperationQueue: { await run(count, queueCount: 1, width: 64, ConcurrencyLimit(limit), $0) }])
  }

  private static func run(
    _ count: Int,
    queueCount: Int,
    width: Int,
    _ limit: ConcurrencyLimit?,
    each step: Int = 1,
    _ counter: Counter
  ) async {
    let limits = limit.map { [$0] } ?? []
    await withDiscardingTaskGroup { group in
      for _ in 0..<queueCount {
        group.addTask {
          let queue = AsyncOperationQueue(maxConcurrentOperationCount: width)
          for index in 0..<count {
            await queue.add(limits: index % step == 0 ? limits : []) { () async in counter.increment() }
          }
          await queue.waitUntilAllOperationsAreFinished()
        }
      }
    }
  }
}
