import Foundation
import StructuredOperations

extension Workload {
  /// The bytes that an operation holds while it waits, in a queue that is suspended; nobody else holds it.
  ///
  /// With a dependency, each depends on the one before it. The queue of this package is suspended once more, which takes a turn, so that
  /// operations have left its inbox for the places where they wait.
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
