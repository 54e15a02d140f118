import Foundation
import StructuredOperations

extension Workload {
  /// Many short scopes, one after another, each for so many operations.
  ///
  /// Foundation makes a queue for each, and waits until that is empty.
  static func scopes(_ scale: Options.Scale, size: Int) -> Workload {
    let width = 2
    let count = scale.operationCount / 4 / size
    return Workload(
      name: "scopes/of-\(size)", rounds: scale.rounds, operationCount: count * size,
      timing: [
        .taskGroup: { counter in
          for _ in 0..<count { await BoundedTaskGroup.run(count: size, width: width) { counter.increment() } }
        },
        .asyncOperationQueue: { counter in
          for _ in 0..<count {
            do {
              try await withOperationQueue(maxConcurrentOperationCount: width) { queue in
                for _ in 0..<size { await queue.add(start: { counter.increment() }) }
              }
            } catch {
              preconditionFailure("\(error)")
            }
          }
        },
        .operationQueue: { counter in
          await BlockingThread.run {
            for _ in 0..<count {
              let queue = FoundationQueue.make(width: width)
              for _ in 0..<size { queue.addOperation { counter.increment() } }
              queue.waitUntilAllOperationsAreFinished()
            }
          }
        },
      ])
  }
}
