import Foundation
import StructuredOperations

extension Workload {
  /// The bytes per operation that waits in a suspended queue and is referenced by nothing else.
  ///
  /// With a dependency, each depends on the one before it. Suspending the queue of this package once more takes a turn,
  /// which moves the operations from its mailbox to the collections in which they wait.
  static func pendingBytes(_ scale: Options.Scale, hasDependency: Bool) -> Workload {
    let count = scale.linkedCount
    return Workload(
      name: "pending-bytes/\(hasDependency ? "one-dependency" : "no-dependency")",
      figures: [Figure(name: "", unit: .bytesPerOperation)], rounds: scale.countingRounds, operationCount: count,
      isCounted: false,
      [
        .asyncOperationQueue: {
          let (bytes, queue) = await Allocations.held {
            let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1, isSuspended: true)
            var previous: AsyncOperation<Void>?
            for _ in 0..<count {
              let operation = AsyncOperation(start: {})
              if hasDependency, let previous { await operation.depend(on: previous) }
              await queue.add(operation)
              previous = operation
            }
            await queue.suspend()
            return queue
          }
          await queue.resume()
          await queue.waitUntilAllOperationsAreFinished()
          return [bytes / Double(count)]
        },
        .operationQueue: {
          let (bytes, queue) = await Allocations.held {
            await BlockingThread.run {
              let queue = FoundationQueue.make(width: 1, isSuspended: true)
              var previous: BlockOperation?
              for _ in 0..<count {
                let operation = BlockOperation {}
                if hasDependency, let previous { operation.addDependency(previous) }
                queue.addOperation(operation)
                previous = operation
              }
              return queue
            }
          }
          await BlockingThread.run {
            queue.isSuspended = false
            queue.waitUntilAllOperationsAreFinished()
          }
          return [bytes / Double(count)]
        },
      ])
  }
}
