import Dispatch
import Foundation
import StructuredOperations

extension Workload {
  /// The time from adding an operation to an idle queue until the task that waits for its end continues.
  ///
  /// The operation is created before the clock starts. A blocked thread waits for Foundation and Dispatch. The task
  /// group and Dispatch show the minimum: one child task, one block.
  static func latency(_ scale: Options.Scale, isSynchronous: Bool) -> Workload {
    let count = scale.latencyCount
    return Workload(
      name: "add-to-finish/\(isSynchronous ? "synchronous" : "asynchronous")",
      figures: [Figure(name: "p50", unit: .microseconds), Figure(name: "p99", unit: .microseconds)],
      rounds: scale.rounds, operationCount: count,
      [
        .taskGroup: {
          await withTaskGroup(of: Void.self) { group in
            var samples: [Double] = []
            for _ in 0..<count {
              let stopwatch = Stopwatch()
              group.addTask {}
              await group.next()
              samples.append(stopwatch.nanoseconds)
            }
            return figures(samples)
          }
        },
        .asyncOperationQueue: {
          let queue = AsyncOperationQueue(maxConcurrentOperationCount: 2)
          var samples: [Double] = []
          for _ in 0..<count {
            let operation = isSynchronous ? AsyncOperation(main: {}) : AsyncOperation(start: {})
            let stopwatch = Stopwatch()
            await queue.add(operation)
            await operation.waitUntilFinished()
            samples.append(stopwatch.nanoseconds)
          }
          return figures(samples)
        },
        .operationQueue: {
          await BlockingThread.run {
            let queue = FoundationQueue.make(width: 2)
            var samples: [Double] = []
            for _ in 0..<count {
              let operation = BlockOperation {}
              let stopwatch = Stopwatch()
              queue.addOperation(operation)
              operation.waitUntilFinished()
              samples.append(stopwatch.nanoseconds)
            }
            return figures(samples)
          }
        },
        .dispatch: {
          await BlockingThread.run {
            let queue = DispatchQueue(label: "latency", attributes: .concurrent)
            let end = DispatchSemaphore(value: 0)
            var samples: [Double] = []
            for _ in 0..<count {
              let stopwatch = Stopwatch()
              queue.async { end.signal() }
              end.wait()
              samples.append(stopwatch.nanoseconds)
            }
            return figures(samples)
          }
        },
      ])
  }

  private static func figures(_ samples: [Double]) -> [Double] {
    [samples.percentile(0.5) / 1_000, samples.percentile(0.99) / 1_000]
  }
}
