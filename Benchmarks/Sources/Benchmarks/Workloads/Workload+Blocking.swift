import Foundation
import StructuredOperations

extension Workload {
  /// Bodies that hold their threads for a while, as many at once as there are.
  ///
  /// The task group has the cooperative pool alone, a thread for each core, and shows what blocking it costs.
  static func blocking(count: Int, width: Int, milliseconds: Int) -> Workload {
    let block: @Sendable (Counter) -> Void = { counter in
      Thread.sleep(forTimeInterval: Double(milliseconds) / 1_000)
      counter.increment()
    }
    return Workload(
      name: "blocking/width-\(width)", operationCount: count, unit: .milliseconds
    ) { competitor, counter in
      switch competitor {
      case .taskGroup:
        await BoundedTaskGroup.run(count: count, width: width) { block(counter) }
      case .asyncOperationQueue:
        let queue = AsyncOperationQueue(maxConcurrentOperationCount: width)
        for _ in 0..<count { await queue.add(AsyncOperation(main: { block(counter) })) }
        await queue.waitUntilAllOperationsAreFinished()
      case .operationQueue:
        FoundationQueue.runOneByOne(count: count, width: width) { block(counter) }
      }
    }
  }
}
