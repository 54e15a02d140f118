import Foundation
import StructuredOperations

extension Workload {
  /// Eight tasks that add operations to one queue at the same time, each one by one.
  ///
  /// For the task group, the producers write to a stream that is read by the task that owns the group. Dispatch's
  /// producers block while the window is full, so they are threads.
  static func producers(_ scale: Options.Scale, width: Int) -> Workload {
    let producerCount = 8
    let share = scale.operationCount / producerCount
    return Workload(
      name: "8-producers/width-\(width)", rounds: scale.rounds, operationCount: producerCount * share,
      timing: [
        .taskGroup: { counter in
          let (bodies, continuation) = AsyncStream.makeStream(of: (@Sendable () async -> Void).self)
          async let consumer: Void = BoundedTaskGroup.run(bodies, width: width)
          await produce(producerCount) {
            for _ in 0..<share { continuation.yield { counter.increment() } }
          }
          continuation.finish()
          await consumer
        },
        .asyncOperationQueue: { counter in
          let queue = AsyncOperationQueue(maxConcurrentOperationCount: width)
          await produce(producerCount) {
            for _ in 0..<share { await queue.add(AsyncOperation(start: { counter.increment() })) }
          }
          await queue.waitUntilAllOperationsAreFinished()
        },
        .operationQueue: { counter in
          let queue = FoundationQueue.make(width: width)
          await produce(producerCount) {
            for _ in 0..<share { queue.addOperation { counter.increment() } }
          }
          await BlockingThread.run { queue.waitUntilAllOperationsAreFinished() }
        },
        .dispatch: { counter in
          let window = DispatchWindow(width: width)
          await produce(producerCount) {
            await BlockingThread.run {
              for _ in 0..<share { window.add { counter.increment() } }
            }
          }
          await BlockingThread.run { window.waitUntilEmpty() }
        },
      ])
  }

  private static func produce(_ producerCount: Int, _ work: @escaping @Sendable () async -> Void) async {
    await withDiscardingTaskGroup { group in
      for _ in 0..<producerCount { group.addTask(operation: work) }
    }
  }
}
