import Foundation
import StructuredOperations

extension Workload {
  /// The time from adding an operation of the highest priority until it begins, while 10 000 of normal priority wait.
  ///
  /// It is told in times of their bodies, which compute for a known time. At any moment one of them is under way in each
  /// slot, so half a body's time is to be expected at width 1. Probes come one after the other from a thread of their
  /// own, with pauses from a fixed seed, until half of the backlog has run.
  static func latencyUnderLoad(_ scale: Options.Scale, width: Int) -> Workload {
    let count = 10_000
    let pauses = SeededGenerator(seed: 2_026)
    let body: @Sendable () -> Void = {
      let stopwatch = Stopwatch()
      while stopwatch.nanoseconds < bodyNanoseconds {}
    }
    return Workload(
      name: "latency-under-load/width-\(width)",
      figures: [Figure(name: "p50", unit: .bodies), Figure(name: "p99", unit: .bodies)],
      rounds: scale.rounds, operationCount: count, isCounted: false,
      [
        .asyncOperationQueue: {
          let queue = AsyncOperationQueue(maxConcurrentOperationCount: width, isSuspended: true)
          await queue.add((0..<count).map { _ in AsyncOperation(start: { body() }) })
          await queue.resume()
          let samples = await BlockingThread.run {
            latencies(scale.latencyCount, pauses, while: { queue.snapshot.operationCount > count / 2 }) { probe in
              queue.add(AsyncOperation(queuePriority: .veryHigh, start: { probe.hasBegun() }))
            }
          }
          await queue.cancelAllOperations()
          await queue.waitUntilAllOperationsAreFinished()
          return figures(samples)
        },
        .operationQueue: {
          await BlockingThread.run {
            let queue = FoundationQueue.make(width: width, isSuspended: true)
            queue.addOperations((0..<count).map { _ in BlockOperation(block: body) }, waitUntilFinished: false)
            queue.isSuspended = false
            let samples = latencies(
              scale.latencyCount, pauses, while: { queue.operationCount > count / 2 },
              { probe in
                let operation = BlockOperation { probe.hasBegun() }
                operation.queuePriority = .veryHigh
                queue.addOperation(operation)
              })
            queue.cancelAllOperations()
            queue.waitUntilAllOperationsAreFinished()
            return figures(samples)
          }
        },
      ])
  }

  private static let bodyNanoseconds = 50_000.0

  private static func latencies(
    _ count: Int,
    _ pauses: SeededGenerator,
    while isUnderLoad: () -> Bool,
    _ add: (Probe) -> Void
  ) -> [Double] {
    var pauses = pauses
    var samples: [Double] = []
    while samples.count < count, isUnderLoad() {
      // The thread sleeps, since it would take a core from the bodies otherwise.
      Thread.sleep(forTimeInterval: .random(in: 0...2 * bodyNanoseconds, using: &pauses) / 1e9)
      let probe = Probe()
      add(probe)
      samples.append(probe.wait())
    }
    return samples
  }

  private static func figures(_ samples: [Double]) -> [Double] {
    [samples.percentile(0.5) / bodyNanoseconds, samples.percentile(0.99) / bodyNanoseconds]
  }
}
