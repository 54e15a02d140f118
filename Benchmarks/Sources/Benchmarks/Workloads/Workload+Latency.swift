import Dispatch
import Foundation
import StructuredOperations

extension Workload {
  enum LatencyKind: CaseIterable {
    case asynchronous, synchronous
    /// A closure that `run` calls in the waiting task.
    case run
  }

  /// The time from adding an operation to an idle queue until the task that waits for its end continues.
  ///
  /// The operation is created before the clock starts, but for that of `run`. A blocked thread waits for Foundation and Dispatch. The task
  /// group and Dispatch show the minimum: one child task, one block.
  static func latency(_ scale: Options.Scale, _ kind: LatencyKind) -> Workload {
    let count = scale.latencyCount
    return Workload(
      name: "add-to-finish/\(kind)",
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
        .asyncOperationQueue: { figures(await samplesOfQueue(count, kind)) },
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

  /// The median of the time from adding an operation to an idle queue until the task that waits for its end continues,
  /// relative to that of an unstructured task and whoever awaits that.
  static func latencyRelativeToTask(_ scale: Options.Scale) -> Workload {
    let count = scale.latencyCount
    return Workload(
      name: "add-to-finish/asynchronous-to-bare-task", figures: [Figure(name: "p50", unit: .ratio)],
      rounds: scale.rounds, operationCount: count, isCounted: false,
      [
        .objectGraph: {
          let queue = PlainQueue(width: 2)
          var samples: [Double] = []
          for _ in 0..<count {
            let operation = PlainQueue.Operation {}
            let stopwatch = Stopwatch()
            queue.add(operation)
            await operation.waitUntilFinished()
            samples.append(stopwatch.nanoseconds)
          }
          return [samples.percentile(0.5) / (await medianOfBareTask(count))]
        },
        .asyncOperationQueue: {
          [await samplesOfQueue(count, .asynchronous).percentile(0.5) / (await medianOfBareTask(count))]
        },
      ])
  }

  private static func medianOfBareTask(_ count: Int) async -> Double {
    var samples: [Double] = []
    for _ in 0..<count {
      let stopwatch = Stopwatch()
      await Task {}.value
      samples.append(stopwatch.nanoseconds)
    }
    return samples.percentile(0.5)
  }

  private static func samplesOfQueue(_ count: Int, _ kind: LatencyKind) async -> [Double] {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 2)
    var samples: [Double] = []
    for _ in 0..<count {
      let operation: AsyncOperation<Void>? =
        switch kind {
        case .asynchronous: AsyncOperation(start: {})
        case .synchronous: AsyncOperation(main: {})
        case .run: nil
        }
      let stopwatch = Stopwatch()
      if let operation {
        await queue.add(operation)
        await operation.waitUntilFinished()
      } else {
        // It throws only where it is cancelled, or the queue is closed.
        try? await queue.run {}
      }
      samples.append(stopwatch.nanoseconds)
    }
    return samples
  }

  private static func figures(_ samples: [Double]) -> [Double] {
    [samples.percentile(0.5) / 1_000, samples.percentile(0.99) / 1_000]
  }
}
