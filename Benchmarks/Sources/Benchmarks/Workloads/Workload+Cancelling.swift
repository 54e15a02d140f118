import Foundation
import StructuredOperations

extension Workload {
  /// Cancelling all operations of a suspended queue, until it has been resumed and is empty.
  ///
  /// Adding the operations is not timed. Neither the task group nor Dispatch can hold that many that have not begun.
  static func cancelling(_ scale: Options.Scale) -> Workload {
    let count = scale.cancelledCount
    let name = "cancelling/pending"
    return Workload(
      name: name, figures: [Figure(name: "", unit: .nanosecondsPerOperation)], rounds: scale.rounds,
      operationCount: count,
      [
        .asyncOperationQueue: {
          let counter = Counter()
          let queue = AsyncOperationQueue(maxConcurrentOperationCount: 2, isSuspended: true)
          for _ in 0..<count { await queue.add(AsyncOperation(start: { counter.increment() })) }
          let nanoseconds = await Stopwatch.time {
            await queue.cancelAllOperations()
            await queue.resume()
            await queue.waitUntilAllOperationsAreFinished()
          }
          counter.check(0, in: name)
          return [nanoseconds / Double(count)]
        },
        .operationQueue: {
          await BlockingThread.run {
            let counter = Counter()
            let queue = FoundationQueue.make(width: 2, isSuspended: true)
            for _ in 0..<count { queue.addOperation { counter.increment() } }
            let nanoseconds = Stopwatch.time {
              queue.cancelAllOperations()
              queue.isSuspended = false
              queue.waitUntilAllOperationsAreFinished()
            }
            counter.check(0, in: name)
            return [nanoseconds / Double(count)]
          }
        },
      ])
  }
}
