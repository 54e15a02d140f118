import Foundation
import StructuredOperations

extension Workload {
  /// Bodies that all block their threads at the same time, while a task on the cooperative pool is due to run every
  /// five milliseconds.
  ///
  /// The task group has only the cooperative pool, with one thread per core, and shows the cost of blocking it.
  /// Dispatch does not take part: its threads are shared with Foundation's queue, which would reuse them. Both queues
  /// reuse in later rounds the threads that they created in earlier ones.
  static func blocking(_ scale: Options.Scale) -> Workload {
    let count = 64
    let name = "blocking/width-\(count)"
    let block: @Sendable (Counter) -> Void = { counter in
      Thread.sleep(forTimeInterval: blockingMilliseconds / 1_000)
      counter.increment()
    }
    let works: [Competitor: Work] = [
      .taskGroup: { counter in
        await BoundedTaskGroup.run(count: count, width: count) { block(counter) }
      },
      .asyncOperationQueue: { counter in
        let queue = AsyncOperationQueue(maxConcurrentOperationCount: count)
        for _ in 0..<count { await queue.add(AsyncOperation(main: { block(counter) })) }
        await queue.waitUntilAllOperationsAreFinished()
      },
      .operationQueue: { counter in
        await FoundationQueue.runOneByOne(count: count, width: count) { block(counter) }
      },
    ]
    return Workload(
      name: name,
      figures: [Figure(name: "time", unit: .milliseconds), Figure(name: "worst-beat", unit: .milliseconds)],
      rounds: scale.blockingRounds, operationCount: count, isCounted: false,
      works.mapValues { work in
        {
          let counter = Counter()
          var nanoseconds = 0.0
          let gap = await Heartbeat.worstGap(beat: .milliseconds(5)) {
            nanoseconds = await Stopwatch.time { await work(counter) }
          }
          counter.check(count, in: name)
          return [nanoseconds / 1_000_000, gap / 1_000_000]
        }
      })
  }

  /// How long each body blocks its thread.
  static let blockingMilliseconds = 50.0
}
