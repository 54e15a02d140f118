import Foundation
import StructuredOperations

extension Workload {
  /// The cost of an operation among few and among very many others: asynchronous bodies, at width 2.
  ///
  /// Added one by one while the first already run, or as a backlog, all of which waits before the first runs; only
  /// queues can hold a backlog. Small sizes are run several times, so that each is timed for long enough. The last
  /// figure is the ratio of the cost at the largest size to that at the second.
  static func growth(_ scale: Options.Scale, isBacklog: Bool) -> Workload {
    let name = isBacklog ? "growth-backlog" : "growth-one-by-one"
    let width = 2
    var works: [Competitor: @Sendable (Int, Counter) async -> Void] = [
      .asyncOperationQueue: { count, counter in
        let queue = AsyncOperationQueue(maxConcurrentOperationCount: width, isSuspended: isBacklog)
        for _ in 0..<count { await queue.add(AsyncOperation(start: { counter.increment() })) }
        if isBacklog { await queue.resume() }
        await queue.waitUntilAllOperationsAreFinished()
      },
      .operationQueue: { count, counter in
        await FoundationQueue.run(width: width) { queue in
          queue.isSuspended = isBacklog
          for _ in 0..<count { queue.addOperation { counter.increment() } }
          queue.isSuspended = false
        }
      },
    ]
    if !isBacklog {
      works[.taskGroup] = { count, counter in
        await BoundedTaskGroup.run(count: count, width: width) { counter.increment() }
      }
    }
    let sizes = scale.growthSizes
    let ratioName = "\(sizes[sizes.count - 1])-to-\(sizes[1])"
    return Workload(
      name: name,
      figures: sizes.map { Figure(name: "\($0)", unit: .nanosecondsPerOperation) }
        + [Figure(name: ratioName, unit: .ratio)],
      rounds: scale.growthRounds, operationCount: sizes.reduce(0) { $0 + $1 * repetitions(of: $1) },
      isCounted: false,
      works.mapValues { work in
        {
          var costs: [Double] = []
          for size in sizes {
            let count = size * repetitions(of: size)
            let counter = Counter()
            let nanoseconds = await Stopwatch.time {
              for _ in 0..<repetitions(of: size) { await work(size, counter) }
            }
            counter.check(count, in: name)
            costs.append(nanoseconds / Double(count))
          }
          return costs + [costs[costs.count - 1] / costs[1]]
        }
      })
  }

  private static func repetitions(of size: Int) -> Int { max(1, 50_000 / size) }
}
